/**
 * The files that a page is made of, embedded when parcast is built: style, glue, chart libraries, content
 * security policy, and one Vega-Lite specification a chart.
 */
#ifndef PARCAST_REPORT_ASSETS_H
#define PARCAST_REPORT_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

/** X(name, file): the list is the enum and the embedded files at once; files relative to src/report, or
 * built. */
#define REPORT_ASSET_LIST(X)                                                                                 \
    X(STYLE, "page.css")                                                                                     \
    X(GLUE, "page.js")                                                                                       \
    X(CONFIG, "charts/config.json")                                                                          \
    X(TIME, "charts/time.json")                                                                              \
    X(EFFICIENCY, "charts/efficiency.json")                                                                  \
    X(SPEEDUP, "charts/speedup.json")                                                                        \
    X(COST, "charts/cost.json")                                                                              \
    X(RANKS, "charts/ranks.json")                                                                            \
    X(MATRIX, "charts/matrix.json")                                                                          \
    X(LIBRARIES, "bundle.js")                                                                                \
    X(POLICY, "policy.txt")

enum report_asset {
#define REPORT_ASSET_ENUM(name, file) REPORT_##name,
    REPORT_ASSET_LIST(REPORT_ASSET_ENUM)
#undef REPORT_ASSET_ENUM
};

/** A file's bytes; length 0 when parcast was built without the report. Not terminated. */
struct report_text {
    const char *text;
    size_t length;
};
struct report_text report_asset(enum report_asset asset);

/** False when parcast was built with -DPARCAST_REPORT=OFF. */
bool report_available(void);

#endif
