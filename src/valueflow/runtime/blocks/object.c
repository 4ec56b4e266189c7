/*
 * From addresses to vertices. A heap word is named by where it was allocated, which of the blocks from there
 * it is in, the size of that, and its offset; so arrays that are allocated anew in every step find their
 * vertices again, and strangers that are given the same address do not share any. Blocks of several sizes at
 * one place are different arrays: the temporaries of one material, then of another. So are blocks of one size
 * that begin with values computed from different words, or from such blocks: chunks of a mesh, one after the
 * other, in buffers that are computed from one another.
 */
#include "valueflow/runtime/blocks/object.h"

#include <stdio.h>
#include <string.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/cells.h"
#include "valueflow/runtime/blocks/constants.h"
#include "valueflow/runtime/blocks/piece.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/steps/behaviour.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/texts.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum { RESULTS_AT_ONCE = 256, PAGE = 1 << 20, FEW = 8 };

struct vf_vertex *vf_vertices;
struct vf_object *vf_objects;
static size_t vertex_capacity, object_capacity;
static uint32_t n_vertices, n_objects;
static struct vf_hash by_name = {.width = 6}; /* context, slot, kind, size, origin */

/* Vertices from `first` on belong to an object; in ascending order. */
static struct range {
    uint32_t first, object;
} *ranges;
static size_t range_capacity;
static uint32_t n_ranges;

void vf_objects_open(void)
{
    vf_vertices = vf_grow(NULL, &vertex_capacity, sizeof *vf_vertices, 0);
    vf_cells_open();
    vf_objects = vf_grow(NULL, &object_capacity, sizeof *vf_objects, 0);
    n_vertices = n_objects = 1;
    vf_workspaces_open();
}

uint32_t vf_objects_size(void)
{
    return n_objects;
}

uint32_t vf_vertices_size(void)
{
    return n_vertices;
}

static uint32_t take_vertices(uint64_t n, uint32_t object)
{
    if (n >= VF_MOST_VERTICES - n_vertices)
        vf_stop("more than 2^28 words are touched; use a smaller problem");
    vf_memory_expect(n * (sizeof *vf_vertices + sizeof(struct vf_cell)));
    uint32_t first = n_vertices;
    n_vertices += (uint32_t)n;
    vf_vertices = vf_grow_sparse(vf_vertices, &vertex_capacity, sizeof *vf_vertices, n_vertices);
    vf_words_reach(n_vertices);
    ranges = vf_grow(ranges, &range_capacity, sizeof *ranges, n_ranges);
    ranges[n_ranges++] = (struct range){first, object};
    return first;
}

static uint32_t add_object(const struct vf_object *object)
{
    vf_objects = vf_grow(vf_objects, &object_capacity, sizeof *vf_objects, n_objects);
    vf_objects[n_objects] = *object;
    return n_objects++;
}

uint32_t vf_object_of_results(const char *site, uint32_t of)
{
    struct vf_object object = {
        .kind = VF_RESULT, .context = (uint64_t)(uintptr_t)site, .bytes = of, .name = site};
    object.words[VF_WORDS_OF(8)] = (struct vf_span){take_vertices(1, n_objects), 1};
    return add_object(&object);
}

/* Results come one by one: another object of the same site when the numbers after it are taken. */
uint32_t vf_object_next_result(uint32_t object)
{
    static struct vf_hash latest = {.width = 1};
    uint32_t *at = vf_hash_at(&latest, &object), current = *at;
    if (!current || vf_objects[current].words[VF_WORDS_OF(8)].n == RESULTS_AT_ONCE) {
        struct vf_object more = vf_objects[object];
        more.words[VF_WORDS_OF(8)] = (struct vf_span){take_vertices(RESULTS_AT_ONCE, n_objects), 0};
        more.slot = 1 + (current ? vf_objects[current].slot : 0);
        uint32_t made = add_object(&more);
        if (!current) vf_hash_added(&latest);
        *at = current = made;
    }
    struct vf_span *words = &vf_objects[current].words[VF_WORDS_OF(8)];
    return words->first + words->n++;
}

/* Behind "heat.c:12" of "heat.c:12 (main)": a file's name may have blanks in it, too. Where no line is told,
 * behind the first word. */
static const char *behind_line(const char *place, const char *end)
{
    for (const char *p = place; p < end; p++) {
        size_t digits = *p == ':' ? strspn(p + 1, "0123456789") : 0;
        if (digits && strncmp(p + 1 + digits, " (", 2) == 0) return p + 1 + digits;
    }
    size_t word = strcspn(place, " ");
    return word < (size_t)(end - place) ? place + word : end;
}

/* "u at FOLDER/heat.c:12 (main)" of `length` letters is "u (heat.c:12)", "FOLDER/heat.c:12 (main)" is
 * "heat.c:12 (main)". As many letters as were written. */
static size_t write_short(const char *place, size_t length, char *name)
{
    const char *end = place + length, *at = strstr(place, " at ");
    if (at && at >= end) at = NULL;
    const char *file = at ? at + strlen(" at ") : place, *behind = behind_line(file, end);
    for (const char *p = file; p < behind; p++)
        if (*p == '/') file = p + 1;
    size_t variable = at ? (size_t)(at - place) : 0, where = (size_t)((at ? behind : end) - file);
    return (size_t)sprintf(name, at ? "%.*s (%.*s)" : "%.*s%.*s", (int)variable, place, (int)where, file);
}

/* A heap block is called by its variable and the place of its allocation, or by that alone; each of the lines
 * that the instrumenter wrote. */
static const char *write_name(const char *lines)
{
    char *name = vf_text(strlen(lines) + 1);
    size_t used = 0;
    for (const char *line = lines; line; line = strchr(line, '\n')) {
        if (line != lines) name[used++] = *line++;
        used += write_short(line, strcspn(line, "\n"), name + used);
    }
    return name;
}

static const char *short_name(const char *lines)
{
    static struct vf_texts written = {.number.width = 2};
    uint32_t key[2] = {(uint32_t)(uintptr_t)lines, (uint32_t)((uintptr_t)lines >> 32)};
    const char **text = vf_texts_at(&written, key);
    if (!*text) *text = write_name(lines);
    return *text;
}

const char *vf_object_name(uint32_t kind, const char *written)
{
    return kind == VF_HEAP && written ? short_name(written) : written;
}

void vf_object_rename(const struct vf_block *block)
{
    vf_objects[block->object].name = vf_object_name(block->kind, block->name);
}

static const struct range *range_of(uint32_t vertex)
{
    uint32_t low = 0, high = n_ranges;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (ranges[middle].first <= vertex)
            low = middle;
        else
            high = middle;
    }
    return &ranges[low];
}

/* What is freed at the end of a program, with where its values went to, was there as long as that. */
static bool is_gone_before(const struct vf_object *object, const struct vf_object *other)
{
    enum { A_WORD = 8 };
    uint64_t end = object->gone + object->bytes / A_WORD;
    return object->is_gone && (!other->is_gone || other->gone > end || vf_values_created() > end);
}

bool vf_is_gone_from(uint32_t vertex, uint32_t to)
{
    const struct range *from = range_of(vertex), *other = range_of(to);
    return is_gone_before(&vf_objects[from->object], &vf_objects[other->object]) &&
           vertex - from->first != to - other->first;
}

bool vf_are_in_turn(uint32_t vertex, uint32_t other)
{
    uint32_t a = range_of(vertex)->object, b = range_of(other)->object;
    const struct vf_object *x = &vf_objects[a], *y = &vf_objects[b];
    return a != b && x->kind == VF_HEAP && y->kind == VF_HEAP && x->context == y->context &&
           x->slot == y->slot && x->bytes == y->bytes;
}

bool vf_is_of_sums(uint32_t vertex)
{
    const struct vf_object *object = &vf_objects[range_of(vertex)->object];
    return object->kind == VF_RESULT && object->bytes == VF_OF_SUMS;
}

/* What a vertex is called, whichever of the objects of one name it belongs to. */
static uint64_t name_hash(uint32_t vertex, const struct range *range)
{
    const struct vf_object *object = &vf_objects[range->object];
    uint64_t h = (object->context ^ object->slot) * 0x9e3779b97f4a7c15ull + object->bytes;
    h = (h ^ h >> 29) * 0xff51afd7ed558ccdull + (vertex - range->first);
    h = (h ^ h >> 32) * 0xc4ceb9fe1a85ec53ull;
    return h ^ h >> 29;
}

/* Where a value is at home: in the word that it was copied to, if any. In the first iteration that word has a
 * value of its own. */
static uint32_t home_of(uint32_t vertex)
{
    uint32_t owner = vf_owner_in_names(&vf_kin[vertex]);
    return owner ? owner : vf_base(vertex);
}

/* What the first value of a block is computed from. Words tell more than results of registers, which are
 * called by what they are computed from: blocks of the step before, say, so that each step's blocks would be
 * others. */
struct origin {
    uint64_t words, results;
    uint32_t place;
    struct vf_beginning begun;
};

static uint32_t place_number(uint64_t context, uint32_t slot)
{
    uint64_t h = (context ^ slot) * 0x9e3779b97f4a7c15ull;
    return (uint32_t)(h >> 32 ^ h);
}

static bool add_place(struct vf_beginning *begun, uint32_t place)
{
    for (uint32_t i = 0; i < begun->n; i++)
        if (begun->places[i] == place) return true;
    if (begun->n == VF_MOST_BEFORE) return false;
    begun->places[begun->n++] = place;
    return true;
}

/* What the block of a source has begun with tells, too, but where it goes back to blocks of this very place:
 * a field that each step allocates anew, and computes from that of the step before, would be another array in
 * each. */
static uint64_t begun_before(struct origin *origin, const struct vf_object *source)
{
    uint32_t place = place_number(source->context, source->slot);
    struct vf_beginning begun = origin->begun;
    if (!source->begun.hash || place == origin->place || !add_place(&begun, place)) return 0;
    for (uint32_t i = 0; i < source->begun.n; i++)
        if (source->begun.places[i] == origin->place || !add_place(&begun, source->begun.places[i])) return 0;
    origin->begun = begun;
    return source->begun.hash * 0xff51afd7ed558ccdull;
}

static void add_origins(struct origin *origin, uint32_t n, const uint32_t *labels)
{
    for (uint32_t i = 0; i < n && i < FEW; i++) {
        if (!vf_carries(labels[i])) continue;
        if (vf_is_bundle(labels[i])) {
            const struct vf_bundle *bundle = vf_bundle_of(labels[i]);
            add_origins(origin, bundle->n, bundle->labels);
            continue;
        }
        uint32_t home = home_of(vf_values[labels[i]].vertex);
        const struct range *range = range_of(home);
        const struct vf_object *object = &vf_objects[range->object];
        bool is_result = object->kind == VF_RESULT;
        *(is_result ? &origin->results : &origin->words) +=
            name_hash(home, range) + begun_before(origin, object);
    }
}

/* Nothing of blocks that were not made in the region. */
static struct vf_beginning beginning_of(const struct vf_block *block, uint32_t n, const uint32_t *labels)
{
    struct origin origin = {.place = place_number(block->context, block->slot)};
    if (block->kind != VF_HEAP || !block->in_region) return origin.begun;
    add_origins(&origin, n, labels);
    uint64_t hash = origin.words ? origin.words : origin.results;
    origin.begun.hash = (uint32_t)(hash >> 32 ^ hash);
    return origin.begun;
}

/* A place with very many sizes and beginnings has one array as large as the largest. */
static uint32_t *place_of(const struct vf_block *block, uint32_t origin)
{
    enum { MOST_USES = 64 };
    static struct vf_hash uses = {.width = 4}; /* context, slot, kind: how many */
    uint32_t key[6] = {(uint32_t)block->context,
                       (uint32_t)(block->context >> 32),
                       block->slot,
                       block->kind,
                       1 + (uint32_t)(block->bytes / 4),
                       origin};
    uint32_t *at = vf_hash_at(&by_name, key);
    if (*at) return at;
    uint32_t *n = vf_hash_at(&uses, key);
    if (*n < MOST_USES) {
        if (!(*n)++) vf_hash_added(&uses);
        return at;
    }
    key[4] = key[5] = 0;
    return vf_hash_at(&by_name, key);
}

/* Blocks of one size that begin with different values are uses of the same words, one after the other: their
 * group grows once, and what has very many uses is a workspace. */
static void count_use(const struct vf_block *block, uint32_t group, uint32_t n, const uint32_t *labels)
{
    static struct vf_hash uses = {.width = 5}; /* context, slot, kind, size: how many */
    uint32_t key[5] = {(uint32_t)block->context, (uint32_t)(block->context >> 32), block->slot, block->kind,
                       (uint32_t)(block->bytes / 4)};
    uint32_t *at = vf_hash_at(&uses, key);
    if (!(*at)++) {
        vf_hash_added(&uses);
        if (!vf_group_is_counted(block->kind, block->bytes)) vf_group_grow(group, block->bytes);
    } else {
        vf_group_is_used(group, *at, n, labels);
    }
}

static uint32_t find_object(struct vf_block *block, uint32_t n, const uint32_t *labels)
{
    uint32_t group = vf_group_of(block->kind, block->context, block->bytes, block->name);
    bool is_workspace = vf_groups[group].state == VF_WORKSPACE; /* its values are named by their sources */
    struct vf_beginning begun = {0};
    if (!is_workspace) begun = beginning_of(block, n, labels);
    uint32_t *at = place_of(block, begun.hash);
    if (*at && vf_objects[*at].bytes >= block->bytes) {
        vf_objects[*at].is_gone = false;
        if (vf_objects[*at].record < block->record) vf_objects[*at].record = block->record;
        return *at;
    }
    struct vf_object object = {.kind = block->kind,
                               .slot = block->slot,
                               .context = block->context,
                               .bytes = block->bytes,
                               .record = block->record,
                               .group = group,
                               .begun = begun,
                               .name = vf_object_name(block->kind, block->name)};
    count_use(block, group, n, labels);
    if (!*at) vf_hash_added(&by_name);
    return *at = add_object(&object);
}

/* The object of a block, when a word of it is first touched. */
static uint32_t object_of(struct vf_block *block, uint32_t n, const uint32_t *labels)
{
    if (block->object) return block->object;
    block->object = find_object(block, n, labels);
    vf_pieces_belong(block);
    return block->object;
}

/* Memory that nobody announced (another library's, an old frame's): by pieces of one megabyte. */
static struct vf_block *block_of(uintptr_t address)
{
    struct vf_block *block = vf_blocks_find(address);
    if (block) return block;
    uintptr_t base = address & ~(uintptr_t)7;
    vf_block_add(VF_UNKNOWN, base, 8, (base & ~(uintptr_t)(PAGE - 1)), NULL);
    block = vf_blocks_find(address);
    block->slot = (uint32_t)(base & (PAGE - 1));
    return block;
}

void vf_make_vertex(struct vf_cell *cell, uintptr_t address, unsigned size, uint32_t n,
                    const uint32_t *labels)
{
    const struct vf_block *block = block_of(address);
    uintptr_t base = block->base;
    uint32_t number = object_of(vf_blocks_find(address), n, labels); /* may move the objects */
    struct vf_object *object = &vf_objects[number];
    if (size < 4 && !vf_is_fine(address)) size = 4;
    struct vf_span *words = &object->words[VF_WORDS_OF(size)];
    if (!words->first) {
        words->n = (uint32_t)(object->bytes / size + 1);
        words->first = take_vertices(words->n, number);
    }
    cell->vertex = words->first + (uint32_t)((address - base) / size);
    if (vf_groups[object->group].state == VF_OWNED) return;
    if (vf_group_is_counted(object->kind, object->bytes)) vf_group_count(object->group, size);
    vf_kin[cell->vertex].group = object->group;
    cell->vertex |= VF_FLAGGED;
}

uint64_t vf_n_inputs;

uint32_t vf_input(struct vf_cell *cell, uintptr_t address, unsigned size)
{
    if (vf_is_constant(address)) return cell->value = VF_CONSTANT;
    vf_n_inputs++;
    uint32_t vertex = vf_vertex_of(cell, address, size, 0, NULL) & ~VF_FLAGGED, id = vf_value_create(vertex);
    vf_values[id].references = 1;
    cell->value = id;
    return id;
}
