/* Kinds of values, what carries a label, what needs one. */
#include "compiler/instrument/function/flow.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/instrument/function/address.h"
#include "compiler/instrument/function/choices.h"
#include "compiler/instrument/function/conditions.h"
#include "compiler/instrument/function/found.h"
#include "compiler/instrument/function/known.h"
#include "compiler/instrument/function/place.h"
#include "compiler/instrument/function/store.h"
#include "compiler/instrument/function/summed_questions.h"
#include "compiler/instrument/rewrite/exchanges.h"
#include "compiler/instrument/rewrite/firsts.h"
#include "compiler/instrument/rewrite/kept.h"
#include "compiler/instrument/rewrite/sorted.h"
#include "compiler/instrument/unit/descriptors.h"

enum { MOST_CHOICES = 4 }; /* of tables, one behind the other */

bool is_store(const struct node *node)
{
    return node->position >= 0 && LLVMGetInstructionOpcode(node->value) == LLVMStore &&
           !kept_is_hidden(node->value);
}

bool is_load(const struct node *node)
{
    return node->position >= 0 && LLVMGetInstructionOpcode(node->value) == LLVMLoad;
}

bool type_is_real(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMX86_FP80TypeKind;
}

/* Pointers carry nothing but what they are chosen by. */
bool type_carries(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
    case LLVMIntegerTypeKind:
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
        return true;
    default:
        return false;
    }
}

static enum node_kind kind_of_call(const struct node *node)
{
    if (is_pure_call(node->value)) return NODE_ARITH;
    return is_real_call(node->value) ? NODE_LEAF : NODE_NONE;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

/* Does a call go to a function of the unit that returns a pointer that it has chosen? */
static bool returns_choice(LLVMValueRef call, int depth)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || depth == MOST_CHOICES) return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsAReturnInst(end) || !LLVMGetNumOperands(end)) continue;
        LLVMValueRef base = address_base(LLVMGetOperand(end, 0));
        if (LLVMIsAPHINode(base) || LLVMIsASelectInst(base)) return true;
        if (is_pointer(base) && place_has_choice(LLVMGetOperand(end, 0))) return true;
        if (is_call(base) && returns_choice(base, depth + 1)) return true;
    }
    return false;
}

/* Is it what one call has returned, or null? Whether there was anything to make room for chooses no place. */
static bool is_room(LLVMValueRef phi)
{
    LLVMValueRef room = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (LLVMIsAConstantPointerNull(value)) continue;
        if (!is_call(value) || returns_choice(value, 0) || (room && value != room)) return false;
        room = value;
    }
    return room;
}

/* A pointer that is chosen is a place that was found, as an index would be. */
static enum node_kind kind_of_pointer(const struct node *node)
{
    if (node->position < 0) return place_is_parameter(node->value) ? NODE_LEAF : NODE_NONE;
    if (is_call(node->value)) return returns_choice(node->value, 0) ? NODE_LEAF : NODE_NONE;
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    if (op == LLVMPHI)
        return LLVMCountIncoming(node->value) <= MOST_USES && !is_room(node->value) ? NODE_PHI : NODE_NONE;
    return op == LLVMSelect ? NODE_SELECT : NODE_NONE;
}

static enum node_kind kind_of(const struct node *node)
{
    if (is_pointer(node->value)) return kind_of_pointer(node);
    if (!type_carries(LLVMTypeOf(node->value))) return NODE_NONE;
    if (node->position < 0) return NODE_LEAF;
    if (kept_is_bare(node->value)) return NODE_NONE;
    LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
    if ((op >= LLVMAdd && op <= LLVMXor) || (op >= LLVMTrunc && op <= LLVMSIToFP) || op == LLVMFPTrunc ||
        op == LLVMFPExt || op == LLVMPtrToInt || op == LLVMBitCast || op == LLVMICmp || op == LLVMFCmp ||
        op == LLVMFNeg || op == LLVMFreeze || op == LLVMExtractValue || op == LLVMInsertValue ||
        op == LLVMExtractElement || op == LLVMInsertElement || op == LLVMShuffleVector)
        return NODE_ARITH;
    switch (op) {
    case LLVMLoad:
        return NODE_LEAF;
    case LLVMCall:
    case LLVMInvoke:
        return kind_of_call(node);
    case LLVMSelect: /* of truth values: and, or */
        return LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMIntegerTypeKind &&
                       LLVMGetIntTypeWidth(LLVMTypeOf(node->value)) == 1
                   ? NODE_ARITH
                   : NODE_SELECT;
    case LLVMPHI:
        return LLVMCountIncoming(node->value) <= MOST_USES ? NODE_PHI : NODE_NONE;
    default:
        return NODE_NONE;
    }
}

static bool is_constant_table(LLVMValueRef p, int depth)
{
    p = address_base(p);
    if (LLVMIsAGlobalVariable(p)) return LLVMIsGlobalConstant(p);
    if (depth == MOST_CHOICES) return false;
    if (LLVMIsASelectInst(p))
        return is_constant_table(LLVMGetOperand(p, 1), depth + 1) &&
               is_constant_table(LLVMGetOperand(p, 2), depth + 1);
    if (!LLVMIsAPHINode(p)) return false;
    for (unsigned i = 0; i < LLVMCountIncoming(p); i++)
        if (!is_constant_table(LLVMGetIncomingValue(p, i), depth + 1)) return false;
    return true;
}

/* A constant table has no home: every processor has it. What stands in it is computed from the place alone,
 * and from what chose the table. */
static bool loads_constant(const struct node *node)
{
    return is_constant_table(LLVMGetOperand(node->value, 0), 0);
}

void flow_kinds(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        struct node *node = &f->nodes[i];
        node->kind = kind_of(node);
        if (!is_load(node) || node->kind == NODE_NONE) continue;
        if (LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMVectorTypeKind ||
            is_descriptor_member(node->value))
            node->kind = NODE_NONE;
        else if (loads_constant(node))
            node->kind =
                LLVMGetTypeKind(LLVMTypeOf(node->value)) == LLVMPointerTypeKind ? NODE_NONE : NODE_ARITH;
        else if (node->kind == NODE_LEAF && (found_by_content(f, i) || firsts_is_marked(node->value)))
            node->kind = NODE_ARITH;
    }
    for (int i = 0; i < f->n_nodes; i++) {
        if (!is_store(&f->nodes[i]) || is_descriptor_member(f->nodes[i].value)) continue;
        int stored = node_of(f, LLVMGetOperand(f->nodes[i].value, 0));
        if (stored < 0 || f->nodes[stored].kind == NODE_NONE) continue;
        struct node *node = &f->nodes[stored];
        node->stores = more_of(node->stores, (size_t)node->n_stores + 1, sizeof *node->stores);
        node->stores[node->n_stores++] = i;
    }
}

static int end_of(const struct function *f, int block)
{
    return f->nodes[node_of(f, block_end(f, block))].position;
}

static int phi_uses(const struct function *f, const struct node *node, struct use *uses)
{
    unsigned n = LLVMCountIncoming(node->value);
    if (n > MOST_USES) return -1;
    for (unsigned i = 0; i < n; i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(node->value, i);
        int block = block_at(f, from);
        uses[i] = (struct use){LLVMGetIncomingValue(node->value, i), block, end_of(f, block)};
    }
    return (int)n;
}

/* Pointers are no data, but where the place that was found is asked for, or whether it is another one:
 * `find(x, x + n) != x + n`. */
static bool is_data(const struct function *f, const struct node *node, LLVMValueRef operand)
{
    if (!is_pointer(operand) || node->kind != NODE_ARITH || LLVMIsAPtrToIntInst(node->value)) return true;
    bool is_same = LLVMIsAICmpInst(node->value) && (LLVMGetICmpPredicate(node->value) == LLVMIntEQ ||
                                                    LLVMGetICmpPredicate(node->value) == LLVMIntNE);
    int i = is_same ? node_of(f, operand) : -1;
    return i >= 0 && f->nodes[i].kind != NODE_NONE && f->nodes[i].position >= 0 &&
           !(f->nodes[i].kind == NODE_PHI && is_loop_header(f, f->nodes[i].block));
}

int data_uses(const struct function *f, int i, struct use *uses)
{
    const struct node *node = &f->nodes[i];
    if (node->kind == NODE_PHI) return phi_uses(f, node, uses);
    if (node->kind == NODE_ARITH && is_load(node)) return place_found_uses(node, uses);
    if (node->kind != NODE_ARITH && node->kind != NODE_SELECT) return 0;
    int n = LLVMGetNumOperands(node->value), first = node->kind == NODE_SELECT, count = 0;
    if (LLVMIsACallInst(node->value) || LLVMIsAInvokeInst(node->value))
        n = (int)LLVMGetNumArgOperands(node->value);
    for (int j = first; j < n && count < MOST_USES; j++) {
        LLVMValueRef operand = LLVMGetOperand(node->value, (unsigned)j);
        if (!is_data(f, node, operand)) continue;
        uses[count++] = (struct use){operand, node->block, node->position};
    }
    return count;
}

bool condition_use(const struct function *f, int i, struct use *use)
{
    const struct node *node = &f->nodes[i];
    if (node->condition < 0) return false;
    if (node->kind == NODE_SELECT) {
        *use = (struct use){f->nodes[node->condition].value, node->block, node->position};
    } else {
        int fork = f->blocks[node->block].dominator;
        *use = (struct use){f->nodes[node->condition].value, fork, end_of(f, fork)};
    }
    return true;
}

/* The nearest of the stores before; all that dominate a place dominate one another in some order. */
int forwarded(const struct function *f, const struct use *use)
{
    int i = node_of(f, use->value), found = -1;
    if (i < 0 || f->nodes[i].identity) return -1;
    for (int j = 0; j < f->nodes[i].n_stores; j++) {
        const struct node *store = &f->nodes[f->nodes[i].stores[j]];
        if (!dominates(f, store->block, store->position, use->block, use->position)) continue;
        if (found < 0 ||
            dominates(f, f->nodes[found].block, f->nodes[found].position, store->block, store->position))
            found = f->nodes[i].stores[j];
    }
    return found;
}

bool use_carries(const struct function *f, const struct use *use)
{
    int i = node_of(f, use->value);
    return i >= 0 && f->nodes[i].carries;
}

bool flow_operand_carries(const struct function *f, int i)
{
    struct use uses[MOST_USES];
    int n = data_uses(f, i, uses);
    if (n < 0) return true;
    for (int j = 0; j < n; j++)
        if (use_carries(f, &uses[j])) return true;
    return f->nodes[i].condition >= 0;
}

void flow_spread(struct function *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->n_nodes; i++) {
            struct node *node = &f->nodes[i];
            if (node->carries || node->kind == NODE_NONE) continue;
            if (node->kind != NODE_LEAF && !flow_operand_carries(f, i)) continue;
            node->carries = changed = true;
        }
    }
}

LLVMValueRef condition_of(const struct function *f, const struct node *node)
{
    if (node->kind == NODE_SELECT) return LLVMGetOperand(node->value, 0);
    const struct block *block = &f->blocks[node->block];
    if (is_loop_header(f, node->block)) return NULL;
    if (block->n_before < 2 || block->dominator < 0) return NULL;
    LLVMValueRef end = block_end(f, block->dominator);
    if (LLVMIsASwitchInst(end)) return LLVMGetOperand(end, 0);
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

/* Loads, and choices among nothing else: storing one is a copy. Arguments and results of calls may have been
 * computed on the way. */
static bool starts_identity(const struct node *node)
{
    if (!node->carries || node->condition >= 0 || exchanges_chooses(node->value)) return false;
    if (node->kind == NODE_LEAF) return is_load(node);
    if (node->kind == NODE_ARITH)
        return LLVMGetInstructionOpcode(node->value) == LLVMBitCast ||
               LLVMGetInstructionOpcode(node->value) == LLVMFreeze;
    return node->kind != NODE_NONE && !store_is_extremum(node->value, NULL, NULL);
}

static void find_identities(struct function *f)
{
    struct use uses[MOST_USES];
    for (int i = 0; i < f->n_nodes; i++) f->nodes[i].identity = starts_identity(&f->nodes[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < f->n_nodes; i++) {
            if (!f->nodes[i].identity || f->nodes[i].kind == NODE_LEAF) continue;
            int n = data_uses(f, i, uses);
            for (int j = 0; j < n && f->nodes[i].identity; j++) {
                int other = node_of(f, uses[j].value);
                if (other < 0 || !f->nodes[other].carries || f->nodes[other].identity) continue;
                f->nodes[i].identity = false;
                changed = true;
            }
        }
    }
}

void flow_carries(struct function *f)
{
    flow_spread(f);
    conditions_take(f);
    choices_take_conditions(f);
    sorted_take_conditions(f);
    find_identities(f);
}

static void need(struct function *f, const struct use *use)
{
    struct use uses[MOST_USES + 1];
    int i = node_of(f, use->value);
    if (i < 0 || f->nodes[i].needed || !f->nodes[i].carries || forwarded(f, use) >= 0) return;
    f->nodes[i].needed = true;
    int n = data_uses(f, i, uses);
    if (n < 0) n = 0;
    if (condition_use(f, i, &uses[n])) n++;
    for (int j = 0; j < n; j++) need(f, &uses[j]);
}

static void need_operand(struct function *f, const struct node *node, LLVMValueRef operand)
{
    struct use use = {operand, node->block, node->position};
    need(f, &use);
}

static void need_terms(struct function *f, int store, const struct update *update)
{
    const struct node *node = &f->nodes[store];
    struct use uses[MOST_USES];
    for (int i = 0; i < update->n; i++) {
        need_operand(f, node, update->terms[i]);
        if (update->factors[i]) need_operand(f, node, update->factors[i]);
    }
    bool carry = terms_carry(f, store, update);
    int n = carry ? choosing_uses(f, store, uses) : standing_uses(f, store, uses);
    for (int i = 0; i < n; i++)
        if (!carry || LLVMIsAArgument(uses[i].value)) need(f, &uses[i]);
    n = carry && store_is_of_given(update) ? standing_uses(f, store, uses) : 0;
    for (int i = 0; i < n; i++) need(f, &uses[i]);
    n = carry ? summed_questions(f, store, uses) : 0;
    for (int i = 0; i < n; i++) need(f, &uses[i]);
}

bool flow_takes_questions(const struct function *f, int store)
{
    LLVMValueRef value = LLVMGetOperand(f->nodes[store].value, 0);
    int i = node_of(f, value);
    if (!type_carries(LLVMTypeOf(value)) || is_pointer(value)) return false;
    return i < 0 || !f->nodes[i].carries || (LLVMIsASelectInst(value) && kept_is_asked(value));
}

static void need_place(struct function *f, int ret)
{
    struct use uses[MOST_USES];
    int n = place_returned_uses(f, ret, uses);
    for (int i = 0; i < n; i++) need(f, &uses[i]);
}

static void need_argument(struct function *f, int call, unsigned j)
{
    struct use uses[MOST_USES];
    LLVMValueRef argument = LLVMGetOperand(f->nodes[call].value, j);
    if (!LLVMIsAArgument(argument) || !is_pointer(argument)) need_operand(f, &f->nodes[call], argument);
    int n = place_passed_uses(f, call, j, uses);
    for (int i = 0; i < n; i++) need(f, &uses[i]);
}

/* A constant that is stored comes of what was asked before. */
static void need_questions(struct function *f, int store)
{
    struct use uses[MOST_USES];
    int n = flow_takes_questions(f, store) ? store_questions(f, store, uses) : 0;
    for (int i = 0; i < n; i++) {
        need(f, &uses[i]);
        f->nodes[node_of(f, uses[i].value)].asked = true;
    }
}

void flow_needed(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        const struct node *node = &f->nodes[i];
        if (node->position < 0) continue;
        struct update update;
        LLVMOpcode op = LLVMGetInstructionOpcode(node->value);
        if (op == LLVMStore && (!is_store(node) || is_descriptor_member(node->value))) continue;
        if (op == LLVMStore && store_is_update(f, i, &update)) {
            if (update.load >= 0) f->nodes[update.load].skip = true;
            need_terms(f, i, &update);
        } else if (op == LLVMStore || (op == LLVMRet && LLVMGetNumOperands(node->value))) {
            struct use compared;
            if (op == LLVMRet) need_place(f, i);
            need_operand(f, node, LLVMGetOperand(node->value, 0));
            if (op == LLVMStore && sorted_use(f, i, &compared)) need(f, &compared);
            if (op == LLVMStore) need_questions(f, i);
        } else if (is_real_call(node->value)) {
            for (unsigned j = 0; j < LLVMGetNumArgOperands(node->value); j++) need_argument(f, i, j);
        }
    }
}

bool flow_is_single_use(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

bool flow_is_stored(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value) return true;
    }
    return false;
}
