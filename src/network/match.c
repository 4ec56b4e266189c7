#include "network/match.h"

#include <assert.h>

#include "core/lines.h"

struct match_list {
    struct match_key key;
    uint32_t head, tail; /* nodes; head is MATCH_NONE in an unused place */
    uint32_t payload;    /* of the head: most lists are short, and then no node need be fetched */
    bool posted;         /* receives; otherwise messages */
};

struct node {
    uint32_t next;
    uint32_t payload;
    uint64_t number; /* of the posting or the arrival */
};

/* Places of a waiting message in its four lists, only while wildcards are in use. */
struct match_links {
    struct match_key key;
    uint32_t next[MATCH_PATTERNS], previous[MATCH_PATTERNS];
};

static struct node *node_at(const struct matcher *matcher, uint32_t index)
{
    return pool_at(&matcher->nodes, index);
}

/* Pattern p leaves out the source (bit 0), the tag (bit 1), both or none. */
static struct match_key pattern_of(struct match_key key, unsigned p)
{
    if (p & 1) key.source = MATCH_ANY;
    if (p & 2) key.tag = MATCH_ANY;
    return key;
}

static unsigned pattern_number(struct match_key key)
{
    return (key.source == MATCH_ANY ? 1U : 0U) | (key.tag == MATCH_ANY ? 2U : 0U);
}

static bool same_key(const struct match_key *a, const struct match_key *b)
{
    return a->destination == b->destination && a->source == b->source && a->tag == b->tag &&
           a->communicator == b->communicator;
}

static uint32_t hash(const struct match_key *key)
{
    uint64_t a = (uint64_t)key->destination << 32 | (uint32_t)key->source;
    uint64_t b = (uint64_t)key->communicator << 32 | (uint32_t)key->tag;
    uint64_t mixed = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
    mixed ^= mixed >> 32;
    return (uint32_t)((mixed * UINT64_C(0x9fb21c651e98df25)) >> 32);
}

/* The place of the key's list, or the free place where it would lie. */
static uint32_t place_of(const struct matcher *matcher, const struct match_key *key)
{
    uint32_t at = hash(key) & matcher->mask;
    while (matcher->table[at].head != MATCH_NONE && !same_key(&matcher->table[at].key, key))
        at = (at + 1) & matcher->mask;
    return at;
}

/* Two places in a cache line. */
_Static_assert(sizeof(struct match_list) == 32, "places of the table lie across cache lines");

static struct match_list *allocate_table(uint32_t n_places)
{
    struct match_list *table = lines_allocate(n_places, sizeof *table);
    for (uint32_t i = 0; table && i < n_places; i++) table[i].head = MATCH_NONE;
    return table;
}

bool match_create(struct matcher *matcher)
{
    enum { FIRST_PLACES = 256 };
    *matcher = (struct matcher){.mask = FIRST_PLACES - 1, .nodes = pool_of(sizeof(struct node))};
    matcher->table = allocate_table(FIRST_PLACES);
    return matcher->table != NULL;
}

void match_destroy(struct matcher *matcher)
{
    free(matcher->table);
    free(matcher->links);
    pool_destroy(&matcher->nodes);
    matcher->table = NULL;
    matcher->links = NULL;
}

static bool grow_table(struct matcher *matcher)
{
    uint32_t n_places = 2 * (matcher->mask + 1);
    struct match_list *before = matcher->table, *table = n_places ? allocate_table(n_places) : NULL;
    if (!table) return false;
    uint32_t n_before = matcher->mask + 1;
    matcher->table = table;
    matcher->mask = n_places - 1;
    for (uint32_t i = 0; i < n_before; i++)
        if (before[i].head != MATCH_NONE) table[place_of(matcher, &before[i].key)] = before[i];
    free(before);
    return true;
}

/* Empty a place and close the gap: what was put further on because of it moves up. */
static void drop_list(struct matcher *matcher, uint32_t at)
{
    struct match_list *table = matcher->table;
    matcher->n_lists--;
    for (uint32_t next = at;;) {
        next = (next + 1) & matcher->mask;
        if (table[next].head == MATCH_NONE) break;
        uint32_t home = hash(&table[next].key) & matcher->mask;
        if (((next - home) & matcher->mask) < ((next - at) & matcher->mask)) continue;
        table[at] = table[next];
        at = next;
    }
    table[at].head = MATCH_NONE;
}

/* A list at the key's place, empty until a node is linked. */
static struct match_list *list_for(struct matcher *matcher, const struct match_key *key, bool posted)
{
    uint32_t at = place_of(matcher, key);
    if (matcher->table[at].head != MATCH_NONE) {
        assert(matcher->table[at].posted == posted);
        return &matcher->table[at];
    }
    if (matcher->n_lists + matcher->n_lists / 2 > matcher->mask) { /* two thirds full */
        if (!grow_table(matcher)) {
            matcher->failed = true;
            return NULL;
        }
        at = place_of(matcher, key);
    }
    matcher->n_lists++;
    matcher->table[at] =
        (struct match_list){.key = *key, .head = MATCH_NONE, .tail = MATCH_NONE, .posted = posted};
    return &matcher->table[at];
}

static uint32_t take_node(struct matcher *matcher, uint32_t payload)
{
    uint32_t index = pool_take(&matcher->nodes);
    if (index == POOL_NONE) {
        matcher->failed = true;
        return POOL_NONE;
    }
    *node_at(matcher, index) = (struct node){MATCH_NONE, payload, matcher->n_arrived++};
    if (!matcher->links || matcher->n_links == matcher->nodes.n_records) return index;
    struct match_links *links = realloc(matcher->links, matcher->nodes.n_records * sizeof *links);
    if (!links) {
        pool_give(&matcher->nodes, index);
        matcher->failed = true;
        return POOL_NONE;
    }
    matcher->links = links;
    matcher->n_links = matcher->nodes.n_records;
    return index;
}

static void set_head(const struct matcher *matcher, struct match_list *list, uint32_t index)
{
    list->head = index;
    if (index != MATCH_NONE) list->payload = node_at(matcher, index)->payload;
}

static void append(struct matcher *matcher, const struct match_key *key, bool posted, uint32_t index)
{
    struct match_list *list = list_for(matcher, key, posted);
    if (!list) return;
    if (list->head == MATCH_NONE)
        set_head(matcher, list, index);
    else
        node_at(matcher, list->tail)->next = index;
    list->tail = index;
}

/* Take the head of a list whose nodes are in no other list. */
static uint32_t take_head(struct matcher *matcher, uint32_t at)
{
    struct match_list *list = &matcher->table[at];
    uint32_t index = list->head, payload = list->payload;
    if (index == list->tail)
        drop_list(matcher, at);
    else
        set_head(matcher, list, node_at(matcher, index)->next);
    pool_give(&matcher->nodes, index);
    return payload;
}

/* Link a waiting message at the end of its list of pattern p. */
static void link_message(struct matcher *matcher, struct match_key key, unsigned p, uint32_t index)
{
    struct match_key pattern = pattern_of(key, p);
    struct match_list *list = list_for(matcher, &pattern, false);
    if (!list) return;
    struct match_links *links = &matcher->links[index];
    links->key = key;
    links->next[p] = MATCH_NONE;
    links->previous[p] = list->tail;
    if (list->head == MATCH_NONE)
        set_head(matcher, list, index);
    else
        matcher->links[list->tail].next[p] = index;
    list->tail = index;
}

static void unlink_message(struct matcher *matcher, uint32_t index, unsigned p)
{
    struct match_links *links = &matcher->links[index];
    struct match_key pattern = pattern_of(links->key, p);
    uint32_t at = place_of(matcher, &pattern);
    struct match_list *list = &matcher->table[at];
    if (links->previous[p] != MATCH_NONE)
        matcher->links[links->previous[p]].next[p] = links->next[p];
    else
        set_head(matcher, list, links->next[p]);
    if (links->next[p] != MATCH_NONE)
        matcher->links[links->next[p]].previous[p] = links->previous[p];
    else
        list->tail = links->previous[p];
    if (list->head != MATCH_NONE) return;
    list->head = index; /* so that the place counts as used until it is dropped */
    drop_list(matcher, at);
}

struct waiting {
    uint64_t number;
    struct match_key key;
    uint32_t index;
};

static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct waiting *)a)->number, y = ((const struct waiting *)b)->number;
    return (x > y) - (x < y);
}

static uint32_t collect_waiting(const struct matcher *matcher, struct waiting *waiting)
{
    uint32_t n = 0;
    for (uint32_t at = 0; at <= matcher->mask; at++) {
        const struct match_list *list = &matcher->table[at];
        if (list->head == MATCH_NONE || list->posted || pattern_number(list->key) != 0) continue;
        for (uint32_t i = list->head; i != MATCH_NONE;) {
            waiting[n++] = (struct waiting){node_at(matcher, i)->number, list->key, i};
            i = matcher->links ? matcher->links[i].next[0] : node_at(matcher, i)->next;
        }
    }
    return n;
}

/* The first pattern with a wildcard: messages are in lists that are linked both ways from now on. */
static void begin_links(struct matcher *matcher, const struct waiting *waiting, uint32_t n)
{
    uint32_t room = matcher->nodes.n_records ? matcher->nodes.n_records : 1;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = place_of(matcher, &waiting[i].key);
        if (matcher->table[at].head != MATCH_NONE) drop_list(matcher, at);
    }
    matcher->links = malloc(room * sizeof *matcher->links);
    matcher->n_links = matcher->nodes.n_records;
    matcher->failed |= !matcher->links;
    for (uint32_t i = 0; i < n && !matcher->failed; i++)
        link_message(matcher, waiting[i].key, 0, waiting[i].index);
}

/* A pattern is used for the first time: link the messages that wait already in its lists, oldest first. */
static void add_pattern(struct matcher *matcher, unsigned pattern)
{
    struct waiting *waiting = malloc((matcher->nodes.n_taken + (size_t)1) * sizeof *waiting);
    if (!waiting) {
        matcher->failed = true;
        return;
    }
    uint32_t n = collect_waiting(matcher, waiting);
    qsort(waiting, n, sizeof *waiting, by_number);
    if (!matcher->links) begin_links(matcher, waiting, n);
    for (uint32_t i = 0; i < n && !matcher->failed; i++)
        link_message(matcher, waiting[i].key, pattern, waiting[i].index);
    matcher->patterns |= 1U << pattern;
    free(waiting);
}

static bool uses_pattern(const struct matcher *matcher, unsigned pattern)
{
    return pattern == 0 || (matcher->patterns >> pattern & 1);
}

uint32_t match_probe(struct matcher *matcher, struct match_key key)
{
    if (!uses_pattern(matcher, pattern_number(key))) add_pattern(matcher, pattern_number(key));
    if (matcher->failed) return MATCH_NONE;
    const struct match_list *list = &matcher->table[place_of(matcher, &key)];
    return list->head == MATCH_NONE || list->posted ? MATCH_NONE : list->payload;
}

uint32_t match_post(struct matcher *matcher, struct match_key key, uint32_t receive)
{
    unsigned pattern = pattern_number(key);
    if (!uses_pattern(matcher, pattern)) add_pattern(matcher, pattern);
    if (matcher->failed) return MATCH_NONE;
    uint32_t at = place_of(matcher, &key);
    if (matcher->table[at].head == MATCH_NONE || matcher->table[at].posted) {
        uint32_t index = take_node(matcher, receive);
        if (index == POOL_NONE) return MATCH_NONE;
        append(matcher, &key, true, index);
        matcher->n_wild += pattern != 0;
        return MATCH_NONE;
    }
    if (!matcher->links) return take_head(matcher, at);
    uint32_t index = matcher->table[at].head, payload = matcher->table[at].payload;
    for (unsigned p = 0; p < MATCH_PATTERNS; p++)
        if (uses_pattern(matcher, p)) unlink_message(matcher, index, p);
    pool_give(&matcher->nodes, index);
    return payload;
}

uint32_t match_withdraw(struct matcher *matcher, struct match_key key,
                        bool (*is)(const void *state, uint32_t receive), const void *state)
{
    uint32_t at = place_of(matcher, &key), before = MATCH_NONE;
    struct match_list *list = &matcher->table[at];
    if (list->head == MATCH_NONE || !list->posted) return MATCH_NONE;
    uint32_t index = list->head;
    while (index != MATCH_NONE && !is(state, node_at(matcher, index)->payload)) {
        before = index;
        index = node_at(matcher, index)->next;
    }
    if (index == MATCH_NONE) return MATCH_NONE;
    matcher->n_wild -= pattern_number(key) != 0;
    if (before == MATCH_NONE) return take_head(matcher, at);
    uint32_t payload = node_at(matcher, index)->payload;
    node_at(matcher, before)->next = node_at(matcher, index)->next;
    if (list->tail == index) list->tail = before;
    pool_give(&matcher->nodes, index);
    return payload;
}

/* The place of the oldest posted receive that fits, or MATCH_NONE. */
static uint32_t oldest_receive(const struct matcher *matcher, struct match_key key)
{
    uint32_t best = MATCH_NONE;
    uint64_t oldest = UINT64_MAX;
    if (matcher->n_wild == 0) {
        uint32_t at = place_of(matcher, &key);
        return matcher->table[at].head != MATCH_NONE && matcher->table[at].posted ? at : MATCH_NONE;
    }
    for (unsigned p = 0; p < MATCH_PATTERNS; p++) {
        if (!uses_pattern(matcher, p)) continue;
        struct match_key pattern = pattern_of(key, p);
        uint32_t at = place_of(matcher, &pattern);
        const struct match_list *list = &matcher->table[at];
        if (list->head == MATCH_NONE || !list->posted) continue;
        uint64_t number = node_at(matcher, list->head)->number;
        if (number < oldest) {
            oldest = number;
            best = at;
        }
    }
    return best;
}

uint32_t match_arrive(struct matcher *matcher, struct match_key key, uint32_t message)
{
    assert(pattern_number(key) == 0);
    if (matcher->failed) return MATCH_NONE;
    uint32_t at = oldest_receive(matcher, key);
    if (at != MATCH_NONE) {
        matcher->n_wild -= pattern_number(matcher->table[at].key) != 0;
        return take_head(matcher, at);
    }
    uint32_t index = take_node(matcher, message);
    if (index == POOL_NONE) return MATCH_NONE;
    if (!matcher->links) {
        append(matcher, &key, false, index);
        return MATCH_NONE;
    }
    for (unsigned p = 0; p < MATCH_PATTERNS; p++)
        if (uses_pattern(matcher, p)) link_message(matcher, key, p, index);
    return MATCH_NONE;
}

uint32_t match_first_waiting(const struct matcher *matcher, uint32_t *n_waiting)
{
    uint64_t oldest = UINT64_MAX;
    uint32_t first = MATCH_NONE;
    *n_waiting = 0;
    for (uint32_t at = 0; at <= matcher->mask; at++) {
        const struct match_list *list = &matcher->table[at];
        if (list->head == MATCH_NONE || list->posted || pattern_number(list->key) != 0) continue;
        for (uint32_t i = list->head; i != MATCH_NONE;) {
            (*n_waiting)++;
            i = matcher->links ? matcher->links[i].next[0] : node_at(matcher, i)->next;
        }
        uint64_t number = node_at(matcher, list->head)->number;
        if (number >= oldest) continue;
        oldest = number;
        first = list->payload;
    }
    return first;
}

void match_foresee(const struct matcher *matcher, struct match_key key)
{
    __builtin_prefetch(&matcher->table[hash(&key) & matcher->mask]);
}

uint32_t match_expected(const struct matcher *matcher, struct match_key key)
{
    const struct match_list *list = &matcher->table[place_of(matcher, &key)];
    return list->head == MATCH_NONE ? MATCH_NONE : list->payload;
}
