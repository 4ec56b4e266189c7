/** What `parcast replay` prints: tables for people, one JSON object for programs. */
#ifndef PARCAST_CLI_REPLAY_PRINT_H
#define PARCAST_CLI_REPLAY_PRINT_H

#include "cli.h"
#include "parcast/replay.h"

/** A replay with something changed. */
struct replay_what_if {
    const char *name;     /**< "nodes twice as fast" */
    double time_s;        /**< replayed */
    double saving_ratio;  /**< of the unchanged time_s */
    double at_most_ratio; /**< what the critical path allows; NAN: it does not say */
};

enum { REPLAY_MOST_WHAT_IFS = 8 };

struct replay_report {
    const parcast_replay_result *result;
    const char *const
        *algorithms; /**< [PARCAST_COLLECTIVES] that were asked for, by name; NULL: the table's */
    int n_nodes;     /**< in use */
    bool show_pairs; /**< the matrix was asked for */
    struct replay_what_if what_ifs[REPLAY_MOST_WHAT_IFS];
    int n_what_ifs;
    const char *timeline; /**< file, NULL: none */
    parcast_timeline_info drawn;
};

void replay_print_json(const struct replay_report *report);
/** 0, or an exit status after a message. */
int replay_print_tables(const struct cli_common *common, const struct replay_report *report);

#endif
