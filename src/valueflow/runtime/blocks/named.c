/*
 * What a function of the program's own has allocated is called as its caller calls it: what it returns or
 * puts into a variable, and the rows that a table of pointers leads to. Members of a structure keep the names
 * that they have where they are allocated, and get a second one from the variable that leads to the
 * structure, "u.data", which counts where the same place has allocated for several variables (load/names.c).
 */
#include <stdio.h>
#include <string.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/tables/texts.h"
#include "valueflow/runtime/tables/vector.h"

enum { MOST_OF_TABLE = 1 << 20, MOST_DEPTH = 4, MOST_NAME = 100 };

/* One naming: `name` is what the caller writes, for what has been made since there were `before` blocks. */
struct naming {
    const char *name;
    uint32_t before;
    bool is_last; /* no caller names it once more */
    const struct vf_block *top;
};

static bool is_new(const struct naming *naming, const struct vf_block *block)
{
    return block && block->kind == VF_HEAP &&
           block->number - naming->before - 1 < parcast_vf_blocks() - naming->before;
}

static void set_name(struct vf_block *block, const char *name)
{
    block->name = name;
    if (block->object) vf_object_rename(block);
}

/* ---- texts: "u at heat.c:12 (main)", and a second one in a line of its own ---- */

struct text {
    const char *start;
    int length;
};

static struct text first_line(const char *name)
{
    return (struct text){name, (int)strcspn(name, "\n")};
}

static struct text last_line(const char *name)
{
    const char *second = strchr(name, '\n');
    const char *start = second ? second + 1 : name;
    return (struct text){start, (int)strlen(start)};
}

/* What comes before " at ". */
static struct text variable_of(struct text line)
{
    const char *end = strstr(line.start, " at ");
    bool is_within = end && end - line.start < line.length;
    return (struct text){line.start, is_within ? (int)(end - line.start) : 0};
}

static bool are_equal(struct text a, struct text b)
{
    return a.length == b.length && memcmp(a.start, b.start, (size_t)a.length) == 0;
}

/* Of one variable? */
static bool are_alike(const char *a, const char *b)
{
    if (!a || !b) return false;
    struct text x = variable_of(first_line(a));
    return x.length && are_equal(x, variable_of(first_line(b)));
}

/* "data at vector.c:3 (make)" and "u at main.c:7 (main)" make "data at vector.c:3 (make)\nu.data at main.c:7
 * (main)"; NULL where that would be too long. */
static const char *write_part(const char *around, const char *name)
{
    struct text own = first_line(name), inner = variable_of(last_line(name)), outer = last_line(around),
                variable = variable_of(outer);
    if (!variable.length || variable.length + inner.length > MOST_NAME) return NULL;
    size_t size = (size_t)own.length + (size_t)inner.length + (size_t)outer.length + 3;
    char *text = vf_text(size);
    snprintf(text, size, "%.*s\n%.*s%s%.*s%.*s", own.length, own.start, variable.length, variable.start,
             inner.length ? "." : "", inner.length, inner.start, outer.length - variable.length,
             outer.start + variable.length);
    return text;
}

static const char *name_of_part(const char *around, const char *name)
{
    static struct vf_texts written = {.number.width = 4};
    uintptr_t a = (uintptr_t)around, b = (uintptr_t)name;
    uint32_t key[4] = {(uint32_t)a, (uint32_t)(a >> 32), (uint32_t)b, (uint32_t)(b >> 32)};
    const char **text = vf_texts_at(&written, key);
    if (!*text) *text = write_part(around, name);
    return *text;
}

/* Has it been named from the same variable just now? */
static bool is_named(const struct naming *naming, const char *name)
{
    struct text line = last_line(name), around = last_line(naming->name), variable = variable_of(around),
                site = {around.start + variable.length, around.length - variable.length};
    return strchr(name, '\n') && line.length > around.length &&
           are_equal((struct text){line.start, variable.length}, variable) &&
           are_equal((struct text){line.start + line.length - site.length, site.length}, site);
}

/* ---- what pointers lead to ---- */

static struct vf_block *led_to(const struct naming *naming, const uintptr_t *words, size_t i)
{
    struct vf_block *block = words[i] ? vf_blocks_find(words[i]) : NULL;
    bool is_within =
        block && (uintptr_t)words >= block->base && (uintptr_t)words < block->base + block->bytes;
    return is_new(naming, block) && !is_within ? block : NULL;
}

/* Are they pointers into one block, or into blocks of one name, and nothing else? */
static bool is_table(const struct naming *naming, const uintptr_t *words, size_t n)
{
    const struct vf_block *first = n ? led_to(naming, words, 0) : NULL;
    for (size_t i = 1; first && i < n; i++) {
        const struct vf_block *block = led_to(naming, words, i);
        if (!block || (block != first && !are_alike(first->name, block->name))) return false;
    }
    return first != NULL;
}

static void lead_on(const struct naming *naming, const struct vf_block *block, const char *old, int depth);

/* As the table that leads to it is called by now. */
static void name_row(const struct naming *naming, const char *table, struct vf_block *row, int depth)
{
    const char *old = row->name;
    if (old == table) return;
    set_name(row, table);
    lead_on(naming, row, old, depth + 1);
}

/* Elements of a list or a tree are allocated in one place, and have no names of their own. */
static bool is_element(const struct vf_block *around, const struct vf_block *part)
{
    return around && part->made_as && around->made_as && strcmp(around->made_as, part->made_as) == 0;
}

static void name_part(const struct naming *naming, const struct vf_block *around, struct vf_block *part,
                      int depth)
{
    if (!part->name || part == naming->top || is_element(around, part) || is_element(naming->top, part) ||
        is_named(naming, part->name))
        return;
    const char *old = part->name, *name = name_of_part(naming->name, old);
    if (!name) return;
    set_name(part, name);
    lead_on(naming, part, old, depth + 1);
}

static void name_words(const struct naming *naming, const struct vf_block *around, const char *old,
                       const uintptr_t *words, size_t n, int depth)
{
    bool are_rows = is_table(naming, words, n);
    for (size_t i = 0; i < n; i++) {
        struct vf_block *block = led_to(naming, words, i);
        if (!block) continue;
        if (are_rows || are_alike(old, block->name)) {
            name_row(naming, around->name, block, depth);
        } else if (naming->is_last && block->base == words[i]) {
            name_part(naming, around, block, depth);
        }
    }
}

static void lead_on(const struct naming *naming, const struct vf_block *block, const char *old, int depth)
{
    if (block->bytes > MOST_OF_TABLE || block->base % sizeof(uintptr_t) || depth == MOST_DEPTH) return;
    const uintptr_t *words = (const uintptr_t *)block->base; // NOLINT(performance-no-int-to-ptr)
    name_words(naming, block, old, words, block->bytes / sizeof *words, depth);
}

/* It may begin with a header before what is returned. */
void parcast_vf_named(const void *p, uint32_t before, const char *name, uint32_t is_last)
{
    if (!p || parcast_vf_blocks() == before) return;
    struct vf_block *block = vf_blocks_find((uintptr_t)p);
    struct naming naming = {name, before, is_last, block};
    if (!is_new(&naming, block)) return;
    const char *old = block->name;
    set_name(block, name);
    if (parcast_vf_blocks() - before > 1) lead_on(&naming, block, old, 0);
}

/* The same of what it has put into a variable of the caller. What has been allocated may have been given
 * back, with the variable in it. */
void parcast_vf_named_there(const void *const *variable, uint32_t before, const char *name, uint32_t is_last)
{
    if (parcast_vf_blocks() != before && vf_is_there((uintptr_t)variable))
        parcast_vf_named(*variable, before, name, is_last);
}

/* And into members of a structure of the caller. */
void parcast_vf_named_in(const void *const *structure, uint32_t before, const char *name, uint64_t bytes)
{
    uintptr_t base = (uintptr_t)structure;
    if (parcast_vf_blocks() == before || bytes < sizeof base || base % sizeof base || !vf_is_there(base) ||
        !vf_is_there(base + bytes - 1))
        return;
    struct naming naming = {.name = name, .before = before, .is_last = true};
    const uintptr_t *words = (const uintptr_t *)structure;
    for (size_t i = 0; i < bytes / sizeof *words; i++) {
        struct vf_block *block = led_to(&naming, words, i);
        if (block && block->base == words[i]) name_part(&naming, NULL, block, 0);
    }
}
