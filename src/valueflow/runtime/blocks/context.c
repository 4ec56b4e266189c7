/* Which of the live blocks of a context a new one is: the lowest number that is free. */
#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/blocks/workspace.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/tables/hash.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

/* The free numbers below `next` as a heap with the lowest first. */
struct slots {
    uint32_t *heap;
    size_t n, capacity;
    uint32_t next;
};

static struct slots *contexts;
static size_t context_capacity;
static uint32_t n_contexts = 1;
static struct vf_hash by_context = {.width = 3};
static uint32_t n_blocks;

static struct slots *slots_of(uint64_t context, uint32_t kind)
{
    uint32_t key[3] = {(uint32_t)context, (uint32_t)(context >> 32), kind},
             *at = vf_hash_at(&by_context, key);
    if (!*at) {
        contexts = vf_grow(contexts, &context_capacity, sizeof *contexts, n_contexts);
        *at = n_contexts++;
        vf_hash_added(&by_context);
    }
    return &contexts[*at];
}

uint32_t vf_blocks_at_once(uint64_t context, uint32_t kind)
{
    return kind == VF_HEAP || kind == VF_FRAME ? slots_of(context, kind)->next : 0;
}

static uint32_t take_slot(struct slots *slots)
{
    if (!slots->n) return slots->next++;
    uint32_t lowest = slots->heap[0], last = slots->heap[--slots->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < slots->n; i = child) {
        if (child + 1 < slots->n && slots->heap[child + 1] < slots->heap[child]) child++;
        if (last <= slots->heap[child]) break;
        slots->heap[i] = slots->heap[child];
    }
    slots->heap[i] = last;
    return lowest;
}

static void give_slot(struct slots *slots, uint32_t slot)
{
    slots->heap = vf_grow(slots->heap, &slots->capacity, sizeof *slots->heap, slots->n);
    size_t i = slots->n++;
    for (; i && slots->heap[(i - 1) / 2] > slot; i = (i - 1) / 2) slots->heap[i] = slots->heap[(i - 1) / 2];
    slots->heap[i] = slot;
}

/* What a function's frame held is gone when it is entered again. */
static void enter_frame(const struct vf_block *block)
{
    static struct vf_hash entered = {.width = 2};
    uint32_t key[2] = {(uint32_t)block->context, (uint32_t)(block->context >> 32)};
    uint32_t *at = vf_hash_at(&entered, key);
    if (*at)
        vf_group_is_workspace(vf_group_of(VF_FRAME, block->context, 0, block->name));
    else
        vf_hash_added(&entered);
    *at = 1;
}

void vf_block_add(enum vf_object_kind kind, uintptr_t base, size_t bytes, uint64_t context, const char *name)
{
    const struct vf_block *old; /* memory that came back another way: frames that an exception left */
    while ((old = vf_blocks_among(base, bytes ? bytes : 1))) vf_block_remove(old->base);
    struct vf_block *block = vf_blocks_insert(base, bytes);
    block->kind = kind;
    block->context = context;
    block->name = block->made_as = name;
    block->number = ++n_blocks;
    block->in_region = vf_tracing || vf_skipping;
    if (kind == VF_FRAME && vf_tracing) enter_frame(block);
    block->slot = kind == VF_HEAP || kind == VF_FRAME ? take_slot(slots_of(context, kind)) : 0;
}

bool vf_is_there(uintptr_t address)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return (address >= here && address < vf_stack_top()) || vf_blocks_find(address);
}

uint32_t parcast_vf_blocks(void)
{
    return n_blocks;
}

static void go(struct vf_object *object)
{
    object->is_gone = true;
    if (!object->gone) object->gone = 1 + vf_values_created();
}

void vf_block_remove(uintptr_t base)
{
    const struct vf_block *block = vf_blocks_find(base);
    if (!block || block->base != base) return;
    if (vf_entered) vf_forget(base, block->bytes);
    if (vf_tracing && block->in_region && block->object) go(&vf_objects[block->object]);
    if (block->kind == VF_HEAP || block->kind == VF_FRAME)
        give_slot(slots_of(block->context, block->kind), block->slot);
    vf_blocks_delete(base);
}

size_t vf_block_bytes(uintptr_t base)
{
    const struct vf_block *block = vf_blocks_find(base);
    return block && block->base == base ? block->bytes : 0;
}

bool vf_block_around(uintptr_t address, uintptr_t *base, size_t *bytes)
{
    const struct vf_block *block = vf_blocks_find(address);
    if (!block) return false;
    *base = block->base;
    *bytes = block->bytes;
    return true;
}
