#include "replay/choose.h"

#include <string.h>
#include <unistd.h>

static const char *const tables[] = {
    [CHOOSE_NAIVE] = "naive", [CHOOSE_MPICH] = "mpich", [CHOOSE_OPENMPI] = "openmpi"};
enum { N_TABLES = sizeof tables / sizeof tables[0] };

static bool read_table(struct choice *choice, const char *name)
{
    for (unsigned i = 0; i < N_TABLES; i++)
        if (strcmp(tables[i], name) == 0) {
            choice->table = (enum choose_table)i;
            return true;
        }
    return false;
}

/* A table's name, or a file, for which `choice` says already what its rules leave open. */
static parcast_status read_choice(struct choice *choice, const char *name, parcast_error *error)
{
    if (read_table(choice, name)) return PARCAST_OK;
    if (access(name, R_OK) != 0) {
        parcast_error_set(error, PARCAST_INVALID, NULL, 0, "no table of collectives '%s', and no such file",
                          name);
        parcast_error_hint(error, "there are naive, mpich and openmpi");
        return PARCAST_INVALID;
    }
    parcast_status status = rules_load(name, &choice->rules, error);
    choice->file = name;
    if (!status && choice->rules.table[0]) read_table(choice, choice->rules.table);
    return status;
}

static parcast_status no_algorithm(parcast_collective collective, const char *name, parcast_error *error)
{
    char known[512];
    rules_algorithms(collective, known, sizeof known);
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s has no algorithm '%s'",
                      parcast_collective_name(collective), name);
    parcast_error_hint(error, "it has %s", known);
    return PARCAST_INVALID;
}

/* Where nobody has chosen: the library of the recording has its own way. */
static struct choice by_recording(const char *mpi)
{
    bool known = collective_library_is_known(mpi), openmpi = collective_library_of(mpi) == LIBRARY_OPENMPI;
    return (struct choice){.table = known && openmpi ? CHOOSE_OPENMPI : CHOOSE_MPICH,
                           .from = known ? PARCAST_COLLECTIVES_RECORDING : PARCAST_COLLECTIVES_USUAL};
}

parcast_status choose_create(struct choice *choice, const parcast_replay_options *options,
                             const parcast_platform *platform, const char *mpi, parcast_error *error)
{
    const char *table = options->collectives, *of_platform = platform ? platform->network.collectives : NULL;
    parcast_status status = PARCAST_OK;
    *choice = by_recording(mpi);
    bool recorded = choice->from == PARCAST_COLLECTIVES_RECORDING;
    if (of_platform && platform->network.collectives_assumed && recorded) of_platform = NULL;
    if (table || of_platform) {
        choice->from = table ? PARCAST_COLLECTIVES_OPTION : PARCAST_COLLECTIVES_PLATFORM;
        status = read_choice(choice, table ? table : of_platform, error);
    }
    for (unsigned c = 0; c < PARCAST_COLLECTIVES && !status; c++) {
        const char *name = options->algorithms[c];
        choice->forced[c] = name ? collective_algorithm_named(name) : COLLECTIVE_ALGORITHMS;
        if (name && !schedule_has((parcast_collective)c, choice->forced[c], 2))
            status = no_algorithm((parcast_collective)c, name, error);
    }
    if (status) choose_destroy(choice);
    return status;
}

bool choose_tell(const struct choice *choice, const char *mpi, parcast_replay_collectives *told)
{
    *told = (parcast_replay_collectives){.from = choice->from, .table = tables[choice->table]};
    if (choice->file) told->file = strdup(choice->file);
    if (mpi) told->mpi = strdup(mpi);
    return (told->file || !choice->file) && (told->mpi || !mpi);
}

void choose_destroy(struct choice *choice)
{
    rules_destroy(&choice->rules);
}

/* What a decision looks at. */
struct call {
    parcast_collective collective;
    uint32_t n_ranks;
    double bytes; /* as the libraries' rules count them */
    double elements;
    bool unequal; /* blocks */
};

static bool has_vector(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_REDUCE ||
           c == PARCAST_COLLECTIVE_ALLREDUCE || c == PARCAST_COLLECTIVE_SCAN ||
           c == PARCAST_COLLECTIVE_EXSCAN || c == PARCAST_COLLECTIVE_BARRIER;
}

static bool has_neighbours(parcast_collective c)
{
    return c >= PARCAST_COLLECTIVE_NEIGHBOR_ALLGATHER;
}

/* A call of `collective` as the operation, or as a part of it, on the same data. */
static struct call call_of(const parcast_operation *o, parcast_collective collective, uint32_t n_ranks,
                           uint32_t all_ranks)
{
    double total = 0, element_bytes = o->element_bytes > 0 ? (double)o->element_bytes : 0;
    bool of_vector = has_vector(o->collective), all_blocks = collective == PARCAST_COLLECTIVE_REDUCE_SCATTER;
    uint32_t n_counts = has_neighbours(o->collective) ? o->n_destinations : all_ranks;
    bool unequal = false;
    for (uint32_t i = 0; o->counts && i < n_counts; i++) {
        total += (double)o->counts[i];
        unequal |= o->counts[i] != o->counts[0];
    }
    if (!o->counts) total = (double)o->bytes * (of_vector ? 1 : all_ranks);
    struct call call = {collective, n_ranks, total, element_bytes > 0 ? total / element_bytes : 0, unequal};
    if (!has_vector(collective) && !all_blocks) call.bytes /= all_ranks;
    return call;
}

static enum collective_operation operation_of(parcast_collective collective)
{
    static const enum collective_operation operations[] = {
#define SAME(constant, name) [PARCAST_COLLECTIVE_##constant] = OPERATION_##constant,
        PARCAST_COLLECTIVE_LIST(SAME)
#undef SAME
    };
    return operations[collective];
}

static enum collective_library library_of(const struct choice *choice)
{
    return choice->table == CHOOSE_OPENMPI ? LIBRARY_OPENMPI : LIBRARY_MPICH;
}

/* SimGrid's default. Alltoall goes by Open MPI's decisions as far as it has their algorithms; reduce_scatter
   of unequal blocks by MPICH's of old, counted in elements. */
static enum collective_algorithm naive(const struct call *call)
{
    const double few_elements = 524288;
    if (call->collective == PARCAST_COLLECTIVE_ALLTOALL) {
        enum collective_algorithm algorithm = collective_decide(
            LIBRARY_OPENMPI, OPERATION_ALLTOALL, (int)call->n_ranks, call->bytes, call->elements);
        bool power_of_two = (call->n_ranks & (call->n_ranks - 1)) == 0;
        if (algorithm == ALGORITHM_PAIRWISE_SHIFT && power_of_two) algorithm = ALGORITHM_PAIRWISE_XOR;
        bool pairs = algorithm == ALGORITHM_PAIRWISE_SHIFT || algorithm == ALGORITHM_PAIRWISE_XOR;
        return pairs || algorithm == ALGORITHM_BRUCK ? algorithm : ALGORITHM_NAIVE;
    }
    if (call->collective == PARCAST_COLLECTIVE_REDUCE_SCATTER && call->unequal)
        return (call->elements > 0 ? call->elements : call->bytes) > few_elements
                   ? ALGORITHM_PAIRWISE_SHIFT
                   : ALGORITHM_RECURSIVE_DOUBLING_UNFOLDED;
    return ALGORITHM_NAIVE;
}

/* *by_library: it is the library's choice, not the user's. */
static enum collective_algorithm algorithm_for(const struct choice *choice, const struct call *call,
                                               int64_t *segment_bytes, bool *by_library)
{
    enum collective_algorithm forced = choice->forced[call->collective];
    const struct rule *rule = rules_find(&choice->rules, call->collective, call->n_ranks, call->bytes);
    *by_library = false;
    *segment_bytes = 0;
    if (forced != COLLECTIVE_ALGORITHMS) return forced;
    if (rule) {
        *segment_bytes = rule->segment_bytes;
        return rule->algorithm;
    }
    if (choice->table == CHOOSE_NAIVE) return naive(call);
    *by_library = true;
    return collective_decide(library_of(choice), operation_of(call->collective), (int)call->n_ranks,
                             call->bytes, call->elements);
}

struct schedule_plan choose_plan(const struct choice *choice, const parcast_operation *o, uint32_t n_ranks,
                                 const struct schedule_nodes *nodes)
{
    const struct call call = call_of(o, o->collective, n_ranks, n_ranks);
    struct schedule_plan plan = {.hierarchy = HIERARCHY_FLAT};
    parcast_collective parts[2];
    int64_t segment_bytes;
    bool by_library, of_part;
    plan.algorithm = algorithm_for(choice, &call, &plan.segment_bytes, &by_library);
    if (by_library && nodes)
        plan.hierarchy =
            collective_hierarchy_of(library_of(choice), operation_of(o->collective), (int)n_ranks,
                                    (int)nodes->n_nodes, nodes->consecutive, call.bytes);
    if (plan.hierarchy != HIERARCHY_FLAT) {
        const struct call leaders = call_of(o, o->collective, nodes->n_nodes, n_ranks);
        plan.parts[0] = ALGORITHM_KARY;
        plan.parts[1] = algorithm_for(choice, &leaders, &segment_bytes, &of_part);
    } else if (schedule_is_composed(o->collective, plan.algorithm, parts)) {
        for (int i = 0; i < 2; i++) {
            const struct call part = call_of(o, parts[i], n_ranks, n_ranks);
            plan.parts[i] = algorithm_for(choice, &part, &segment_bytes, &of_part);
        }
    }
    return plan;
}

bool choose_fits(const struct schedule_plan *plan, parcast_collective collective, uint32_t n_ranks,
                 const struct schedule_nodes *nodes, enum collective_algorithm *missing)
{
    parcast_collective parts[2];
    *missing = plan->algorithm;
    if (plan->hierarchy != HIERARCHY_FLAT) {
        *missing = plan->parts[1];
        return schedule_has(collective, plan->parts[1], nodes->n_nodes);
    }
    if (!schedule_has(collective, plan->algorithm, n_ranks)) return false;
    if (!schedule_is_composed(collective, plan->algorithm, parts)) return true;
    for (int i = 0; i < 2; i++) {
        *missing = plan->parts[i];
        if (!schedule_has(parts[i], plan->parts[i], n_ranks)) return false;
    }
    return true;
}
