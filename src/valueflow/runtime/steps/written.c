#include "valueflow/runtime/steps/written.h"

#include <stddef.h>
#include <stdint.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/tables/vector.h"

/* What every vertex had computed at the last note: the low bits of its work, and above them in which of the
 * last iterations that grew, the last one first. */
enum { WORK_BITS = 32 - VF_WRITTEN_BEFORE };
static uint32_t *noted, n_noted;
static size_t capacity;

static uint32_t low_work(uint32_t v)
{
    return vf_vertices[v].work & (UINT32_MAX >> VF_WRITTEN_BEFORE);
}

static uint32_t noted_work(uint32_t v)
{
    return noted[v] & (UINT32_MAX >> VF_WRITTEN_BEFORE);
}

/* In the last `before` iterations? */
static bool was_computed(uint32_t v, uint32_t before)
{
    return noted[v] >> (32 - before);
}

void vf_written_note(void)
{
    n_noted = vf_vertices_size();
    noted = vf_grow_exact(noted, &capacity, sizeof *noted, n_noted);
    for (uint32_t v = 0; v < n_noted; v++) {
        uint32_t grew = (uint32_t)(noted_work(v) != low_work(v)) << (VF_WRITTEN_BEFORE - 1),
                 before = noted[v] >> WORK_BITS;
        noted[v] = (grew | before >> 1) << WORK_BITS | low_work(v);
    }
}

bool vf_written_is_noted(void)
{
    return noted;
}

double vf_written_share(uint32_t before)
{
    uint64_t computed = 0, written = 0;
    for (uint32_t v = 1; v < n_noted; v++) {
        if (!was_computed(v, before)) continue;
        computed++;
        written += low_work(v) != noted_work(v);
    }
    return computed ? (double)written / (double)computed : 0;
}
