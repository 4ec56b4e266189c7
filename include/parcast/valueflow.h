/**
 * Value flow: what a sequential program would have to communicate on p processors.
 *
 * A program built by `parcast cc --values` leaves a file of the values that it computed and of who read them.
 * From it the words that cross between parts can be counted exactly for any distribution of the memory words,
 * and a distribution with few of them can be found. docs/models/value-flow.md has the model.
 */
#ifndef PARCAST_VALUEFLOW_H
#define PARCAST_VALUEFLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parcast/error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PARCAST_MAX_EXTENTS = 5 };

/** A rectangle of parts or of words; n extents, the first one varies slowest in memory. */
typedef struct parcast_extents {
    size_t n;
    uint64_t extent[PARCAST_MAX_EXTENTS];
} parcast_extents;

/** The values of one traced run. */
typedef struct parcast_values parcast_values;

/** What a traced run was, as a whole. */
typedef struct parcast_values_summary {
    uint64_t flop;        /**< floating-point operations of the region; 0 if it is an integer code */
    uint64_t values;      /**< values computed or read as input */
    uint64_t vertices;    /**< words, and results that live in registers only */
    uint64_t divisible;   /**< words whose work can be divided: no more parts than these; 0: it only copies */
    uint64_t nets;        /**< different (home, set of readers) */
    uint64_t edges;       /**< pins of different sets of readers */
    uint64_t entries;     /**< times that the region was entered */
    uint64_t table_bytes; /**< memory of the run time beside the program's own */
    size_t n_reports;
    /** Why and where following ended before the program did: everything is of what was followed until then.
     * NULL when it was followed to its end. Lives as long as the values. */
    const char *partial;
    /** What was followed: "main", or functions and "marked regions" with commas between. NULL if the file
     * does not say. Lives as long as the values. */
    const char *region;
} parcast_values_summary;

/** Something that the analysis could not follow. Strings live as long as the values. */
typedef struct parcast_values_report {
    const char *kind, *name;
    uint64_t count;
} parcast_values_report;

/** Words of one array that nearly everything reads or adds to. */
typedef struct parcast_singletons {
    const char *array; /**< lives as long as the values */
    uint64_t n_words;
    uint64_t read_versions; /**< values of theirs that are read: p - 1 words each at least */
    uint64_t
        summed_versions; /**< values of theirs that gather what is everywhere: p - 1 words each at least */
} parcast_singletons;

/** Words under one distribution. Release with parcast_flow_clear(). */
typedef struct parcast_flow {
    size_t processes;
    uint64_t words, bytes;
    uint64_t uneven_words;       /**< 0, or fewer, which sums could have that are added up otherwise, but not
                                    as evenly */
    uint64_t largest_part_words; /**< most words that one part sends and receives */
    uint64_t messages;           /**< pairs of parts that exchange anything */
    double imbalance_ratio;      /**< largest work of a part over the mean, minus 1 */
    uint64_t *matrix;            /**< [processes * processes] words from row to column */
    char decomposition[256];     /**< in words: "4 blocks of y (512); rows of A; x replicated" */
} parcast_flow;

/** How a program is followed. */
typedef struct parcast_values_options {
    bool to_stderr; /**< its standard output goes to standard error */
    bool whole;     /**< follow all iterations, and run the program only once */
    /** Most memory of the followed program, its own and the tables'; 0: nine tenths of what is free. */
    uint64_t memory_bytes;
    /** Called with what is done next, while the program's output goes nowhere: "following its values"; or
     * NULL. */
    void (*tell)(void *context, const char *what);
    void *context;
} parcast_values_options;

/** What a program was like while it was followed. */
typedef struct parcast_values_run {
    int status;      /**< its exit status, 128 + signal if it died of one */
    int unlike;      /**< not 0: with this status it ended where it was followed, and with 0 when it ran as it
                        was written; what was followed is not all of that */
    bool ran_plain;  /**< it ran as it was written first: serial_s is known */
    double serial_s; /**< CPU time of the region then; -1 if it was not measured */
    double runs_s;   /**< CPU time of all its runs, whole */
    double
        counting_s; /**< of that the runs before it is followed: as it was written, and counting operations */
    /** Of how many iterations some were followed, and how many of these stand for others. 0: it was followed
     * to its end. */
    uint64_t iterations, followed, window;
    /** Of so many iterations that were not followed the operations were counted; so many of these differ from
     * those that stand for them, and what they do besides is missing. */
    uint64_t checked, differing;
    double difference_ratio; /**< by so many operations or stores, of all that those counted have */
    /** Share of the region's CPU time between and behind these iterations, which was not followed. */
    double left_out_ratio;
    double spread_ratio; /**< values made in the second half of the window against the first, minus 1 */
    char what[256];      /**< the loop: "heat.c:12 (kernel)", or "entries of the region" */
} parcast_values_run;

/**
 * Run an instrumented program and read the values that it leaves.
 *
 * It runs twice, the first time as it was written: that times it and counts iterations of the region's
 * outermost loops and its entries. Where there are at least 16 of these and the region takes 10 ms or more,
 * it runs once more until the operations of a tenth of them are counted, 256 at least. Then it is followed
 * until iterations repeat (as many values, hardly a new word, nearly all words written), and where some do
 * other work than most, until one of each kind was followed, or over whole periods; then it is stopped. What
 * those did stands for those that are left; if that leaves out over 5 % of the operations that were counted,
 * and the program has 2e8 operations and stores at most, it is followed once more, whole. Whole at once is
 * one of half a second whose iterations compute less than 5e7 operations and stores a second, which is
 * writing results, with more than 1 % of the time behind them. A program that reads a pipe, and with
 * options->whole any, runs once and is followed to its end.
 *
 * @param[in]  argv   program (looked up in PATH) and arguments, NULL at the end
 * @param[out] values release with parcast_values_destroy(); untouched on failure
 * A run that reaches the limit of memory, meets what cannot be followed, or dies of a signal leaves what was
 * followed until then; the summary says that it is partial.
 *
 * @return PARCAST_OK, also when the program fails after it left its values; PARCAST_NOT_FOUND (no such
 * program); PARCAST_DATA (not instrumented, or it ended before it left them); otherwise as
 * parcast_values_load()
 */
PARCAST_API parcast_status parcast_values_trace(char *const *argv, const parcast_values_options *options,
                                                parcast_values **values, parcast_values_run *run,
                                                parcast_error *error);

/**
 * Read the file of a traced run.
 *
 * @return PARCAST_OK; PARCAST_IO; PARCAST_FORMAT (not such a file, cut short, numbers that contradict each
 *         other); PARCAST_MEMORY
 *
 * Cost: O(file) time; memory a few times the file.
 */
PARCAST_API parcast_status parcast_values_load(const char *path, parcast_values **values,
                                               parcast_error *error);
/** Release and set to NULL. NULL is fine. */
PARCAST_API void parcast_values_destroy(parcast_values **values);

PARCAST_API void parcast_values_summarise(const parcast_values *values, parcast_values_summary *summary);
/** Report i < n_reports of the summary. */
PARCAST_API parcast_values_report parcast_values_report_at(const parcast_values *values, size_t i);

/**
 * The words of exactly this block decomposition: the index space of the largest array that the region writes
 * is cut into grid->extent[0] x grid->extent[1] x ... blocks; arrays of the same shape likewise, other words
 * follow whoever reads and writes them at least cost.
 *
 * @param[in]  grid   parts along each dimension; their product is the number of parts
 * @param[in]  extent words along each dimension; NULL to infer them. One more than the grid has, first or
 * last and at most 64, is that of fields, which are not cut
 * @param[out] flow   untouched on failure
 * @return PARCAST_OK; PARCAST_INVALID (more parts than words, extents that do not match any array);
 *         PARCAST_DATA (extents cannot be inferred); PARCAST_MEMORY
 *
 * Source: words of a partition as in docs/models/value-flow.md, eq. 1 and 2.
 */
PARCAST_API parcast_status parcast_values_grid(const parcast_values *values, const parcast_extents *grid,
                                               const parcast_extents *extent, parcast_flow *flow,
                                               parcast_error *error);

/**
 * The least words that were found over all candidates whose work is balanced.
 *
 * @param[in]  processes at least 1
 * @param[in]  extent    as above; NULL to infer
 * @param[out] flow      the minimum
 * @param[out] block     the best rectangular blocks; processes 0 if there are none
 * @return as parcast_values_grid
 */
PARCAST_API parcast_status parcast_values_minimum(const parcast_values *values, size_t processes,
                                                  const parcast_extents *extent, parcast_flow *flow,
                                                  parcast_flow *block, parcast_error *error);

/**
 * Parameters, results of reductions and the like, by the score of CommAnalyzer with threshold 0.98. They are
 * in the words of every distribution already; this names them.
 *
 * @param[out] groups [n] by array, free(); untouched on failure
 * @return PARCAST_OK, PARCAST_MEMORY
 *
 * Cost: O(pins x homes) over the sets, at most 5e7; beyond that O(pins), and neighbours that share several
 * sets count several times. Source: Helal et al., HPDC'18, algorithm 3.
 */
PARCAST_API parcast_status parcast_values_singletons(const parcast_values *values,
                                                     parcast_singletons **groups, size_t *n,
                                                     parcast_error *error);

PARCAST_API void parcast_flow_clear(parcast_flow *flow);

#ifdef __cplusplus
}
#endif
#endif
