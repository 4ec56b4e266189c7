/* What a word holds at the end of each way, as far as the stores and loads between tell. */
#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/flow.h"
#include "compiler/instrument/rewrite/detours/detour.h"
#include "compiler/instrument/unit/effects.h"

enum { MOST_DEPTH = 12 };

bool detour_loads(const struct function *f, int i, LLVMValueRef pointer)
{
    return i >= 0 && is_load(&f->nodes[i]) && f->nodes[i].kind == NODE_LEAF &&
           address_is_reloaded(LLVMGetOperand(f->nodes[i].value, 0), pointer) &&
           !LLVMGetVolatile(f->nodes[i].value);
}

bool detour_stores(const struct node *node)
{
    return is_store(node) && !LLVMGetVolatile(node->value) &&
           LLVMGetOrdering(node->value) == LLVMAtomicOrderingNotAtomic;
}

static bool intrinsic_writes(LLVMValueRef call)
{
    static const char *const writers[] = {"llvm.mem", "llvm.masked.", "llvm.x86.", "llvm.lifetime.",
                                          "llvm.stackrestore"};
    const char *name = intrinsic_name(call);
    for (size_t i = 0; name && i < sizeof writers / sizeof *writers; i++)
        if (strncmp(name, writers[i], strlen(writers[i])) == 0) return true;
    return false;
}

/* Is the place in the array the same whatever the data? */
bool detour_is_fixed(const struct function *f, int loop, LLVMValueRef pointer)
{
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (flow_is_data(f, loop, LLVMGetOperand(pointer, i))) return false;
    return true;
}

/* Another word, as far as labels go: of another array, or of another place in this one. */
static bool is_other(const struct function *f, const struct detour *d, LLVMValueRef pointer)
{
    int loop = f->blocks[d->fork].loop;
    return address_base(pointer) != address_base(d->pointer) ||
           (detour_is_fixed(f, loop, pointer) && detour_is_fixed(f, loop, d->pointer));
}

static bool may_touch(const struct function *f, const struct detour *d, const struct node *node)
{
    LLVMValueRef value = node->value;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMCall:
    case LLVMInvoke:
    case LLVMCallBr:
        if (is_real_call(value) && effects_spare(value, address_base(d->pointer))) return false;
        return is_real_call(value) || is_reading_call(value) || intrinsic_writes(value);
    case LLVMStore:
        return !is_other(f, d, LLVMGetOperand(value, 1));
    case LLVMLoad:
        return !is_other(f, d, LLVMGetOperand(value, 0));
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return true;
    default:
        return false;
    }
}

int detour_word_in(const struct function *f, const struct detour *d, int block)
{
    if (d->is_changed[block]) return DETOUR_CHANGED;
    for (LLVMValueRef i = LLVMGetLastInstruction(f->blocks[block].ref); i;
         i = LLVMGetPreviousInstruction(i)) {
        int n = node_of(f, i);
        if (n < 0) continue;
        const struct node *node = &f->nodes[n];
        bool is_put = detour_stores(node) && address_is_reloaded(LLVMGetOperand(i, 1), d->pointer);
        if (is_put || detour_loads(f, n, d->pointer)) return n;
        if (LLVMIsAStoreInst(i) && !is_store(node)) continue; /* another stands for it */
        if (may_touch(f, d, node)) return DETOUR_TOUCHED;
    }
    return DETOUR_SILENT;
}

LLVMValueRef detour_value_of(const struct function *f, int word)
{
    LLVMValueRef i = f->nodes[word].value;
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
}

static bool add_held(struct detour *d, LLVMValueRef value, bool is_put)
{
    if (d->n_held && LLVMTypeOf(value) != LLVMTypeOf(d->held[0])) return false;
    for (int i = 0; i < d->n_held; i++) {
        if (d->held[i] != value) continue;
        d->is_put[i] = d->is_put[i] && is_put;
        return true;
    }
    if (d->n_held == MOST_HELD) return false;
    d->held[d->n_held] = value;
    d->is_put[d->n_held++] = is_put;
    return true;
}

static bool add_word(const struct function *f, struct detour *d, int node, bool is_between)
{
    bool is_put = is_store(&f->nodes[node]);
    LLVMValueRef value = detour_value_of(f, node);
    if (!add_held(d, value, is_put && is_between)) return false;
    if (!is_between) {
        d->before = value;
        d->pointer_before = LLVMGetOperand(f->nodes[node].value, is_put);
    }
    if (is_put && is_between) d->stores[d->n_stores++] = node;
    return true;
}

/* The block that leads to all ways into this one, of which none says anything of the word, as where something
 * else was chosen before: `p = e < 0 ? 1 : exp(-e)`. DETOUR_TOUCHED where one does, or is a loop. */
static int above(const struct function *f, const struct detour *d, int block)
{
    int top = f->blocks[block].dominator, ways[MOST_WAYS + 1] = {block};
    if (f->blocks[block].n_before == 1) return f->blocks[block].before[0];
    if (top < 0 || top == block || f->blocks[top].loop != f->blocks[block].loop) return DETOUR_TOUCHED;
    for (int i = 0, n = 1; i < n; i++)
        for (int j = 0; j < f->blocks[ways[i]].n_before; j++) {
            int before = f->blocks[ways[i]].before[j], k = 0;
            while (k < n && ways[k] != before) k++;
            if (k < n || before == top || f->blocks[before].order < 0) continue;
            if (n > MOST_WAYS || f->blocks[before].loop != f->blocks[top].loop) return DETOUR_TOUCHED;
            int word = detour_word_in(f, d, before);
            if (word != DETOUR_SILENT) return word == DETOUR_CHANGED ? word : DETOUR_TOUCHED;
            ways[n++] = before;
        }
    return top;
}

/* From the fork back, where one block leads to the next. */
static bool find_before(const struct function *f, struct detour *d)
{
    int block = d->fork;
    for (int depth = 0; depth < MOST_DEPTH && block >= 0; depth++) {
        int word = detour_word_in(f, d, block);
        if (word >= 0) return add_word(f, d, word, false);
        block = word == DETOUR_SILENT ? above(f, d, block) : word;
    }
    if (block == DETOUR_CHANGED) return false;
    d->is_unknown = true;
    return true;
}

/* At the end of a way; one that says nothing passes on what those before it say. */
static bool find_at_end(const struct function *f, struct detour *d, bool *seen, int block)
{
    int way = detour_way(d, block), word;
    if (seen[way]) return true;
    seen[way] = true;
    if (!way) return find_before(f, d);
    word = detour_word_in(f, d, block);
    if (word != DETOUR_SILENT) return word >= 0 && add_word(f, d, word, true);
    for (int i = 0; i < f->blocks[block].n_before; i++)
        if (!find_at_end(f, d, seen, f->blocks[block].before[i])) return false;
    return true;
}

bool detour_find_held(const struct function *f, struct detour *d)
{
    bool seen[MOST_WAYS] = {false};
    d->n_held = d->n_stores = 0;
    d->is_unknown = false;
    d->before = d->pointer_before = NULL;
    for (int i = 0; i < d->n_into; i++)
        if (!find_at_end(f, d, seen, d->into[i])) return false;
    return d->n_stores > 0;
}
