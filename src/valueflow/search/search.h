/* What the candidates for the least words have in common. */
#ifndef PARCAST_VALUEFLOW_SEARCH_H
#define PARCAST_VALUEFLOW_SEARCH_H

#include "valueflow/distribution/grid.h"
#include "valueflow/search/coarse.h"

enum { SEARCH_SHAPES = COARSE_SPACES, SEARCH_CLOSELY = 2, SEARCH_NOTED = 6, SEARCH_COMPACT = 6 };
enum { SEARCH_MOST_CUTS = 4 }; /* dimensions that a grid cuts */
enum { SEARCH_MOST_NOTED = 2 * GRAPH_INDEX_ARRAYS * (SEARCH_NOTED + 1) };

/* Imbalance of the work that is allowed; of blocks as they are: what is between them, like the nodes of a
 * mesh of elements, lies on one side or the other. Nothing moves to become that uneven. Few cells that cannot
 * be divided evenly are no reason to be more uneven than MOST. */
#define SEARCH_BALANCED_RATIO 0.03
#define SEARCH_BLOCK_RATIO    0.05
#define SEARCH_MOST_RATIO     0.25
/* What is at most that uneven is the least where it has less than half the words of all that is even. */
#define SEARCH_SPARE_RATIO 0.1

/* A grid, its words and its balance before borders are moved. */
struct rough {
    uint64_t words;
    size_t shape;
    parcast_extents grid;
    bool even;
};

/* A distribution that is less even than others have to be. */
struct spare {
    parcast_flow flow; /* processes 0: there is none */
    uint32_t *part;    /* [n_vertices] */
    uint32_t index;    /* as search.index */
};

struct search {
    const parcast_values *values, *all; /* what is searched, and all of it */
    struct coarse *coarse;              /* NULL where these are the same */
    size_t p;
    const parcast_extents *extent;
    uint32_t *part, *best_part; /* [n_vertices] */
    bool *fixed;
    parcast_flow best, block;
    parcast_flow near_block;            /* of blocks that are up to 3 % less even than they have to be */
    struct spare uneven, few;           /* the most even one; the one with fewest words */
    double best_allowed, block_allowed; /* how uneven whole cells made them */
    size_t block_cuts;                  /* dimensions that the best blocks cut */
    uint64_t halved_words;              /* of the best even ones by bisection; 0: there are none */
    uint64_t still_words;               /* of the best even blocks before anything moved; 0: none known */
    struct space shapes[SEARCH_SHAPES];
    struct rough rough[SEARCH_NOTED], line; /* best first; the best that cuts one dimension */
    struct rough fewest;                    /* of those that are not even (rectangles.c); words 0: none */
    struct rough best_of[SEARCH_SHAPES];    /* best of each shape; grid.n 0: none */
    struct rough noted[SEARCH_MOST_NOTED];  /* near: the best of every array, rows among them */
    size_t n_noted;
    size_t n_shapes, n_rough;
    size_t most_rough, closely; /* SEARCH_CLOSELY; SEARCH_NOTED of near graphs are kept, and of small ones
                                   looked at closely */
    bool is_lenient;            /* no blocks are even: 3 % more than whole cells allow will do */
    bool is_guess;              /* extents that nothing tells, where others are known: no blocks to be told */
    struct grid_memory counted; /* still, for this graph and number of parts */
    uint64_t tried_words;       /* of the blocks that were looked at last */
    bool tried_even;            /* are these even? */
    uint64_t finished_words;    /* of what the last candidate became that was finished; 0: not known */
    uint32_t index, best_index; /* array whose blocks a candidate is; GRAPH_NONE */
    parcast_error *error;
};

/** Is a candidate better than the best? Of equal words the one whose blocks whole cells divide more evenly.
 */
bool search_is_fewer(const parcast_flow *flow, double allowed, const parcast_flow *best, double best_allowed);
/** What is in search->part and less even than `limit`, or even by sums that take more words than they have
 * to: `flow` with as few more as may be (graph_evaluate_mixing), where that could be fewer than the best. */
parcast_status search_mix(struct search *search, parcast_flow *flow, double limit, const parcast_flow *best);
/** Take the candidate in search->part for the best one if it is, and at most `limit` uneven (of blocks that
 * may be above `allowed`); `flow` is taken or cleared. */
parcast_status search_keep_within(struct search *search, parcast_flow *flow, double allowed, double limit);
parcast_status search_keep(struct search *search, parcast_flow *flow, double allowed);
/** The rest follows what is placed in search->part, then everything may move; that is a candidate, which may
 * be as uneven as `allowed` (3 %). */
parcast_status search_finish(struct search *search, const char *name);
parcast_status search_finish_within(struct search *search, const char *name, double allowed);
/** What is in search->part is made even where it has clearly fewer words than the best as long as it may be
 * uneven: sums that are all added up, or none, may be even and far more words. That is a candidate. */
parcast_status search_even_out(struct search *search, const char *name, double allowed);

/** Are blocks of an index space likely to be far above partitions of a large graph? Then partitions go
 * first, and what is far above the best is left as it is. */
bool search_is_scattered(const struct search *search);
/** Is it, or large and could not be made small, so that to move its vertices takes seconds? Then the same. */
bool search_is_slow(const struct search *search);
/** Is it, or are the best blocks above the best that was found, or slices, or none? Then it is partitioned
 * vertex by vertex. */
bool search_is_irregular(const struct search *search);
/** Is what has so many words before anything moves unlikely to come near the best? Of a slow graph nearly all
 * is border, so that moving it saves little. */
bool search_is_far(const struct search *search, uint64_t words);
/** What is in search->part, moved uphill, too: a candidate, where the graph is small (climbing.c). */
bool search_is_small(const struct search *search);
parcast_status search_climb(struct search *search, const char *name, double allowed);

/** Everything again, of the large graph, beginning with nothing. */
parcast_status search_begin_large(struct search *search);
/** What was found in a graph that is only near is counted in the large one (from_small.c). Nothing is found
 * where none of it is even. */
parcast_status search_settle(struct search *search);
/** Blocks of words in place of blocks of cells, once the large graph is looked at. */
void search_take_fine_spaces(struct search *search);
/** The best blocks of a small graph that is exact, with what lies between them free (in_large.c). */
parcast_status search_in_large(struct search *search);
/** How uneven blocks of this grid may be where everything moves (uneven_blocks.c), */
double search_allowed_for(const struct search *search, const struct space *space,
                          const parcast_extents *grid);
/** and where they stay as they are. */
double search_still_for(const struct search *search, double allowed);
/** Are there blocks that are even enough to be told? */
bool search_has_block(const struct search *search);
/** Are there blocks as even as other candidates have to be, or as whole cells allow? */
bool search_has_even_block(const struct search *search);
/** Imbalance that whole cells leave wherever they lie. */
double search_cells_allow(const struct space *space, size_t n_parts);
/** Is the best one of blocks by bisection? */
bool search_is_halved(const struct search *search);
/** How many dimensions a grid cuts. */
size_t search_cuts(const parcast_extents *grid);
/** The words of n grids before anything moves, [n], and in them; their shapes and extents are given. */
parcast_status search_count_still(struct search *search, struct rough *grids, size_t n,
                                  struct grid_words *words);
/** The grids of a shape with the shortest cuts, of those that whole cells divide most evenly; returns how
 * many (compact.c). */
size_t search_compact(const struct search *search, size_t shape, struct rough grids[SEARCH_COMPACT]);
/** Blocks that have been noted, exactly, with their borders moved. Those that what is written has no room for
 * are no candidate: nothing is tried then, and tried_even is set. */
parcast_status search_grid(struct search *search, const struct rough *rough);
/** The same in steps: trials of n grids, those of the first taken over where others have the same; each as it
 * is still, which is a candidate unless there is none; then with its borders moved, another candidate.
 * `trials` are 0, and to be cleared. */
parcast_status search_grids_begin(const struct search *search, const struct rough *grids, size_t n,
                                  struct grid_trials *trials, bool *is_none);
parcast_status search_grid_still(struct search *search, const struct rough *rough,
                                 const struct grid_trials *trials, bool is_none);
/** Both for one grid. */
parcast_status search_grid_begin(struct search *search, const struct rough *rough,
                                 struct grid_trials *trials);
parcast_status search_grid_moved(struct search *search, const struct rough *rough,
                                 struct grid_trials *trials);

/** The blocks in search->part, that were tried last, with everything moved: a candidate where they are near
 * to the best blocks (moving_blocks.c). */
parcast_status search_freely(struct search *search, const struct grid_choice *choice);
/** What makes blocks even that are not: cuts where the work is equal, and cells of their borders moved
 * (made_even.c). `words`: those of the blocks as they are. */
parcast_status search_make_even(struct search *search, const struct rough *rough, uint64_t words);
/** Blocks that search_grid_still() has counted: their borders moved, and that where they stay uneven with
 * fewer words than the best. */
parcast_status search_make_still_even(struct search *search, const struct rough *rough,
                                      struct grid_trials *trials);
/** search_grid(), and that where they are not even and have fewer words than the best. */
parcast_status search_grid_evened(struct search *search, const struct rough *rough);

/* Candidates: blocks (rectangles.c); others (candidates.c). */
parcast_status search_blocks(struct search *search);
parcast_status search_halved(struct search *search); /* halved.c */
parcast_status search_turns(struct search *search);
parcast_status search_crossed(struct search *search); /* crossed.c */
parcast_status search_bisections(struct search *search);
parcast_status search_folded(struct search *search); /* folded.c */
parcast_status search_components(struct search *search);
parcast_status search_pieces(struct search *search);
parcast_status search_partitions(struct search *search);
parcast_status search_terms(struct search *search); /* split_terms.c */

#endif
