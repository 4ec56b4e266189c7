#include "valueflow/load/names.h"

#include <stdlib.h>
#include <string.h>

/* The two lines of an object's name. */
struct named {
    struct vf_dump_object *object;
    const char *own, *outer;
    size_t own_length, outer_length;
};

static int compare_texts(const char *a, size_t n, const char *b, size_t m)
{
    int order = memcmp(a, b, n < m ? n : m);
    return order ? order : (n > m) - (n < m);
}

static int by_own(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = compare_texts(x->own, x->own_length, y->own, y->own_length);
    return order ? order : compare_texts(x->outer, x->outer_length, y->outer, y->outer_length);
}

/* Those with a second line, sorted. */
static size_t find(struct values_file *file, struct named *found)
{
    size_t n = 0;
    for (uint64_t i = 1; i < file->header.n_objects; i++) {
        struct vf_dump_object *o = &file->objects[i];
        const char *name = file->names + o->name,
                   *end = o->name_length ? memchr(name, '\n', o->name_length) : NULL;
        if (!end) continue;
        size_t own = (size_t)(end - name);
        found[n++] = (struct named){o, name, end + 1, own, o->name_length - own - 1};
    }
    if (n) qsort(found, n, sizeof *found, by_own);
    return n;
}

bool names_choose(struct values_file *file)
{
    struct named *found = malloc((file->header.n_objects + 1) * sizeof *found);
    if (!found) return false;
    size_t n = find(file, found);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && compare_texts(found[end].own, found[end].own_length, found[i].own,
                                                   found[i].own_length) == 0;)
            end++;
        const struct named *last = &found[end - 1];
        bool are_several =
            compare_texts(found[i].outer, found[i].outer_length, last->outer, last->outer_length) != 0;
        for (size_t j = i; j < end; j++) {
            struct vf_dump_object *o = found[j].object;
            if (are_several) o->name = (uint32_t)(found[j].outer - file->names);
            o->name_length = (uint32_t)(are_several ? found[j].outer_length : found[j].own_length);
        }
    }
    free(found);
    return true;
}
