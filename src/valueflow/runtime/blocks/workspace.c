#include "valueflow/runtime/blocks/workspace.h"

#include <string.h>

#include "valueflow/runtime/blocks/name.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/steps/again.h"
#include "valueflow/runtime/steps/behaviour.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

enum {
    OFTEN_ENOUGH = 64,  /* in step with sources of so many versions: none */
    LONG_ENOUGH = 1024, /* the same where these may be a workspace themselves */
    NEAR = 4,           /* words that were named one after the other, of up to so many arrays in turn */
};

bool vf_any_instances;
struct vf_kin *vf_kin;
struct vf_word *vf_words;
static size_t kin_capacity, word_capacity;

enum { CHUNK = 1024 };     /* vertices */
static uint8_t *has_named; /* by chunk */
static size_t has_named_capacity;

void vf_workspaces_open(void)
{
    vf_groups_open();
    vf_kin = vf_grow(NULL, &kin_capacity, sizeof *vf_kin, 0);
    vf_words = vf_grow(NULL, &word_capacity, sizeof *vf_words, 0);
}

void vf_words_reach(uint32_t n_vertices)
{
    vf_kin = vf_grow_sparse(vf_kin, &kin_capacity, sizeof *vf_kin, n_vertices);
    vf_words = vf_grow_sparse(vf_words, &word_capacity, sizeof *vf_words, n_vertices);
    has_named = vf_grow_sparse(has_named, &has_named_capacity, sizeof *has_named, n_vertices / CHUNK);
    vf_again_reach(n_vertices);
}

void vf_words_name(uint32_t vertex)
{
    vf_any_instances = true;
    has_named[vertex / CHUNK] = 1;
}

uint32_t vf_named_from(uint32_t vertex)
{
    for (; vertex < vf_vertices_size(); vertex = (vertex / CHUNK + 1) * CHUNK)
        if (has_named[vertex / CHUNK]) return vertex;
    return 0;
}

/* Labels that are in the list already, in a table that stays in the cache: those of older lists are none. */
enum { LISTED_BITS = 10 }; /* four times as many places as a list has labels */
static struct listed {
    uint32_t label, list;
} listed[1 << LISTED_BITS];
static uint32_t list;

/* False where it is there. */
static inline bool is_new(uint32_t label)
{
    uint32_t i = label * 2654435769u >> (32 - LISTED_BITS);
    for (; listed[i].list == list; i = (i + 1) & ((1 << LISTED_BITS) - 1))
        if (listed[i].label == label) return false;
    listed[i] = (struct listed){label, list};
    return true;
}

static inline uint32_t add_marked(uint32_t label, uint32_t *flat, uint32_t n)
{
    if (!vf_carries(label) || n == VF_MOST_FLAT || !is_new(label)) return n;
    flat[n] = label;
    return n + 1;
}

static uint32_t add_bundle(uint32_t label, uint32_t *flat, uint32_t n)
{
    const struct vf_bundle *bundle = vf_bundle_of(label);
    for (uint32_t i = 0; i < bundle->n; i++) n = add_marked(bundle->labels[i], flat, n);
    return n;
}

static inline void begin_list(void)
{
    if (__builtin_expect(++list == 0, 0)) {
        memset(listed, 0, sizeof listed);
        list = 1;
    }
}

uint32_t vf_flatten(uint32_t n, const uint32_t *labels, uint32_t *flat)
{
    uint32_t m = 0;
    begin_list();
    for (uint32_t i = 0; i < n; i++)
        m = vf_is_bundle(labels[i]) ? add_bundle(labels[i], flat, m) : add_marked(labels[i], flat, m);
    return m;
}

static uint32_t results_of(struct vf_group *group)
{
    if (!group->results) {
        const char *name = vf_object_name(group->kind, group->name);
        uint32_t of = group->kind == VF_FRAME ? VF_OF_FRAME : 0;
        group->results = vf_object_of_results(name ? name : "workspace", of);
    }
    return group->results;
}

/* Is the vertex a value of an array that may turn out to be a workspace? Then what it comes of will be
 * younger than it is. */
static bool is_open(uint32_t vertex)
{
    enum { DEEPEST = 4 };
    const struct vf_kin *kin = &vf_kin[vertex];
    for (int i = 0; i < DEEPEST && kin->age && !kin->base; i++) kin = &vf_kin[vf_words[vertex].witness];
    if (kin->owner)
        kin = &vf_kin[kin->owner];
    else if (!kin->base)
        return false;
    return vf_groups[kin->group].state == VF_UNDECIDED;
}

/* Most of its words have values of several kinds in turn, of which the file tells more (graph/two_uses.h). */
static bool is_used_in_turn(const struct vf_group *group)
{
    return 2 * (uint64_t)group->n_in_turn > group->words;
}

static void decide(struct vf_group *group, uint32_t changes, uint32_t age, uint32_t oldest)
{
    if (changes / VF_MORE_OFTEN > age)
        group->state = VF_WORKSPACE;
    else if ((age >= LONG_ENOUGH || (age >= OFTEN_ENOUGH && !is_open(oldest))) && !is_used_in_turn(group))
        group->state = VF_OWNED;
}

void vf_word_changes(uint32_t word, uint32_t instance)
{
    decide(&vf_groups[vf_kin[word].group], ++vf_words[word].changes, vf_kin[instance].age - 1, instance);
}

void vf_group_is_used(uint32_t number, uint32_t uses, uint32_t n, const uint32_t *labels)
{
    struct vf_group *group = &vf_groups[number];
    uint32_t age, oldest;
    vf_signature_of(0, n, labels, &age, &oldest);
    if (group->state == VF_UNDECIDED && uses / VF_MUCH_MORE_OFTEN > age) group->state = VF_WORKSPACE;
}

static uint32_t next_instance(uint32_t base, struct vf_group *group, uint64_t signature)
{
    uint32_t before = vf_words[base].last, instance = before ? vf_words[before].last : 0;
    if (before && vf_words[before].signature == signature) return before;
    if (!instance || vf_words[instance].signature != signature) {
        instance = vf_find_named(signature, results_of(group));
        vf_kin[instance].base = base;
        vf_kin[instance].group = vf_kin[base].group;
    }
    if (before) vf_words[before].last = instance;
    vf_words[base].last = instance;
    return instance;
}

/* The instance of a word whose group is not owned, of n sources of this name, the oldest of this age. While
 * it is undecided it is another one than before if it comes of other words, and as old as these at least:
 * what a mask has gathered lies where nothing has been yet, or not for long. */
static uint32_t instance_of(uint32_t base, struct vf_group *group, uint64_t signature, uint32_t by_words,
                            uint32_t age, uint32_t oldest, uint32_t n)
{
    uint32_t before = vf_words[base].last, instance = next_instance(base, group, signature);
    bool is_another =
        group->state == VF_UNDECIDED && before ? vf_words[before].witness != by_words : before != instance;
    vf_words[base].changes += is_another;
    group->n_in_turn += is_another && vf_words[base].changes == VF_MUCH_MORE_OFTEN;
    if (group->state == VF_UNDECIDED && n) decide(group, vf_words[base].changes, age, oldest);
    uint32_t so_far = group->state != VF_WORKSPACE && before ? vf_kin[before].age : 0;
    vf_kin[instance].age = (so_far > age ? so_far : age) + 1;
    return instance;
}

/* The instance that followed the word's present one last time, when what it is computed from looks as it did
 * then; else 0. Names need not be looked at: who has got an owner since then still is what he was. */
static inline uint32_t follows(uint32_t base, uint32_t sight)
{
    uint32_t last = vf_words[base].last, next;
    if (!last || vf_words[last].sight == sight) return last;
    next = vf_words[last].last;
    if (!next || vf_words[next].sight != sight) return 0;
    vf_words[base].last = next;
    vf_words[base].changes++;
    return next;
}

static void watch_coefficients(uint32_t base, struct vf_group *group, const struct vf_sources *s)
{
    if (group->state == VF_UNDECIDED) vf_look_for_coefficients(base, group, s);
    if (group->is_coefficients && vf_steps_from_constants(s) != vf_words[base].sight)
        group->is_coefficients = false;
}

/* What goes on in its word has seen what it is computed from now, too: else what a program iterates would
 * look as if it never changed, and what is computed of it in each step as if that changed for nothing. */
static uint32_t is_so_old(uint32_t instance, uint32_t age)
{
    if (vf_kin[instance].age && vf_kin[instance].age <= age) vf_kin[instance].age = age + 1;
    return instance;
}

/* It is a sum in the word of this value. */
static uint32_t adds_up(uint32_t instance, bool is_workspace, uint32_t n, const uint32_t *labels)
{
    uint32_t age, oldest;
    if (is_workspace) return instance;
    vf_signature_of(0, n, labels, &age, &oldest);
    return is_so_old(instance, age);
}

uint32_t vf_instance(struct vf_cell *cell, uint32_t n, const uint32_t *labels)
{
    uint32_t base = cell->vertex & ~VF_FLAGGED, age, oldest;
    struct vf_group *group = &vf_groups[vf_kin[base].group];
    if (group->state == VF_OWNED) {
        cell->vertex = base;
        return base;
    }
    if (group->state == VF_UNDECIDED || group->is_coefficients) {
        struct vf_sources s;
        s.n = vf_flatten(n, labels, s.labels);
        watch_coefficients(base, group, &s);
    }
    bool is_workspace = group->state == VF_WORKSPACE;
    for (uint32_t i = 0; i < n; i++) { /* computed from its own value: the same one goes on */
        uint32_t vertex = vf_values[labels[i]].vertex;
        if (vertex != VF_BUNDLE && vf_is_of(vertex, &vf_kin[vertex], base))
            return adds_up(vertex, is_workspace, n, labels);
    }
    uint32_t sight = is_workspace ? vf_sight_of(n, labels) : 0,
             seen = is_workspace ? follows(base, sight) : 0;
    if (seen) return vf_grows_older(seen);
    uint64_t by_words = vf_signature_of((uint64_t)base << 1, n, labels, &age, &oldest), signature = by_words;
    if (!is_workspace) signature = vf_sum_in_undecided((uint64_t)base << 1, n, labels);
    uint32_t instance = instance_of(base, group, signature, (uint32_t)by_words, age, oldest, n);
    vf_words[instance].sight = sight;
    vf_words[instance].witness = is_workspace ? oldest : (uint32_t)by_words;
    return instance;
}

bool vf_in_workspace(const struct vf_cell *cell)
{
    return vf_groups[vf_kin[cell->vertex & ~VF_FLAGGED].group].state == VF_WORKSPACE;
}

bool vf_goes_through(const struct vf_cell *cell, uint32_t n)
{
    if (n > VF_FEW) return false;
    uint32_t base = cell->vertex & ~VF_FLAGGED, last = vf_words[base].last;
    struct vf_group *group = &vf_groups[vf_kin[base].group];
    if (group->state != VF_WORKSPACE) return false;
    if (!n || (n == 1 && !group->copied) || group->n_kept >= VF_KEPT_ENOUGH) return true;
    if (group->copied || !last) return false;
    group->copied = vf_kin[last].owner != 0;
    group->n_kept += !group->copied;
    return false;
}

static inline bool are_near(uint32_t a, uint32_t b)
{
    return (a > b ? a - b : b - a) <= NEAR;
}

/*
 * A line that is swept: d[j] = f(u[j], d[j - 1]). Each word holds what all before it come to, which one
 * number tells; passed on as what few of them it comes from, it would be several. The word of the label was
 * named shortly before this one, or shortly after it where the line is swept backwards. What has one source
 * only goes on as that.
 */
static bool goes_on_from(uint32_t base, uint32_t n_few, uint32_t label)
{
    const struct vf_bundle *bundle = vf_is_bundle(label) ? vf_bundle_of(label) : NULL;
    if (bundle && bundle->n == 1) return goes_on_from(base, n_few, bundle->labels[0]);
    uint32_t word = bundle ? bundle->word : vf_kin[vf_values[label].vertex].base;
    return word && are_near(word, base) && vf_kin[word].group == vf_kin[base].group &&
           n_few > (bundle ? bundle->n : 1);
}

static bool sweeps(uint32_t base, bool is_chosen, uint32_t n_few, uint32_t n, const uint32_t *labels)
{
    if (is_chosen) return false; /* what is sorted sweeps nothing */
    for (uint32_t i = 0; n_few > 1 && i < n; i++)
        if (vf_carries(labels[i]) && goes_on_from(base, n_few, labels[i])) return true;
    return false;
}

/* Where a word's values come of its values before, what they are named by is the first of these: else each
 * time step of what is never computed anew would have others. */
static inline uint32_t origin_of(uint32_t instance)
{
    return vf_words[instance].changes ? vf_words[instance].changes : instance;
}

static inline void add_source(struct vf_sources *s, uint32_t label, uint32_t base)
{
    if (!vf_carries(label) || s->n == VF_MOST_FLAT || !is_new(label)) return;
    s->labels[s->n++] = label;
    uint32_t vertex = vf_values[label].vertex, age;
    const struct vf_kin *kin = &vf_kin[vertex];
    __builtin_prefetch(&vf_trie.labels[vf_values[label].state + 1]);
    bool is_own = vf_is_of(vertex, kin, base);
    if (__builtin_expect(is_own, 0) && !s->own) s->own = vertex;
    if ((age = vf_age_of(vertex, kin)) > s->age) {
        s->age = age;
        s->oldest = vertex;
    }
    uint32_t home = __builtin_expect(is_own, 0) ? origin_of(vertex) : vf_home_of(vertex, kin);
    s->by_words = vf_add_hash(s->by_words, home);
    s->hash = vf_add_hash(s->hash, is_own || !s->is_undecided ? home : vf_name_in_undecided(vertex, home));
}

static inline void add_sources(struct vf_sources *s, uint32_t n, const uint32_t *labels, uint32_t base)
{
    uint32_t repeated = 0;
    begin_list();
    for (uint32_t i = 0; i < n; i++) {
        if (__builtin_expect(!vf_is_bundle(labels[i]), 1)) {
            add_source(s, labels[i], base);
            continue;
        }
        struct vf_bundle *bundle = vf_bundle_of(labels[i]);
        repeated = vf_add_repeated(repeated, vf_work_read(bundle));
        for (uint32_t j = 0; j < bundle->n; j++) add_source(s, bundle->labels[j], base);
    }
    s->work += repeated;
}

static uint32_t put_seen(uint32_t instance, uint32_t work, uint32_t n, const uint32_t *labels)
{
    uint32_t id = vf_value_create_held(vf_grows_older(instance));
    vf_is_named(id);
    for (uint32_t i = 0; i < n; i++) vf_pin(labels[i], instance, 0);
    vf_add_work(instance, work);
    return id;
}

/* The same word goes on. */
static uint32_t goes_on(uint32_t instance, uint32_t age)
{
    if (vf_words[instance].sight == VF_THROUGH) vf_words[instance].sight = 0;
    return is_so_old(instance, age);
}

static uint32_t vertex_of(struct vf_cell *cell, uint32_t base, struct vf_group *group,
                          const struct vf_sources *s, uint32_t sight)
{
    if (group->state == VF_OWNED) return cell->vertex = base;
    bool is_passing = group->state == VF_UNDECIDED && vf_passes(base, s);
    if (s->own && group->state != VF_WORKSPACE && !is_passing) return goes_on(s->own, s->age);
    uint32_t instance = instance_of(base, group, s->hash ? s->hash : 1, (uint32_t)s->by_words, s->age,
                                    s->oldest, is_passing ? 0 : s->n);
    if (is_passing) vf_look_for_sweeps(base, instance, group);
    vf_words[instance].sight = s->own && s->n <= VF_FEW ? 0 : sight;
    vf_words[instance].witness = group->state == VF_UNDECIDED ? (uint32_t)s->by_words : s->oldest;
    if (s->own && instance != s->own) vf_words[instance].changes = origin_of(s->own);
    return instance;
}

/* A power of a sum does not go through as the sum: it is a value of its own, or says what it is. */
static bool is_power_of_sum(uint32_t value, uint32_t work, uint32_t n, const uint32_t *labels)
{
    return vf_values[value].chain && (work & VF_IS_POWER || vf_are_power(n, labels));
}

/* What came of nothing in this word was copied to another one, and something else may be now: who has what
 * comes of nothing here again has computed it. */
static bool is_made_again(uint32_t base, const struct vf_group *group)
{
    uint32_t last = vf_words[base].last, owner = last ? vf_kin[last].owner : 0;
    return group->state == VF_UNDECIDED && owner && owner != base &&
           vf_words[last].signature == vf_begin_hash((uint64_t)base << 1);
}

/* All of what the labels stand for is looked at. `sight`: 0 where that tells whether it would go through. */
static uint32_t put_slowly(struct vf_cell *cell, uint32_t sight, uint32_t work, bool is_chosen, uint32_t n,
                           const uint32_t *labels)
{
    uint32_t base = cell->vertex & ~VF_FLAGGED;
    struct vf_group *group = &vf_groups[vf_kin[base].group];
    struct vf_sources s;
    s.n = s.age = s.own = s.oldest = 0;
    s.work = work & ~VF_IS_POWER;
    s.is_undecided = group->state == VF_UNDECIDED;
    s.hash = s.by_words = vf_begin_hash((uint64_t)base << 1);
    add_sources(&s, n, labels, base);
    watch_coefficients(base, group, &s);
    if (!s.n && is_made_again(base, group)) return vf_pass(cell, 0, NULL, VF_UNTOUCHED, s.work, false);
    bool may_go = s.n && s.n <= VF_FEW && !(s.n == 1 && is_power_of_sum(s.labels[0], work, n, labels));
    if (!sight && may_go && !sweeps(base, is_chosen, s.n, n, labels)) sight = VF_THROUGH;
    uint32_t vertex = vertex_of(cell, base, group, &s, sight), id = vf_value_create_held(vertex);
    if (!s.n && vf_kin[vertex].base) vf_kin[vertex].age = 1; /* what comes of nothing does not grow older */
    vf_is_named(id);
    for (uint32_t i = 0; i < s.n; i++) vf_pin(s.labels[i], vertex, 0);
    vf_add_work(vertex, s.work);
    return id;
}

/* A reader repeats what is between it and the sources. Of one source each step counts where it is read
 * itself: of a line of powers or coefficients the first would count in the last word. */
static inline uint32_t work_passed(uint32_t n_few, uint32_t work, uint32_t all_work)
{
    return n_few == 1 && work ? work : all_work;
}

uint32_t vf_workspace_value(struct vf_cell *cell, uint32_t work, bool is_chosen, uint32_t n,
                            const uint32_t *labels)
{
    uint32_t base = cell->vertex & ~VF_FLAGGED, flat[VF_FEW], own_work = work & ~VF_IS_POWER,
             all_work = own_work;
    if (vf_groups[vf_kin[base].group].state != VF_WORKSPACE)
        return put_slowly(cell, 0, work, is_chosen, n, labels);
    uint32_t n_few = vf_find_few(n, labels, flat, &all_work);
    bool is_few = n_few <= VF_FEW && !vf_are_long(n, labels); /* many never go through, swept or not */
    if (is_few && !sweeps(base, is_chosen, n_few, n, labels) && vf_goes_through(cell, n_few))
        return vf_pass(cell, n_few, flat, vf_find_outside(n, labels), work_passed(n_few, own_work, all_work),
                       n_few == 1 && is_power_of_sum(flat[0], work, n, labels));
    if (is_few) return put_slowly(cell, 0, work, is_chosen, n, labels);
    uint32_t sight = vf_sight_of(n, labels), seen = follows(base, sight);
    return seen ? put_seen(seen, own_work, n, labels) : put_slowly(cell, sight, work, is_chosen, n, labels);
}
