/**
 * The report: one HTML page that answers how long, how many nodes, at what cost, and how it knows.
 *
 * The page stands alone: charts, data and style are inside it, it loads nothing, and its content security
 * policy forbids it to. Strings of the study (program names, arguments, host names) can only appear as text.
 * Structure of the page: docs/man/parcast-report.1.scd.
 */
#ifndef PARCAST_REPORT_H
#define PARCAST_REPORT_H

#include <stddef.h>

#include "parcast/error.h"
#include "parcast/study.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a page shows. Everything may be missing: the page then says what is not there and how to get it. */
typedef struct parcast_report_content {
    const char *study;       /**< name of the study, for the heading and the commands that the page advises */
    const char *written_at;  /**< when, as shown in the footer; NULL: not shown (same input, same bytes) */
    const parcast_run *runs; /**< [n_runs] runs of one problem, with profiles where they were recorded */
    size_t n_runs;
    const char *const
        *forecasts; /**< [n_forecasts] JSON texts, parcast.forecast/1, oldest first: the latest of
                         each engine, platform and placement is drawn, the latest of all answers */
    size_t n_forecasts;
    size_t n_other_problems; /**< of the same study, not shown */
} parcast_report_content;

/**
 * The page as UTF-8 text.
 *
 * A forecast that is no JSON or has no points is left out and named on the page. Runs of many ranks are drawn
 * in groups of ranks, as the page then says.
 *
 * @param[out] html   set on success, terminated; free() it
 * @param[out] length bytes of it, without the terminator
 * @return PARCAST_OK; PARCAST_UNSUPPORTED when parcast was built without the report; PARCAST_MEMORY
 *
 * Cost: about 0.85 MB of chart libraries are copied; milliseconds. Thread-safe.
 */
PARCAST_API parcast_status parcast_report_html(const parcast_report_content *content, char **html,
                                               size_t *length, parcast_error *error);

/**
 * The page of a study: its latest problem (of the latest complete run, else of the latest run) with its runs
 * and the forecasts that `predict` keeps in it.
 *
 * @param[in]  name       name of the study as the page shows it
 * @param[in]  written_at shown in the footer; NULL: not shown
 * @return as parcast_report_html, or what reading the study gives
 */
PARCAST_API parcast_status parcast_report_study(parcast_study *study, const char *name,
                                                const char *written_at, char **html, size_t *length,
                                                parcast_error *error);

/**
 * Write a file at once: either the whole text is there under `path` or what was there before, also when the
 * disk is full or the program is killed. "-" is standard output.
 *
 * @return PARCAST_OK, or PARCAST_IO with the cause
 */
PARCAST_API parcast_status parcast_report_write(const char *path, const char *text, size_t length,
                                                parcast_error *error);

#ifdef __cplusplus
}
#endif
#endif
