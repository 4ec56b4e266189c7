/**
 * What the parts of a page share: the content as JSON that the charts read, and the text that grows.
 *
 *   content ──page_add_forecasts, page_add_runs──► datasets ──page_add_charts──► charts ──page.c──► HTML
 */
#ifndef PARCAST_REPORT_PAGE_H
#define PARCAST_REPORT_PAGE_H

#include "html.h"
#include "parcast/report.h"

enum {
    PAGE_MAX_SERIES = 6,       /**< forecasts drawn beside each other */
    PAGE_MAX_POINTS = 256,     /**< points of a series; of more counts some are drawn */
    PAGE_MAX_BARS = 64,        /**< bars of a run; more ranks are drawn in groups */
    PAGE_MAX_DRAWN_RUNS = 12,  /**< runs that the choosers offer, the latest ones */
    PAGE_MAX_TABLE_ROWS = 200, /**< rows of a table below a chart */
};

struct page {
    const parcast_report_content *content;
    json_t *forecasts; /**< objects, the one that answers first; each has "series", its name in the charts */
    size_t n_unreadable;      /**< forecasts that were left out: malformed or without points */
    size_t n_older;           /**< series that were left out: more than PAGE_MAX_SERIES */
    const parcast_run *shown; /**< run whose ranks and calls are shown first; NULL: none has profiles */
    json_t *datasets;         /**< name: rows, for every chart */
    json_t *charts;           /**< name: Vega-Lite specification; those without data are not there */
    bool cut_bands;           /**< an interval reaches beyond its chart */
    struct html html;
};

/* forecast_data.c */
bool page_add_forecasts(struct page *page);
/** The forecast that answers; NULL when there is none. */
const json_t *page_answer(const struct page *page);
/** Point of a forecast for a member of its "best" ("fastest", ...); NULL when there is none. */
const json_t *forecast_best(const json_t *forecast, const char *which);
/** Its times are what nothing can be below, its errors are of sizes and not of runs. */
bool forecast_is_bound(const json_t *forecast);
/** Nodes of a point: how many, or which ("4 \u00d7 small + 2 \u00d7 big"), the text for free(). */
int point_nodes(const json_t *point);
char *point_node_text(const json_t *point);

/* run_data.c */
bool page_add_runs(struct page *page);
/** Ranks that one bar or cell of a run stands for. */
int run_group(const parcast_run *run);
/** Name of a run in the choosers and tables: "3: 4 ranks"; free() it. */
char *run_label(const parcast_run *run);
/** Times of a rank [s]: computing, communication, waiting, the core running something else. */
struct rank_parts {
    double part_s[4];
};
struct rank_parts rank_parts(const parcast_rank_profile *rank);
extern const char *const rank_part_names[4];

/* charts.c */
bool page_add_charts(struct page *page);

/* answer.c, sections.c, fit.c: parts of the page, in order */
void page_write_answer(struct page *page);
void page_write_scaling(struct page *page);
void page_write_ranks(struct page *page);
void page_write_messages(struct page *page);
void page_write_calls(struct page *page);
void page_write_fit(struct page *page);
void page_write_runs(struct page *page);
/** A place for a chart, or why there is none. */
void page_write_figure(struct page *page, const char *chart, const char *caption, const char *description);

/* html_table.c */
/** Begin a table with these titles [NULL at the end]; "#time" is a column of numbers. With a summary it can
 * be folded. */
void table_begin(struct html *html, const char *summary, const char *const *titles);
void table_text(struct html *html, const char *text);   /**< a cell */
void table_number(struct html *html, const char *text); /**< a cell that stands to the right */
/** A cell with a bar behind the number: share of the column's largest, 0..1. */
void table_bar(struct html *html, const char *text, double share);
void table_end(struct html *html, const char *summary);

/* json.c: reading leniently, writing only what is known */
double json_get_number(const json_t *object, const char *key);       /**< NAN when missing or no number */
int json_get_count(const json_t *object, const char *key);           /**< 0 when there is none up to 1e9 */
const char *json_get_text(const json_t *object, const char *key);    /**< NULL when missing or no string */
bool json_put_number(json_t *object, const char *key, double value); /**< null when not finite */
bool json_put_text(json_t *object, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
