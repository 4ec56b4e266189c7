/*
 * The main loop of every rank: the longest repetition among its calls.
 *
 *     calls    a b c  d e f g  d e f g  d e f g  h
 *              0      3        7        11       15       first 3, length 4, 3 rounds
 *
 * A loop of length p shows in calls that are equal to those p further on. Which p: the distances from each
 * short run of calls to where it comes next; those that are frequent, and the longest that come twice, are
 * tried. A loop that lies in another has shorter distances, but its repetition is broken by the outer one's
 * other calls, so that the outer one covers more.
 */
#include <stdlib.h>
#include <string.h>

#include "replay/phases.h"

enum { MOST_CALLS = 1 << 20, CONTEXT = 4, MOST_TRIED = 16, FEWEST_ROUNDS = 3 };

struct calls {
    uint64_t *signatures; /* [n] */
    uint32_t n, room;
    bool cut; /* there are more than we look at */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What makes two calls the same, amounts apart. */
static uint64_t signature_of(const parcast_operation *o)
{
    uint64_t hash = mix(mix(1, (uint64_t)o->kind), o->communicator);
    if (o->kind == PARCAST_OPERATION_COLLECTIVE)
        return mix(mix(hash, (uint64_t)o->collective), (uint64_t)o->root);
    if (o->kind == PARCAST_OPERATION_WAIT || o->kind == PARCAST_OPERATION_WAITALL) return hash;
    hash = mix(mix(hash, (uint32_t)o->peer), (uint32_t)o->tag);
    return mix(mix(hash, (uint32_t)o->source), (uint32_t)o->source_tag);
}

static bool add_call(struct calls *calls, const parcast_operation *o)
{
    if (calls->n == calls->room) {
        uint32_t room = calls->room ? 2 * calls->room : 1024;
        uint64_t *signatures = realloc(calls->signatures, room * sizeof *signatures);
        if (!signatures) return false;
        calls->signatures = signatures;
        calls->room = room;
    }
    calls->signatures[calls->n++] = signature_of(o);
    return true;
}

static parcast_status read_calls(const parcast_operation_source *source, int rank, struct calls *calls,
                                 parcast_error *error)
{
    calls->n = 0;
    calls->cut = false;
    for (;;) {
        parcast_operation o;
        parcast_status status = source->next(source->state, rank, &o, error);
        if (status || o.kind == PARCAST_OPERATION_END) return status;
        if (!phases_is_call(&o)) continue;
        calls->cut = calls->n == MOST_CALLS;
        if (calls->cut) return PARCAST_OK;
        if (!add_call(calls, &o)) return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory");
    }
}

/* Distances to the next occurrence, and how often each comes. */

struct distance {
    uint32_t length, count;
};

static uint64_t context_at(const struct calls *calls, uint32_t i)
{
    uint64_t hash = 0;
    for (uint32_t k = 0; k < CONTEXT; k++) hash = mix(hash, calls->signatures[i + k]);
    return hash;
}

struct seen {
    uint64_t context;
    uint32_t position; /* + 1; 0: free */
};

/* counts[length] goes up for each distance; seen: [mask + 1] places, where a context was last. */
static void count_distances(const struct calls *calls, struct seen *seen, uint32_t mask, uint32_t *counts)
{
    for (uint32_t i = 0; i + CONTEXT <= calls->n; i++) {
        uint64_t context = context_at(calls, i);
        uint32_t at = (uint32_t)(context >> 16) & mask;
        while (seen[at].position && seen[at].context != context) at = (at + 1) & mask;
        if (seen[at].position) counts[i + 1 - seen[at].position]++;
        seen[at] = (struct seen){context, i + 1};
    }
}

static void keep_frequent(struct distance *kept, uint32_t *n, struct distance distance)
{
    uint32_t least = 0;
    if (*n < MOST_TRIED) {
        kept[(*n)++] = distance;
        return;
    }
    for (uint32_t i = 1; i < *n; i++)
        if (kept[i].count < kept[least].count) least = i;
    if (kept[least].count < distance.count) kept[least] = distance;
}

/* The most frequent distances, and the longest that come at least twice: chosen[2 * MOST_TRIED]. */
static uint32_t choose_distances(const uint32_t *counts, uint32_t n, struct distance *chosen)
{
    uint32_t n_frequent = 0, n_chosen;
    for (uint32_t length = 1; length < n; length++)
        if (counts[length] >= 2)
            keep_frequent(chosen, &n_frequent, (struct distance){length, counts[length]});
    n_chosen = n_frequent;
    for (uint32_t length = n; length-- > 1 && n_chosen < n_frequent + MOST_TRIED;)
        if (counts[length] >= 2) chosen[n_chosen++] = (struct distance){length, counts[length]};
    return n_chosen;
}

/* The longest run of calls that are equal to those `length` further on. */
static parcast_replay_loop longest_run(const struct calls *calls, uint32_t length)
{
    uint32_t best = 0, best_first = 0, run = 0;
    for (uint32_t i = 0; i + length < calls->n; i++) {
        run = calls->signatures[i] == calls->signatures[i + length] ? run + 1 : 0;
        if (run <= best) continue;
        best = run;
        best_first = i + 1 - run;
    }
    return (parcast_replay_loop){best_first, length, best / length + 1};
}

static uint64_t covered(const parcast_replay_loop *loop)
{
    return loop->length * loop->n_rounds;
}

/* Of those that cover the most, within a tenth, the shortest: twice a loop is a loop too. */
static parcast_replay_loop best_loop(const struct calls *calls, const struct distance *tried,
                                     uint32_t n_tried)
{
    parcast_replay_loop loops[2 * MOST_TRIED], best = {0};
    uint64_t most = 0;
    for (uint32_t i = 0; i < n_tried; i++) {
        loops[i] = longest_run(calls, tried[i].length);
        if (loops[i].n_rounds >= FEWEST_ROUNDS && covered(&loops[i]) > most) most = covered(&loops[i]);
    }
    for (uint32_t i = 0; i < n_tried; i++)
        if (loops[i].n_rounds >= FEWEST_ROUNDS && covered(&loops[i]) >= most - most / 10 &&
            (best.n_rounds == 0 || loops[i].length < best.length))
            best = loops[i];
    return 2 * most >= calls->n ? best : (parcast_replay_loop){0};
}

static bool find_loop(const struct calls *calls, parcast_replay_loop *loop)
{
    uint32_t mask = 1023;
    *loop = (parcast_replay_loop){0};
    if (calls->n < CONTEXT) return true;
    while (mask < 2 * calls->n) mask = 2 * mask + 1;
    struct seen *seen = calloc((size_t)mask + 1, sizeof *seen);
    uint32_t *counts = calloc((size_t)calls->n + 1, sizeof *counts);
    bool fine = seen && counts;
    if (fine) {
        struct distance tried[2 * MOST_TRIED];
        count_distances(calls, seen, mask, counts);
        *loop = best_loop(calls, tried, choose_distances(counts, calls->n, tried));
    }
    free(seen);
    free(counts);
    return fine;
}

/* Ranks must go round together. One whose loop is several rounds of the others' at once would have fewer; the
   others then take as many at once. Ends may differ by a round. */
static bool agree(parcast_replay_loop *loops, int n_ranks)
{
    uint64_t fewest = UINT64_MAX;
    for (int r = 0; r < n_ranks; r++)
        if (loops[r].n_rounds < fewest) fewest = loops[r].n_rounds;
    if (fewest < FEWEST_ROUNDS) return false;
    for (int r = 0; r < n_ranks; r++) {
        uint64_t several = (loops[r].n_rounds + fewest / 2) / fewest, rest = loops[r].n_rounds % several;
        loops[r].length *= several;
        loops[r].n_rounds = (loops[r].n_rounds - rest) / several;
        if (loops[r].n_rounds > fewest + 1) return false;
        if (loops[r].n_rounds < fewest) fewest = loops[r].n_rounds;
    }
    for (int r = 0; r < n_ranks; r++) loops[r].n_rounds = fewest;
    return fewest >= FEWEST_ROUNDS;
}

parcast_status parcast_replay_find_loops(const parcast_operation_source *source, parcast_replay_loop **loops,
                                         parcast_error *error)
{
    struct calls calls = {0};
    size_t n = (size_t)source->n_ranks;
    bool cut = false;
    parcast_replay_loop *found = calloc(n, sizeof *found);
    parcast_status status =
        found ? PARCAST_OK : parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for loops");
    for (int r = 0; r < source->n_ranks && !status; r++) {
        status = read_calls(source, r, &calls, error);
        cut |= calls.cut;
        if (!status && !find_loop(&calls, &found[r]))
            status = parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for loops");
    }
    free(calls.signatures);
    if (status) {
        free(found);
        return status;
    }
    if (!agree(found, source->n_ranks)) memset(found, 0, n * sizeof *found);
    for (int r = 0; r < source->n_ranks && cut; r++) /* they go on beyond what we have looked at */
        if (found[r].n_rounds) found[r].n_rounds = UINT64_MAX;
    *loops = found;
    return PARCAST_OK;
}
