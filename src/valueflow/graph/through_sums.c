/*
 * What a register holds of a few sums, their quotient say, is a result: many that read it need one word and
 * not two. It goes through as the sums where these are no more than what is computed of them, as they are
 * where two means and what comes of both are needed, or where its readers read them anyway.
 */
#include <stdlib.h>

#include "valueflow/graph/through.h"
#include "valueflow/runtime/blocks/object_kind.h"

static bool are_of_sums(const struct vf_dump_object *object)
{
    return object->kind == VF_RESULT && object->bytes == VF_OF_SUMS;
}

uint64_t through_count_of_sums(const struct values_file *file)
{
    uint64_t n = 0;
    for (uint64_t i = 1; i < file->header.n_objects; i++)
        if (are_of_sums(&file->objects[i])) n += file->objects[i].words[VF_RESULTS].n;
    return n;
}

void through_add_of_sums(struct through *t)
{
    const struct values_file *file = t->u->file;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        const struct vf_dump_span *span = &file->objects[i].words[VF_RESULTS];
        for (uint32_t j = 0; are_of_sums(&file->objects[i]) && j < span->n; j++) {
            through_add(t, span->first + j, VF_FEW);
            t->values[t->number[span->first + j] - 1].is_of_sums = true;
        }
    }
}

parcast_status through_keep_of_sums(struct through *t)
{
    return through_count_of_sums(t->u->file) ? through_keep_fewer(t, true) : PARCAST_OK;
}
