/*
 * Labels of arguments and results. They travel in fixed places together with the identity of the callee: one
 * that does not find itself there was called by code without labels. So units need to know nothing of each
 * other, and callbacks and virtual functions are like any other call.
 */
#include <string.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/process/guard.h"
#include "valueflow/runtime/process/outside.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/values/value.h"

enum { MOST_ARGUMENTS = 64 };

static uint32_t arguments[MOST_ARGUMENTS];
static uint32_t n_arguments;
static const void *callee;
static struct copy {
    const void *from;
    uint32_t index;
} copies[MOST_ARGUMENTS]; /* structures that the callee gets by value */
static uint32_t n_copies;
static struct chosen {
    uint32_t label, index;
} places[MOST_ARGUMENTS]; /* what chose where pointers of the callee lead */
static uint32_t n_places;
enum { MOST_LISTS = 16, MOST_IN_LIST = 16 };
static struct list {
    const void *list;
    const char *what;
    uint32_t n, labels[MOST_IN_LIST];
} lists[MOST_LISTS]; /* of functions with variable arguments that hand them on, the innermost last */
static uint32_t n_lists;
static uint32_t returned;
static const void *returned_from;

void parcast_vf_call_begin(const void *function, uint32_t n, const uint32_t *labels)
{
    if (!vf_tracing) return;
    returned_from = NULL;
    returned = VF_UNTOUCHED;
    callee = function;
    n_copies = n_places = 0;
    n_arguments = n < MOST_ARGUMENTS ? n : MOST_ARGUMENTS;
    if (n_arguments) memcpy(arguments, labels, n_arguments * sizeof *labels);
}

uint32_t parcast_vf_argument(const void *function, uint32_t index)
{
    return vf_tracing && callee == function && index < n_arguments ? arguments[index] : VF_UNTOUCHED;
}

void parcast_vf_place_pass(uint32_t label, uint32_t index)
{
    if (vf_tracing && n_places < MOST_ARGUMENTS) places[n_places++] = (struct chosen){label, index};
}

uint32_t parcast_vf_place_take(const void *function, uint32_t index)
{
    if (!vf_tracing || callee != function) return VF_UNTOUCHED;
    for (uint32_t i = 0; i < n_places; i++)
        if (places[i].index == index) return places[i].label;
    return VF_UNTOUCHED;
}

void parcast_vf_copy_pass(const void *p, uint32_t index)
{
    if (vf_tracing && n_copies < MOST_ARGUMENTS) copies[n_copies++] = (struct copy){p, index};
}

/* From a caller without labels it is input. */
void parcast_vf_copy_take(const void *function, uint32_t index, void *p, uint64_t bytes, const char *name)
{
    const void *from = NULL;
    parcast_vf_frame_enter(p, bytes, name, true);
    if (!vf_tracing) return;
    for (uint32_t i = 0; callee == function && i < n_copies; i++)
        if (copies[i].index == index) from = copies[i].from;
    if (from) parcast_vf_move(p, from, bytes);
}

void parcast_vf_returns(const void *function, uint32_t label)
{
    if (!vf_tracing) return;
    returned = label;
    returned_from = function;
}

static uint32_t variable_labels(const void *function, uint32_t n_named, uint32_t *labels)
{
    uint32_t n = 0;
    if (!vf_tracing || callee != function) return 0;
    for (uint32_t i = n_named; i < n_arguments; i++)
        if (arguments[i]) labels[n++] = arguments[i];
    return n;
}

/* Variable arguments are read from memory that the back end lays out: what they carry is lost there. */
void parcast_vf_variable(const void *function, uint32_t n_named, const char *what)
{
    uint32_t labels[MOST_ARGUMENTS];
    if (variable_labels(function, n_named, labels)) vf_report(VF_REPORT_UNSUPPORTED, what);
}

static void drop_list(void)
{
    const struct list *last = &lists[--n_lists];
    for (uint32_t i = 0; i < last->n; i++) vf_release_register(last->labels[i]);
}

/* The stack grows downwards: a list below this one is of a function that has been left. */
void parcast_vf_variable_list(const void *list, const void *function, uint32_t n_named, const char *what)
{
    uint32_t labels[MOST_ARGUMENTS], n = variable_labels(function, n_named, labels);
    while (n_lists && (uintptr_t)lists[n_lists - 1].list <= (uintptr_t)list) drop_list();
    if (n && (n > MOST_IN_LIST || n_lists == MOST_LISTS)) vf_report(VF_REPORT_UNSUPPORTED, what);
    if (!n || n > MOST_IN_LIST || n_lists == MOST_LISTS) return;
    struct list *added = &lists[n_lists++];
    *added = (struct list){.list = list, .what = what, .n = n};
    memcpy(added->labels, labels, n * sizeof *labels);
    for (uint32_t i = 0; i < n; i++) vf_hold_register(labels[i]);
}

static const struct list *find_list(const void *list)
{
    for (uint32_t i = n_lists; i-- > 0;)
        if (lists[i].list == list) return &lists[i];
    return NULL;
}

uint32_t vf_list_labels(const void *list, const uint32_t **labels)
{
    const struct list *found = find_list(list);
    if (found) *labels = found->labels;
    return found ? found->n : 0;
}

void vf_list_lost(const void *list)
{
    const struct list *found = find_list(list);
    if (found) vf_report(VF_REPORT_UNSUPPORTED, found->what);
}

uint32_t parcast_vf_call_end(const void *function)
{
    if (!vf_tracing) return VF_UNTOUCHED;
    callee = NULL;
    return returned_from == function ? returned : vf_outside_result(function);
}

bool vf_call_returned(const void *function)
{
    return returned_from == function;
}

uint32_t vf_call_arguments(const void *function, const uint32_t **labels)
{
    *labels = arguments;
    return callee == function ? n_arguments : 0;
}

uint32_t parcast_vf_input(const void *text)
{
    if (!vf_tracing || vf_is_told(text)) return VF_UNTOUCHED;
    return vf_from_outside();
}

void parcast_vf_keep(uint32_t *slot, uint32_t label)
{
    if (!vf_tracing && !*slot) return;
    vf_hold_register(label);
    vf_release_register(*slot);
    *slot = label;
}

void parcast_vf_frame_enter(void *p, uint64_t bytes, const char *site, uint32_t is_fleeting)
{
    if (!vf_is_watching()) return;
    uint64_t context = (uint64_t)(uintptr_t)site;
    vf_block_add(VF_FRAME, (uintptr_t)p, bytes, context, site);
    if (is_fleeting) vf_group_is_workspace(vf_group_of(VF_FRAME, context, 0, site));
}

void parcast_vf_frame_leave(void *p, uint64_t bytes)
{
    (void)bytes;
    if (n_lists && lists[n_lists - 1].list == p) drop_list();
    if (vf_is_watching()) vf_block_remove((uintptr_t)p);
}
