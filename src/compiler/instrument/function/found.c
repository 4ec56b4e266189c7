/*
 * `for (i = 1; i < n; i++) if (x[i] > x[b]) b = i;` and then x[b], or *std::max_element(x, x + n): every part
 * has found its own, and the largest of these comes with its place. So what is loaded there is computed from
 * what was compared, as the place is, and not from the one word that it stands in.
 */
#include "compiler/instrument/function/found.h"

#include <string.h>

#include "compiler/instrument/function/address.h"

enum { MOST_IN_WEB = 16, MOST_STEPS = 4, MOST_BLOCKS = 32 };

/* A place that is chosen: the address, and which operand of it (-1: itself) is chosen. */
struct place {
    LLVMValueRef address;
    int chosen;
};

static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) || LLVMIsATruncInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool is_choice(LLVMValueRef value)
{
    return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

static LLVMValueRef chosen_in(const struct place *place)
{
    if (place->chosen < 0) return place->address;
    return without_casts(LLVMGetOperand(place->address, (unsigned)place->chosen));
}

/* One thing is chosen: the pointer, or the only index that is no constant. */
static bool place_at(LLVMValueRef address, struct place *place)
{
    *place = (struct place){address, -1};
    if (is_choice(address)) return true;
    if (!LLVMIsAGetElementPtrInst(address)) return false;
    for (int i = 1; i < LLVMGetNumOperands(address); i++) {
        if (LLVMIsAConstant(LLVMGetOperand(address, (unsigned)i))) continue;
        if (place->chosen >= 0) return false;
        place->chosen = i;
    }
    if (place->chosen < 0) place->chosen = 0;
    return is_choice(chosen_in(place));
}

/* Is it the same place but for what was chosen, which is `other` there? */
static bool is_alike(const struct place *place, LLVMValueRef address, LLVMValueRef other)
{
    LLVMValueRef mine = place->address;
    if (place->chosen < 0) return address == other;
    if (!LLVMIsAGetElementPtrInst(address) || LLVMGetNumOperands(address) != LLVMGetNumOperands(mine) ||
        LLVMGetGEPSourceElementType(address) != LLVMGetGEPSourceElementType(mine))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(mine); i++) {
        LLVMValueRef operand = LLVMGetOperand(address, (unsigned)i);
        if (i == place->chosen ? without_casts(operand) != without_casts(other)
                               : operand != LLVMGetOperand(mine, (unsigned)i))
            return false;
    }
    return true;
}

/* Is it the same in every turn of the loop that the instruction is in? */
static bool is_steady(const struct function *f, LLVMValueRef value, LLVMValueRef instruction)
{
    int i = node_of(f, value), at = node_of(f, instruction);
    if (!LLVMIsAInstruction(value)) return true;
    if (i < 0 || at < 0) return false;
    int loop = f->blocks[f->nodes[at].block].loop;
    return loop >= 0 && !loop_holds(f, loop, f->nodes[i].block);
}

/* The operand that a step of |x - a| and the like goes on from; NULL where it is none. */
static LLVMValueRef step_from(const struct function *f, LLVMValueRef value)
{
    const char *name = intrinsic_name(value);
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if ((op >= LLVMTrunc && op <= LLVMFPExt) || op == LLVMFNeg || op == LLVMFreeze ||
        (name && strncmp(name, "llvm.fabs.", 10) == 0))
        return LLVMGetOperand(value, 0);
    if (!LLVMIsABinaryOperator(value)) return NULL;
    if (LLVMGetOperand(value, 0) == LLVMGetOperand(value, 1)) return LLVMGetOperand(value, 0); /* a square */
    for (unsigned i = 0; i < 2; i++)
        if (is_steady(f, LLVMGetOperand(value, 1 - i), value)) return LLVMGetOperand(value, i);
    return NULL;
}

/* What was loaded, of which a number is computed by such steps. */
static LLVMValueRef loaded(const struct function *f, LLVMValueRef value)
{
    for (int i = 0; i < MOST_STEPS && value && LLVMIsAInstruction(value) && !LLVMIsALoadInst(value); i++)
        value = step_from(f, value);
    if (!value) return NULL;
    return LLVMIsALoadInst(value) && node_of(f, value) >= 0 ? value : NULL;
}

static unsigned alternatives_of(LLVMValueRef choice)
{
    return LLVMIsAPHINode(choice) ? LLVMCountIncoming(choice) : 2;
}

static LLVMValueRef alternative(LLVMValueRef choice, unsigned i)
{
    return without_casts(LLVMIsAPHINode(choice) ? LLVMGetIncomingValue(choice, i)
                                                : LLVMGetOperand(choice, i + 1));
}

/* Was it chosen by what stands at one of the places? */
static bool compares_content(const struct function *f, LLVMValueRef choice, const struct place *place)
{
    LLVMValueRef condition = condition_of(f, &f->nodes[node_of(f, choice)]);
    if (!condition || !(LLVMIsAFCmpInst(condition) || LLVMIsAICmpInst(condition))) return false;
    for (unsigned side = 0; side < 2; side++) {
        LLVMValueRef load = loaded(f, LLVMGetOperand(condition, side));
        for (unsigned i = 0; load && i < alternatives_of(choice); i++)
            if (is_alike(place, LLVMGetOperand(load, 0), alternative(choice, i))) return true;
    }
    return false;
}

struct web {
    LLVMValueRef choices[MOST_IN_WEB];
    int n;
};

static void add(struct web *web, LLVMValueRef value)
{
    if (!is_choice(value) || web->n == MOST_IN_WEB) return;
    for (int i = 0; i < web->n; i++)
        if (web->choices[i] == value) return;
    web->choices[web->n++] = value;
    for (unsigned i = 0; i < alternatives_of(value); i++) add(web, alternative(value, i));
}

/* The array that a pointer leads to whichever way it was chosen; NULL where there are several. */
static LLVMValueRef only_array(LLVMValueRef address)
{
    struct web seen = {.n = 0};
    LLVMValueRef todo[MOST_IN_WEB * 2], array = NULL;
    int n = 0;
    for (todo[n++] = address_base(address); n > 0;) {
        LLVMValueRef base = todo[--n];
        bool is_new = true;
        for (int i = 0; i < seen.n; i++) is_new = is_new && seen.choices[i] != base;
        if (!is_choice(base)) {
            if (array && array != base) return NULL;
            array = base;
        } else if (is_new) {
            unsigned m = alternatives_of(base);
            if (seen.n == MOST_IN_WEB || n + (int)m > MOST_IN_WEB * 2) return NULL;
            seen.choices[seen.n++] = base;
            for (unsigned i = 0; i < m; i++) todo[n++] = address_base(alternative(base, i));
        }
    }
    return array;
}

/* May the instruction change what stands in the array? Numbers of another type, or in an array with another
 * name, are taken to be others. */
static bool changes(LLVMValueRef instruction, LLVMValueRef load, LLVMValueRef array)
{
    if (!LLVMIsAStoreInst(instruction)) return is_real_call(instruction);
    if (LLVMTypeOf(LLVMGetOperand(instruction, 0)) != LLVMTypeOf(load)) return false;
    LLVMValueRef changed = only_array(LLVMGetOperand(instruction, 1));
    return !array || !changed || changed == array;
}

/* From an instruction back to another, or to the begin of its block. */
static bool any_changes(LLVMValueRef from, LLVMValueRef to, LLVMValueRef load, LLVMValueRef array)
{
    for (LLVMValueRef i = from; i && i != to; i = LLVMGetPreviousInstruction(i))
        if (changes(i, load, array)) return true;
    return false;
}

/* Nothing is stored on any way from where the search ended. */
static bool is_as_found(const struct function *f, int load, LLVMValueRef chosen)
{
    LLVMValueRef value = f->nodes[load].value, array = only_array(LLVMGetOperand(value, 0));
    int here = f->nodes[load].block, end = f->nodes[node_of(f, chosen)].block, ways[MOST_BLOCKS], n = 0;
    if (any_changes(LLVMGetPreviousInstruction(value), chosen, value, array)) return false;
    if (here == end) return true;
    for (int k = -1; k < n; k++) {
        int block = k < 0 ? here : ways[k];
        if (!f->blocks[block].n_before) return false;
        for (int j = 0; block != end && j < f->blocks[block].n_before; j++) {
            int before = f->blocks[block].before[j], m = 0;
            while (m < n && ways[m] != before) m++;
            if (m < n) continue;
            if (n == MOST_BLOCKS ||
                any_changes(LLVMGetLastInstruction(f->blocks[before].ref), chosen, value, array))
                return false;
            ways[n++] = before;
        }
    }
    return true;
}

/* Is it what a loop has found until the turn begins? What stands there in the loop is one of those that are
 * compared. Where a search begins may be the counter of a loop around it. */
static bool is_so_far(const struct function *f, int loop, LLVMValueRef choice)
{
    if (!LLVMIsAPHINode(choice) || f->nodes[node_of(f, choice)].block != f->loops[loop].header) return false;
    for (unsigned i = 0; i < alternatives_of(choice); i++)
        if (is_choice(alternative(choice, i)) &&
            loop_holds(f, loop, block_at(f, LLVMGetIncomingBlock(choice, i))))
            return true;
    return false;
}

bool found_by_content(const struct function *f, int load)
{
    struct place place;
    struct web web = {.n = 0};
    const struct node *node = &f->nodes[load];
    if (LLVMGetVolatile(node->value) || !place_at(LLVMGetOperand(node->value, 0), &place)) return false;
    LLVMValueRef chosen = chosen_in(&place);
    if (node_of(f, chosen) < 0) return false;
    add(&web, chosen);
    for (int i = 0; i < f->n_loops; i++)
        for (int j = 0; j < web.n && loop_holds(f, i, node->block); j++)
            if (is_so_far(f, i, web.choices[j])) return false;
    for (int j = 0; j < web.n; j++)
        if (compares_content(f, web.choices[j], &place)) return is_as_found(f, load, chosen);
    return false;
}
