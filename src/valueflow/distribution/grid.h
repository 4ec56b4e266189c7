#ifndef PARCAST_VALUEFLOW_GRID_H
#define PARCAST_VALUEFLOW_GRID_H

#include "valueflow/space/space.h"

/* Fields of one array at the most: where nothing tells them, and where the distances of a plane or a block
 * do. */
enum { GRID_GATHERED = 4, GRID_WAYS = 4 + GRID_GATHERED };
enum { GRID_REMEMBERED = 256, GRID_FIELDS = 8, GRID_MOST_FIELDS = 64 };
enum { GRID_MOST_MEMBERS = 512 }; /* words of a structure that types tell: a site with its matrices */

struct grid_choice {
    uint32_t array;
    parcast_extents grid, extents;
    const struct space *space; /* of the array and the extents; made where it is NULL */
    const uint32_t *halved; /* [n_cells of the space] parts by bisection, not by the grid, of which only their
                               number matters then; NULL */
    bool alike;             /* beside one that is only read others of its shape are cut like it */
    bool coarse;            /* vertices are groups, whose cells are blocks of words */
    double allowed_ratio;   /* imbalance of the work that borders may move to; 0: any */
    double still_ratio;     /* that of blocks as they are, no less than allowed_ratio */
    uint64_t space_words;   /* where everything lies by its place in the space; 0: not known */
    const struct grid_trials *like; /* of another grid, still: what is the same is taken over; NULL */
};

/* One way to place what is beside the words of the array. */
struct grid_trial {
    uint32_t *part; /* [n_vertices]; NULL: like another way, or far from it */
    bool *fixed;    /* [n_vertices] words that the blocks decide about */
    bool *adds;     /* [n_vertices] as of graph_find_adding() before anything moves */
    bool is_moved;
    double still_ratio;   /* its imbalance before anything moved, once borders are looked at, */
    uint64_t still_words; /* and its words */
    parcast_flow flow;
};

struct grid_trials {
    struct grid_trial way[GRID_WAYS];
    int best; /* before anything moves; of equal ones it stays */
    double allowed_ratio;
    bool is_new; /* not all of it was taken over */
};

/** All ways without moving anything; to be cleared. */
parcast_status grid_begin(const parcast_values *values, const struct grid_choice *choice,
                          struct grid_trials *trials, parcast_error *error);
/** The borders of those that are near to the best move. */
parcast_status grid_end(const parcast_values *values, const struct grid_choice *choice,
                        struct grid_trials *trials, parcast_error *error);
/** The best of them: even ones first. `flow` is new, `part` [n_vertices]. */
parcast_status grid_take(const parcast_values *values, const struct grid_choice *choice,
                         const struct grid_trials *trials, parcast_flow *flow, uint32_t *part,
                         parcast_error *error);
/** Is the best of them as even as it has to be? */
bool grid_is_even(const struct grid_choice *choice, const struct grid_trials *trials);
/** How uneven may it be? */
double grid_most_uneven(const struct grid_choice *choice, const struct grid_trials *trials);
uint64_t grid_words(const struct grid_choice *choice, const struct grid_trials *trials);
/** The fewest of those that are even or uneven by hardly more than they may be. */
uint64_t grid_fewest_words(const struct grid_choice *choice, const struct grid_trials *trials);
void grid_clear(struct grid_trials *trials);

/** Words of blocks of an array; `part` [n_vertices] receives the distribution. */
parcast_status grid_evaluate(const parcast_values *values, const struct grid_choice *choice,
                             parcast_flow *flow, uint32_t *part, parcast_error *error);

/* What was counted of distributions over so many parts, by a hash of where their words lie. */
struct grid_words {
    uint64_t words;
    double imbalance_ratio;
    bool is_none; /* a dimension has more parts than words */
};
struct grid_memory {
    size_t n;
    uint64_t hash[GRID_REMEMBERED];
    struct grid_words words[GRID_REMEMBERED];
};

/** Words of n grids where everything lies by its place in the space, before borders move; their spaces are
 * given. What is the same is counted once (still.c). */
parcast_status grid_count_still(const parcast_values *values, const struct grid_choice *choices, size_t n,
                                struct grid_memory *memory, struct grid_words *words, parcast_error *error);
size_t grid_parts(const parcast_extents *grid);
/** "2 x 2 blocks of u (24 x 24)", and what is to stand behind. */
void grid_name(const parcast_values *values, const struct grid_choice *choice, const char *behind, char *text,
               size_t size);
#define GRID_COPIES "any: nearly all is copied"
/** A region of copies, or one part: every word stays where its value is. */
parcast_status grid_nothing_sent(size_t p, const char *name, parcast_flow *flow, parcast_error *error);
/** Extents of words from those that were given, which may be of structures. PARCAST_INVALID where they fit no
 * array. */
parcast_status grid_take_extent(const parcast_values *values, const parcast_extents *given,
                                parcast_extents *extent, parcast_error *error);
/** The blocks that are meant by a grid: its words, the array and the part [n_vertices] of every vertex. */
parcast_status grid_meant(const parcast_values *values, const parcast_extents *grid,
                          const parcast_extents *extent, parcast_flow *flow, uint32_t *array, uint32_t *part,
                          parcast_error *error);
/** Names and sizes of the arrays as one text for a message. */
const char *grid_list_arrays(const parcast_values *values, char *text, size_t size);

#endif
