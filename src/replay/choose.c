#include "replay/choose.h"

#include <stdio.h>
#include <string.h>

#include "collective/decide.h"

static const char *const tables[] = {
    [CHOOSE_NAIVE] = "naive", [CHOOSE_MPICH] = "mpich", [CHOOSE_OPENMPI] = "openmpi"};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

static parcast_status read_table(struct choice *choice, const char *name, parcast_error *error)
{
    if (!name) name = tables[CHOOSE_MPICH];
    for (unsigned i = 0; i < N_TABLES; i++)
        if (strcmp(tables[i], name) == 0) {
            choice->table = (enum choose_table)i;
            return PARCAST_OK;
        }
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "no table of collectives '%s'", name);
    parcast_error_hint(error, "there are naive, mpich and openmpi");
    return PARCAST_INVALID;
}

static parcast_status no_algorithm(parcast_collective collective, const char *name, parcast_error *error)
{
    char known[400] = "";
    size_t used = 0;
    for (unsigned a = 0; a < SCHEDULE_ALGORITHMS; a++)
        if (schedule_has(collective, (enum schedule_algorithm)a, 2))
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     schedule_algorithm_name((enum schedule_algorithm)a));
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s has no algorithm '%s'",
                      parcast_collective_name(collective), name);
    parcast_error_hint(error, "it has %s", known);
    return PARCAST_INVALID;
}

parcast_status choose_create(struct choice *choice, const parcast_replay_options *options,
                             const parcast_platform *platform, parcast_error *error)
{
    const char *table = options->collectives;
    if (!table && platform) table = platform->network.collectives;
    choice->substituted[0] = '\0';
    parcast_status status = read_table(choice, table, error);
    for (unsigned c = 0; c < PARCAST_COLLECTIVES && !status; c++) {
        const char *name = options->algorithms[c];
        choice->forced[c] = name ? schedule_algorithm_named(name) : SCHEDULE_ALGORITHMS;
        if (name && !schedule_has((parcast_collective)c, choice->forced[c], 2))
            status = no_algorithm((parcast_collective)c, name, error);
    }
    return status;
}

/* Bytes as the libraries' rules count them. */
static double decisive_bytes(const parcast_operation *o, uint32_t n_ranks)
{
    double sum = 0;
    if (!o->counts)
        return (double)o->bytes * (o->collective == PARCAST_COLLECTIVE_REDUCE_SCATTER ? n_ranks : 1);
    for (uint32_t i = 0; i < n_ranks; i++) sum += (double)o->counts[i];
    return o->collective == PARCAST_COLLECTIVE_REDUCE_SCATTER ? sum : sum / n_ranks;
}

/* Algorithms that replay has under another name, or that another one stands for (exact: false). */
static const struct stand_in {
    enum collective_algorithm algorithm;
    enum schedule_algorithm by;
    bool exact;
} stand_ins[] = {
    {ALGORITHM_LINEAR_WINDOWS, SCHEDULE_SCATTERED, true},
    {ALGORITHM_SEGMENTED_RING, SCHEDULE_RING, true}, /* without segmentation, as by default */
    {ALGORITHM_IN_ORDER_BINARY, SCHEDULE_BINARY, false},
    {ALGORITHM_SPLIT_BINARY, SCHEDULE_BINARY, false},
    {ALGORITHM_LINEAR_TWO_SEGMENTS, SCHEDULE_LINEAR, false},
    {ALGORITHM_BUTTERFLY, SCHEDULE_RECURSIVE_HALVING, false},
    {ALGORITHM_REDUCE_SCATTERV, SCHEDULE_PAIRWISE_SHIFT, false},
    {ALGORITHM_GATHERV_BCAST, SCHEDULE_RING, false},
};

static enum schedule_algorithm translate(struct choice *choice, parcast_collective collective,
                                         enum collective_algorithm algorithm, uint32_t n_ranks)
{
    enum schedule_algorithm own = schedule_algorithm_named(collective_algorithm_name(algorithm));
    bool exact = true;
    for (size_t i = 0; own == SCHEDULE_ALGORITHMS && i < sizeof stand_ins / sizeof stand_ins[0]; i++)
        if (stand_ins[i].algorithm == algorithm) {
            own = stand_ins[i].by;
            exact = stand_ins[i].exact;
        }
    if (own == SCHEDULE_ALGORITHMS || !schedule_has(collective, own, n_ranks)) {
        own = SCHEDULE_NAIVE;
        exact = false;
    }
    if (!exact && !choice->substituted[0])
        snprintf(choice->substituted, sizeof choice->substituted, "%s: %s stands for %s",
                 parcast_collective_name(collective), schedule_algorithm_name(own),
                 collective_algorithm_name(algorithm));
    return own;
}

enum schedule_algorithm choose_algorithm(struct choice *choice, const parcast_operation *o, uint32_t n_ranks)
{
    static const enum collective_operation operations[] = {
#define SAME(constant, name) [PARCAST_COLLECTIVE_##constant] = OPERATION_##constant,
        PARCAST_COLLECTIVE_LIST(SAME)
#undef SAME
    };
    enum schedule_algorithm forced = choice->forced[o->collective];
    if (forced != SCHEDULE_ALGORITHMS) return forced;
    if (choice->table == CHOOSE_NAIVE) return SCHEDULE_NAIVE;
    enum collective_library library = choice->table == CHOOSE_OPENMPI ? LIBRARY_OPENMPI : LIBRARY_MPICH;
    enum schedule_algorithm algorithm = translate(
        choice, o->collective,
        collective_decide(library, operations[o->collective], (int)n_ranks, decisive_bytes(o, n_ranks)),
        n_ranks);
    if (library == LIBRARY_MPICH && o->collective == PARCAST_COLLECTIVE_SCATTER &&
        algorithm == SCHEDULE_BINOMIAL)
        return SCHEDULE_BINOMIAL_DESCENDING;
    return algorithm;
}
