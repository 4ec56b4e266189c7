/** The timeline that `parcast replay` draws: its options, and its file. */
#ifndef PARCAST_CLI_REPLAY_DRAWING_H
#define PARCAST_CLI_REPLAY_DRAWING_H

#include "cli.h"
#include "parcast/platform.h"
#include "parcast/timeline.h"

/** As the user has written them; NULL: not. */
struct drawing_options {
    char *file, *ranks, *from, *until, *least;
    int no_messages;
};
/** For the option table of the command. */
#define CLI_DRAWING_OPTIONS(o)                                                                               \
    {"timeline", 0, POPT_ARG_STRING,                                                                         \
     &(o)->file, 0, "draw what every rank does: .json for Perfetto and Chrome, .paje for Paje",              \
     "FILE"},                                                                                                \
        {"ranks", 0, POPT_ARG_STRING, &(o)->ranks, 0, "timeline: only these ranks, from 0", "LIST"},         \
        {"from", 0, POPT_ARG_STRING, &(o)->from, 0, "timeline: nothing that ends before this date", "T"},    \
        {"until", 0, POPT_ARG_STRING, &(o)->until, 0, "timeline: nothing that begins after this date", "T"}, \
        {"least", 0, POPT_ARG_STRING, &(o)->least, 0, "timeline: nothing shorter than this", "T"},           \
    {                                                                                                        \
        "no-messages", 0, POPT_ARG_NONE, &(o)->no_messages, 0, "timeline: no arrows", NULL                   \
    }

struct drawing {
    parcast_timeline_options how;
    bool *shown;                /**< ranks */
    parcast_timeline *timeline; /**< NULL: nothing is drawn, or it is finished */
    parcast_timeline_info info;
};

/** What can be read without the trace. PARCAST_INVALID. */
parcast_status drawing_read(struct drawing *drawing, const struct drawing_options *options,
                            parcast_error *error);
/** Begin the file, if one was asked for. rank_node: NULL, rank r on node r; platform: names of nodes, or
 * NULL. */
parcast_status drawing_begin(struct drawing *drawing, const struct drawing_options *options, int n_ranks,
                             const int *rank_node, const parcast_platform *platform, parcast_error *error);
/** Finish it, or with a failure remove it. Returns the failure, or that of writing. */
parcast_status drawing_end(struct drawing *drawing, parcast_status status, parcast_error *error);
/** Say what was left out, and when there is much. */
void drawing_tell(const struct drawing *drawing, const struct cli_common *common);
void drawing_release(struct drawing *drawing);

#endif
