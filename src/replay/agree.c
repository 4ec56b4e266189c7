#include "replay/agree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    struct agree_call call;
    uint32_t n_passed;
};

struct agree_communicator {
    uint32_t number, first, n_members;
    const int32_t *members;
    struct place *places; /* a ring: [room] of the places from `base` on */
    uint32_t room;        /* a power of two; 0: none yet */
    uint64_t base, end;   /* places that not all have passed */
    uint64_t made[];      /* [n_members] */
};

/* ---- what must agree ---- */

static bool has_root(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_REDUCE ||
           c == PARCAST_COLLECTIVE_GATHER || c == PARCAST_COLLECTIVE_GATHERV ||
           c == PARCAST_COLLECTIVE_SCATTER || c == PARCAST_COLLECTIVE_SCATTERV;
}

/* Of blocks a rank may know nothing: MPI_IN_PLACE, parameters that matter at the root only. */
static bool has_one_size(parcast_collective c)
{
    return c == PARCAST_COLLECTIVE_BCAST || c == PARCAST_COLLECTIVE_REDUCE ||
           c == PARCAST_COLLECTIVE_ALLREDUCE || c == PARCAST_COLLECTIVE_SCAN ||
           c == PARCAST_COLLECTIVE_EXSCAN;
}

struct agree_call agree_call_of(const parcast_operation *o, uint32_t rank)
{
    return (struct agree_call){.collective = o->collective,
                               .blocks = o->kind == PARCAST_OPERATION_COLLECTIVE,
                               .rank = rank,
                               .root = has_root(o->collective) ? o->root : 0,
                               .bytes = has_one_size(o->collective) ? o->bytes : -1,
                               .line = o->line};
}

bool agree_differs(const struct agree_call *call, const struct agree_call *other, const char *who, char *text,
                   size_t size)
{
    const char *name = parcast_collective_name(other->collective);
    if (call->collective != other->collective)
        snprintf(text, size, "in its place %s calls %s", who, name);
    else if (call->blocks != other->blocks)
        snprintf(text, size, "in its place %s calls the one that %s", who,
                 other->blocks ? "blocks" : "does not block");
    else if (call->root != other->root)
        snprintf(text, size, "its root is %d, and %d where %s calls it", call->root, other->root, who);
    else if (call->bytes != other->bytes)
        snprintf(text, size, "it has %lld bytes, and %lld where %s calls it", (long long)call->bytes,
                 (long long)other->bytes, who);
    else
        return false;
    return true;
}

/* ---- communicators ---- */

static struct agree_communicator **slot_of(const struct agreement *a, uint32_t number, uint32_t first,
                                           uint32_t n_members)
{
    uint32_t at = (number * UINT32_C(2654435769)) ^ (first * UINT32_C(2246822519));
    for (;; at++) {
        struct agree_communicator **slot = &a->table[at & (a->room - 1)];
        if (!*slot ||
            ((*slot)->number == number && (*slot)->first == first && (*slot)->n_members == n_members))
            return slot;
    }
}

static bool grow(struct agreement *a)
{
    struct agreement bigger = {.room = a->room ? 2 * a->room : 16, .n = a->n};
    if (2 * a->n < a->room) return true;
    bigger.table = calloc(bigger.room, sizeof(struct agree_communicator *));
    if (!bigger.table) return false;
    for (uint32_t i = 0; i < a->room; i++) {
        struct agree_communicator *c = a->table[i];
        if (c) *slot_of(&bigger, c->number, c->first, c->n_members) = c;
    }
    free(a->table);
    *a = bigger;
    return true;
}

static struct agree_communicator *find(struct agreement *a, const parcast_operation *o, uint32_t n_members)
{
    uint32_t first = o->members ? (uint32_t)o->members[0] : 0;
    if (!grow(a)) return NULL;
    struct agree_communicator **slot = slot_of(a, o->communicator, first, n_members);
    if (*slot) return *slot;
    struct agree_communicator *c = calloc(1, sizeof *c + n_members * sizeof c->made[0]);
    if (!c) return NULL;
    c->number = o->communicator;
    c->first = first;
    c->n_members = n_members;
    c->members = o->members;
    *slot = c;
    a->n++;
    return c;
}

/* ---- places ---- */

static struct place *place_at(const struct agree_communicator *c, uint64_t number)
{
    return &c->places[number & (c->room - 1)];
}

static bool make_room(struct agree_communicator *c)
{
    struct agree_communicator bigger = {.room = c->room ? 2 * c->room : 8};
    if (c->end - c->base < c->room) return true;
    bigger.places = malloc(bigger.room * sizeof *bigger.places);
    if (!bigger.places) return false;
    for (uint64_t i = c->base; i < c->end; i++) *place_at(&bigger, i) = *place_at(c, i);
    free(c->places);
    c->places = bigger.places;
    c->room = bigger.room;
    return true;
}

bool agree_enter(struct agreement *a, const parcast_operation *o, uint32_t rank, uint32_t n_members,
                 struct agree_call *other)
{
    uint32_t self = o->members ? o->self : rank;
    struct agree_communicator *c = find(a, o, n_members);
    *other = agree_call_of(o, rank);
    if (!c) return false;
    uint64_t number = c->made[self]++;
    if (number == c->end) {
        if (!make_room(c)) return false;
        *place_at(c, c->end++) = (struct place){.call = *other};
    }
    struct place *place = place_at(c, number);
    *other = place->call;
    place->n_passed++;
    while (c->base < c->end && place_at(c, c->base)->n_passed == n_members) c->base++;
    return true;
}

/* ---- in the end ---- */

static bool find_absent(const struct agree_communicator *c, bool (*ended)(const void *, uint32_t),
                        const void *state, struct agree_missing *missing)
{
    for (uint32_t i = 0; i < c->n_members; i++) {
        uint32_t rank = c->members ? (uint32_t)c->members[i] : i;
        if (c->made[i] > c->base || !ended(state, rank)) continue;
        *missing =
            (struct agree_missing){place_at(c, c->base)->call, c->number, rank, c->base + 1, c->made[i]};
        return true;
    }
    return false;
}

bool agree_find_missing(const struct agreement *a, bool (*ended)(const void *, uint32_t), const void *state,
                        struct agree_missing *missing)
{
    for (uint32_t i = 0; i < a->room; i++) {
        const struct agree_communicator *c = a->table[i];
        if (c && c->base < c->end && find_absent(c, ended, state, missing)) return true;
    }
    return false;
}

void agree_destroy(struct agreement *a)
{
    for (uint32_t i = 0; i < a->room; i++)
        if (a->table[i]) {
            free(a->table[i]->places);
            free(a->table[i]);
        }
    free(a->table);
    *a = (struct agreement){0};
}
