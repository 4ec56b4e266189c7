#include "valueflow/distribution/unfold_known.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t settled = PTHREAD_COND_INITIALIZER;

/* Multiply and fold, for each number in turn. Two graphs with one key would be cut alike, which is one more
 * candidate and no error. */
static uint64_t add(uint64_t key, const idx_t *numbers, size_t n)
{
    static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++) {
        key = (key ^ (uint64_t)numbers[i]) * odd;
        key ^= key >> 32;
    }
    return key;
}

uint64_t unfold_key(const struct shown *graph)
{
    size_t n = (size_t)graph->n;
    uint64_t key = add(n, graph->first, n + 1);
    key = add(key, graph->other, (size_t)graph->first[n]);
    key = add(key, graph->work, n);
    return add(key, graph->size, n);
}

static struct unfold_cut *make(const struct unfold *u, uint64_t key, double share)
{
    struct unfold_cut *cut = calloc(1, sizeof *cut + (size_t)u->n / 8 + 1);
    if (cut) *cut = (struct unfold_cut){.key = key, .share = share, .n = u->n};
    return cut;
}

struct unfold_cut *unfold_known(struct unfold *u, struct unfold_cut **cuts, double share, bool *is_there)
{
    uint64_t key = add(u->key, u->vertices, (size_t)u->n);
    pthread_mutex_lock(&held);
    struct unfold_cut *cut = *cuts;
    while (cut && (cut->key != key || cut->n != u->n || cut->share != share)) cut = cut->next;
    *is_there = cut;
    if (!cut && (cut = make(u, key, share))) {
        cut->next = *cuts;
        *cuts = cut;
    }
    while (*is_there && !cut->is_there) pthread_cond_wait(&settled, &held);
    pthread_mutex_unlock(&held);
    for (idx_t i = 0; *is_there && cut->is_placed && i < u->n; i++)
        u->best[u->vertices[i]] = cut->lower[i / 8] >> (i % 8) & 1;
    return cut;
}

void unfold_settle(const struct unfold *u, struct unfold_cut *cut, bool is_placed)
{
    for (idx_t i = 0; is_placed && i < u->n; i++)
        cut->lower[i / 8] |= (unsigned char)(u->best[u->vertices[i]] << (i % 8));
    pthread_mutex_lock(&held);
    cut->is_placed = is_placed;
    cut->is_there = true;
    pthread_cond_broadcast(&settled);
    pthread_mutex_unlock(&held);
}

void unfold_forget(struct unfold_cut *cuts)
{
    for (struct unfold_cut *next; cuts; cuts = next) {
        next = cuts->next;
        free(cuts);
    }
}
