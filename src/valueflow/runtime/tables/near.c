#include "valueflow/runtime/tables/near.h"

#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/tables/ahead.h"
#include "valueflow/runtime/tables/room.h"
#include "valueflow/runtime/tables/vector.h"

enum { PER_LINE = 5, MOST_PER_LINE = 3 /* on average */, FIRST_LINES = 256 };

struct vf_near_line {
    struct vf_near_entry entry[PER_LINE]; /* free ones behind all others */
    uint32_t is_full;                     /* there are more, in the hash */
};
_Static_assert(sizeof(struct vf_near_line) == 64, "a line of the cache");

static struct vf_near_line *line_at(const struct vf_near *near, uint32_t place)
{
    return &near->lines[place & (near->n_lines - 1)];
}

static inline bool has_key(const struct vf_near_entry *entry, uint32_t key, uint32_t more)
{
    return entry->key[0] == key && entry->key[1] == more;
}

static uint32_t *find_far(struct vf_near *near, uint32_t key, uint32_t more)
{
    uint32_t whole[2] = {key, more};
    return vf_hash_at(&near->far, whole);
}

uint32_t vf_near_find(struct vf_near *near, uint32_t place, uint32_t key, uint32_t more)
{
    if (!near->n_lines) return 0;
    const struct vf_near_line *line = line_at(near, place);
    for (int i = 0; i < PER_LINE; i++)
        if (has_key(&line->entry[i], key, more)) return line->entry[i].content;
    return line->is_full ? *find_far(near, key, more) : 0;
}

static void take_in(struct vf_near *near, const struct vf_near_entry *entry)
{
    struct vf_near_entry *to = line_at(near, near->place(entry))->entry;
    while (to->content) to++;
    *to = *entry;
}

/* Twice as many lines in the same place: what is in one stays there or goes as many further as there were.
 * What is in the hash may be of either. */
static void split(struct vf_near *near, size_t i, size_t old)
{
    struct vf_near_line before = near->lines[i];
    near->lines[i] = near->lines[i + old] = (struct vf_near_line){.is_full = before.is_full};
    for (int k = 0; k < PER_LINE && before.entry[k].content; k++) take_in(near, &before.entry[k]);
}

static void ask_ahead(const struct vf_near *near)
{
    size_t bytes = near->n_lines * sizeof *near->lines;
    vf_ahead((char *)near->lines + bytes, bytes, vf_mapped_bytes());
}

static void grow(struct vf_near *near)
{
    size_t old = near->n_lines, bytes = sizeof *near->lines;
    vf_memory_expect(old * bytes);
    near->n_lines = old ? 2 * old : FIRST_LINES;
    near->lines = old ? vf_remap(near->lines, old * bytes, 2 * old * bytes) : vf_map(FIRST_LINES * bytes);
    near->n_ahead = vf_has_room(near->lines) ? near->n_lines * MOST_PER_LINE / 8 * 7 : 0;
    for (size_t i = 0; i < old; i++) split(near, i, old);
}

static void put_far(struct vf_near *near, const struct vf_near_entry *entry)
{
    uint32_t *at = find_far(near, entry->key[0], entry->key[1]);
    if (!*at) vf_hash_added(&near->far);
    *at = entry->content;
}

void vf_near_put(struct vf_near *near, const struct vf_near_entry *entry)
{
    if (near->n >= near->n_lines * MOST_PER_LINE) grow(near);
    struct vf_near_line *line = line_at(near, near->place(entry));
    for (int i = 0; i < PER_LINE; i++) {
        struct vf_near_entry *to = &line->entry[i];
        if (to->content && !has_key(to, entry->key[0], entry->key[1])) continue;
        if (!to->content && ++near->n == near->n_ahead) ask_ahead(near);
        *to = *entry;
        return;
    }
    line->is_full = 1;
    put_far(near, entry);
}

void vf_near_empty(struct vf_near *near)
{
    vf_empty(near->lines, near->n_lines * sizeof *near->lines);
    vf_hash_empty(&near->far);
}
