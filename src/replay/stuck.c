#include "replay/stuck.h"

#include <stdio.h>
#include <string.h>

/* Follow who waits for whom; after n_ranks steps without an end we stand on a cycle. */
static void hint_at_cycle(const struct stuck *s, uint32_t from, parcast_error *error)
{
    enum { ROOM_FOR_A_STEP = 40 };
    int64_t rank = from;
    char text[256];
    for (uint32_t step = 0; step < s->n_ranks && rank >= 0; step++)
        rank = s->waits_for(s->state, (uint32_t)rank);
    if (rank < 0) {
        parcast_error_hint(error, "%s", s->cure);
        return;
    }
    size_t used = (size_t)snprintf(text, sizeof text, "%lld", (long long)rank);
    int64_t next = rank;
    do {
        next = s->waits_for(s->state, (uint32_t)next);
        if (used + ROOM_FOR_A_STEP > sizeof text) {
            snprintf(text + used, sizeof text - used, " -> ...");
            break;
        }
        used += (size_t)snprintf(text + used, sizeof text - used, " -> %lld", (long long)next);
    } while (next != rank);
    parcast_error_hint(error, "a cycle of ranks that wait for each other: %s", text);
}

static parcast_status report(const struct stuck *s, uint32_t first, const char *source, parcast_error *error)
{
    char text[480] = "";
    size_t used = 0;
    uint32_t n_named = 0, n_stuck = 0;
    bool full = false;
    for (uint32_t r = first; r < s->n_ranks; r++) {
        char line[160];
        if (s->is_done(s->state, r)) continue;
        n_stuck++;
        if (full) continue; /* to describe a rank may take long */
        s->describe(s->state, r, line, sizeof line);
        full = used + strlen(line) + 32 > sizeof text;
        if (full) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", n_named ? "; " : "", line);
        n_named++;
    }
    if (n_named < n_stuck)
        snprintf(text + used, sizeof text - used, "; and %u more ranks", n_stuck - n_named);
    parcast_error_set(error, PARCAST_DATA, source, 0, "deadlock: %s", text);
    hint_at_cycle(s, first, error);
    return PARCAST_DATA;
}

parcast_status stuck_check(const struct stuck *s, const char *source, parcast_error *error)
{
    for (uint32_t r = 0; r < s->n_ranks; r++)
        if (!s->is_done(s->state, r)) return report(s, r, source, error);
    return PARCAST_OK;
}
