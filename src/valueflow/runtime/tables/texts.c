#include "valueflow/runtime/tables/texts.h"

#include "valueflow/runtime/tables/vector.h"

const char **vf_texts_at(struct vf_texts *texts, const uint32_t *key)
{
    uint32_t *number = vf_hash_at(&texts->number, key);
    if (!*number) {
        texts->text = vf_grow(texts->text, &texts->capacity, sizeof *texts->text, texts->n);
        texts->text[texts->n] = NULL;
        *number = ++texts->n;
        vf_hash_added(&texts->number);
        return &texts->text[texts->n - 1];
    }
    return &texts->text[*number - 1];
}
