#include "valueflow/space/arrays/pieces.h"

#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/blocks/object_kind.h"
#include "valueflow/space/arrays/piece_gaps.h"

enum { FEW = 32, SHARE = 16, SLACK = 8 };
static const char between[] = " in ";

/* ---- where pieces begin ---- */

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_holder(const void *a, const void *b)
{
    const struct vf_dump_piece *x = a, *y = b;
    int order = compare(x->object, y->object);
    if (!order) order = compare(x->holder, y->holder);
    return order ? order : compare(x->offset, y->offset);
}

static int by_offset(const void *a, const void *b)
{
    const struct vf_dump_piece *x = a, *y = b;
    int order = compare(x->object, y->object);
    return order ? order : compare(x->offset, y->offset);
}

/* Those of holders that lead to one place of an object, whenever they do. */
static size_t keep_steady(struct vf_dump_piece *starts, size_t n)
{
    size_t kept = 0;
    qsort(starts, n, sizeof *starts, by_holder);
    for (size_t i = 0, end; i < n; i = end) {
        bool is_steady = starts[i].object && starts[i].offset;
        for (end = i;
             end < n && starts[end].object == starts[i].object && starts[end].holder == starts[i].holder;
             end++)
            is_steady = is_steady && starts[end].offset == starts[i].offset && !starts[end].flags;
        if (is_steady) starts[kept++] = starts[i];
    }
    return kept;
}

/* Each place once, with a name if any has one there. */
static size_t drop_doubles(struct vf_dump_piece *starts, size_t n)
{
    size_t kept = 0;
    qsort(starts, n, sizeof *starts, by_offset);
    for (size_t i = 0; i < n; i++) {
        struct vf_dump_piece *last = kept ? &starts[kept - 1] : NULL;
        if (!last || by_offset(last, &starts[i]) != 0)
            starts[kept++] = starts[i];
        else if (!last->name_length)
            *last = starts[i];
    }
    return kept;
}

/* ---- pools ---- */

struct pools {
    struct build *b;
    struct pool *pools;
    size_t n;
    size_t n_more, more_names; /* objects and letters that are added */
};

/* Words are as large as the largest that are there. */
static uint32_t word_bytes(const struct vf_dump_object *o)
{
    int size = VF_WORD_SIZES - 1;
    while (size > 0 && !o->words[size].n) size--;
    return 1u << size;
}

static void add_piece(struct pool *pool, uint64_t first, const struct vf_dump_piece *start)
{
    struct piece *last = pool->n ? &pool->pieces[pool->n - 1] : NULL;
    if (last) last->words = first - last->first;
    pool->pieces[pool->n] = (struct piece){.first = first};
    if (start)
        pool->pieces[pool->n].name = start->name, pool->pieces[pool->n].name_length = start->name_length;
    pool->n++;
}

/* Between the starts of one object, all of which lie between words. */
static bool add_pool(struct pools *p, const struct vf_dump_piece *starts, size_t n)
{
    const struct vf_dump_object *o = &p->b->file.objects[starts->object];
    struct pool *pool = &p->pools[p->n];
    *pool = (struct pool){.object = starts->object, .bytes = word_bytes(o)};
    uint64_t words = (o->bytes + pool->bytes - 1) / pool->bytes;
    pool->pieces = malloc((n + 1) * sizeof *pool->pieces);
    if (!pool->pieces) return false;
    p->n++;
    add_piece(pool, 0, NULL);
    for (size_t i = 0; i < n; i++)
        if (starts[i].offset % pool->bytes == 0) add_piece(pool, starts[i].offset / pool->bytes, &starts[i]);
    struct piece *last = &pool->pieces[pool->n - 1];
    last->words = words - last->first;
    return true;
}

static bool find_pools(struct pools *p, const struct vf_dump_piece *starts, size_t n)
{
    bool fine = true;
    for (size_t i = 0, end; fine && i < n; i = end) {
        for (end = i + 1; end < n && starts[end].object == starts[i].object;) end++;
        if (p->b->file.objects[starts[i].object].kind != VF_RESULT && end - i < MOST_PIECES)
            fine = add_pool(p, starts + i, end - i);
    }
    return fine;
}

/* Where vertices are in pools. */
static void place(struct pools *p, uint32_t number, int size)
{
    const struct pool *pool = &p->pools[number];
    const struct vf_dump_span *words = &p->b->file.objects[pool->object].words[size];
    for (uint32_t i = 0; i < words->n; i++) {
        uint32_t v = build_own_number(p->b, words->first + i);
        if (!v) continue;
        struct graph_vertex *vertex = &p->b->values->vertices[v - 1];
        vertex->array = number;
        vertex->offset = ((uint64_t)i << size) / pool->bytes;
        struct piece *piece = &pool->pieces[pool_piece_of(pool, vertex->offset)];
        piece->used++;
        if (vertex->offset - piece->first >= piece->end) piece->end = vertex->offset - piece->first + 1;
    }
}

static void place_all(struct pools *p)
{
    for (uint32_t v = 0; v < p->b->values->n_vertices; v++) p->b->values->vertices[v].array = GRAPH_NONE;
    for (uint32_t i = 0; i < p->n; i++)
        for (int size = 0; size < VF_WORD_SIZES; size++) place(p, i, size);
}

static bool is_little(const struct piece *piece)
{
    return piece->used < FEW && piece->words < FEW;
}

static bool are_nearly(uint64_t less, uint64_t more)
{
    return less <= more && SLACK * (more - less) < more;
}

/* Is another piece of the block nearly as long? */
static bool has_like(const struct pool *pool, const struct piece *piece)
{
    bool any = false;
    for (size_t i = 0; i < pool->n; i++) {
        uint64_t words = pool->pieces[i].words;
        bool is_like = are_nearly(words, piece->words) || are_nearly(piece->words, words);
        any = any || (is_like && &pool->pieces[i] != piece);
    }
    return any;
}

/* Few words beside many are a header of these, and those beside each other one array. Where nobody uses them
 * they are in front of an array that others are like. */
static bool are_together(const struct pool *pool, const struct piece *a, const struct piece *b)
{
    if (is_little(a) && is_little(b)) return true;
    const struct piece *less = a->words < b->words ? a : b, *more = less == a ? b : a;
    return is_little(less) && less->words * SHARE < more->words && (less->used || !has_like(pool, more));
}

static void join_little(struct pool *pool)
{
    bool is_end[MOST_PIECES];
    for (size_t i = 1; i < pool->n; i++)
        is_end[i] = !are_together(pool, &pool->pieces[i - 1], &pool->pieces[i]);
    pool_join(pool, is_end);
}

/* Words behind the last one, up to the next array, are none of it where others of nearly its length have not
 * got them; nor is what is left of the block. */
static void drop_slack(struct pool *pool)
{
    for (size_t i = 0; i < pool->n; i++) {
        struct piece *own = &pool->pieces[i];
        uint64_t best = own->words;
        for (size_t k = 0; own->used && k < pool->n; k++) {
            uint64_t words = pool->pieces[k].words;
            bool is_near = are_nearly(words, own->words) || i + 1 == pool->n;
            if (words >= own->end && words < best && is_near) best = words;
        }
        own->words = best;
    }
}

/* ---- objects ---- */

/* "w in pool (heat.c:12)" */
static void set_name(const struct values_file *file, const struct piece *piece, char *names, uint32_t *end,
                     struct vf_dump_object *object)
{
    if (!piece->name_length) return;
    uint32_t begin = *end;
    memcpy(names + *end, file->names + piece->name, piece->name_length);
    *end += piece->name_length;
    memcpy(names + *end, between, sizeof between - 1);
    *end += sizeof between - 1;
    memcpy(names + *end, file->names + object->name, object->name_length);
    *end += object->name_length;
    object->name = begin;
    object->name_length = *end - begin;
}

/* Words of each size from one byte on up to another one; the last piece has what is behind the block, too. */
static void cut_spans(struct vf_dump_object *object, uint64_t first, uint64_t end, bool is_last)
{
    for (int size = 0; size < VF_WORD_SIZES; size++) {
        struct vf_dump_span *words = &object->words[size];
        if (!words->n) continue;
        uint64_t low = (first + (1u << size) - 1) >> size;
        uint64_t high = is_last ? words->n : (end + (1u << size) - 1) >> size;
        *words = low < high ? (struct vf_dump_span){words->first + (uint32_t)low, (uint32_t)(high - low)}
                            : (struct vf_dump_span){0, 0};
    }
}

/* Its beginning is what tells it from the others of its place. */
static struct vf_dump_object piece_of(const struct vf_dump_object *whole, const struct pool *pool, size_t i)
{
    const struct piece *piece = &pool->pieces[i];
    struct vf_dump_object object = *whole;
    bool is_last = i + 1 == pool->n;
    uint64_t first = piece->first * pool->bytes, bytes = piece->words * pool->bytes;
    cut_spans(&object, first, is_last ? 0 : pool->pieces[i + 1].first * pool->bytes, is_last);
    object.bytes = first + bytes > whole->bytes ? whole->bytes - first : bytes;
    object.context = whole->context + first * 0x9e3779b97f4a7c15ull;
    if (object.record && (first % object.record || bytes % object.record)) object.record = 0;
    return object;
}

static void put_pieces(const struct pools *p, const struct pool *pool, struct vf_dump_object *objects,
                       uint64_t *n, char *names, uint32_t *end)
{
    const struct vf_dump_object *whole = &p->b->file.objects[pool->object];
    for (size_t i = 0; i < pool->n; i++) {
        objects[*n] = piece_of(whole, pool, i);
        set_name(&p->b->file, &pool->pieces[i], names, end, &objects[(*n)++]);
    }
}

static void count_more(struct pools *p)
{
    for (size_t i = 0; i < p->n; i++) {
        p->n_more += p->pools[i].n - 1;
        for (size_t k = 0; k < p->pools[i].n; k++)
            p->more_names += p->pools[i].pieces[k].name_length + sizeof between +
                             p->b->file.objects[p->pools[i].object].name_length;
    }
}

/* Pools are in the order of objects, and pieces take the place of theirs. */
static bool part_objects(struct pools *p)
{
    struct values_file *file = &p->b->file;
    count_more(p);
    uint64_t n_objects = file->header.n_objects, n = 0;
    struct vf_dump_object *objects = malloc((n_objects + p->n_more) * sizeof *objects);
    char *names = malloc(file->header.name_bytes + p->more_names + 1);
    if (!objects || !names || file->header.name_bytes + p->more_names > UINT32_MAX) {
        free(objects);
        free(names);
        return false;
    }
    uint32_t end = (uint32_t)file->header.name_bytes;
    memcpy(names, file->names, end);
    const struct pool *pool = p->pools;
    for (uint64_t i = 0; i < n_objects; i++)
        if (pool < p->pools + p->n && pool->object == i)
            put_pieces(p, pool++, objects, &n, names, &end);
        else
            objects[n++] = file->objects[i];
    file->objects = file->own_objects = objects;
    file->names = file->own_names = names;
    file->header.n_objects = n;
    return true;
}

static bool part_pools(struct pools *p)
{
    place_all(p);
    for (size_t i = 0; i < p->n; i++) join_little(&p->pools[i]);
    if (!piece_gaps_join(p->b->values, p->pools, p->n)) return false;
    for (size_t i = 0; i < p->n; i++) drop_slack(&p->pools[i]);
    return part_objects(p);
}

parcast_status pieces_part(struct build *b)
{
    size_t n = (size_t)b->file.header.n_pieces;
    if (!n) return PARCAST_OK;
    struct pools p = {.b = b};
    struct vf_dump_piece *starts = malloc(n * sizeof *starts);
    p.pools = calloc(n, sizeof *p.pools);
    bool fine = starts && p.pools;
    if (fine) {
        memcpy(starts, b->file.pieces, n * sizeof *starts);
        n = drop_doubles(starts, keep_steady(starts, n));
        fine = find_pools(&p, starts, n) && (!p.n || part_pools(&p));
    }
    for (size_t i = 0; i < p.n; i++) free(p.pools[i].pieces);
    free(p.pools);
    free(starts);
    return fine ? PARCAST_OK : PARCAST_MEMORY;
}
