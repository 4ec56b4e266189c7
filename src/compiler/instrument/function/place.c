/*
 * `count(&h[k])` adds to the place that k chooses, as `++h[k]` does: what chose it goes along with the call.
 */
#include "compiler/instrument/function/place.h"

#include "compiler/instrument/function/address.h"

enum { MOST_CHOICES = 4, DEEPEST = 4, MOST_PLACES = 24 };

static void add_use(const struct node *node, LLVMValueRef value, struct use *uses, int *n)
{
    if (*n < MOST_USES) uses[(*n)++] = (struct use){value, node->block, node->position};
}

static void add_place(const struct node *node, LLVMValueRef p, struct use *uses, int *n)
{
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(p); i++)
            add_use(node, LLVMGetOperand(p, i), uses, n);
}

/* A pointer that was chosen is part of a place that was found, as are the places it was chosen from. */
static void add_found(const struct node *node, LLVMValueRef p, struct use *uses, int *n, int depth)
{
    add_place(node, p, uses, n);
    p = address_base(p);
    if (LLVMIsAInstruction(p)) add_use(node, p, uses, n);
    for (unsigned i = 1; LLVMIsASelectInst(p) && i <= 2 && depth < MOST_CHOICES; i++)
        add_found(node, LLVMGetOperand(p, i), uses, n, depth + 1);
}

int place_found_uses(const struct node *node, struct use *uses)
{
    int n = 0;
    add_found(node, LLVMGetOperand(node->value, 0), uses, &n, 0);
    return n;
}

/* Pointers that a chosen one was chosen from, and those that these were loaded from. */
struct web {
    const struct function *f;
    int at; /* the node where it is asked */
    LLVMValueRef pointers[MOST_PLACES];
    int n;
};

/* With what chose a place in an array, as far as it is known where it is asked. */
static void add_to_web(struct web *web, LLVMValueRef p, struct use *uses, int *n)
{
    const struct node *at = &web->f->nodes[web->at];
    for (; LLVMIsAGetElementPtrInst(p); p = LLVMGetOperand(p, 0))
        for (unsigned j = 1; j < (unsigned)LLVMGetNumOperands(p); j++) {
            int i = node_of(web->f, LLVMGetOperand(p, j));
            const struct node *index = i < 0 ? NULL : &web->f->nodes[i];
            if (index && index->position >= 0 &&
                dominates(web->f, index->block, index->position, at->block, at->position))
                add_use(at, index->value, uses, n);
        }
    p = address_base(p);
    if (!LLVMIsAInstruction(p) || web->n == MOST_PLACES) return;
    for (int i = 0; i < web->n; i++)
        if (web->pointers[i] == p) return;
    web->pointers[web->n++] = p;
}

/* `for (p = list[k % n]; p && p->key != k; p = p->next);`, as in a hash table: a place in a list that begins
 * where k chose was chosen by k, where the conditions of the search do not tell. */
static void add_begun(const struct function *f, int at, LLVMValueRef chosen, struct use *uses, int *n)
{
    struct web web = {.f = f, .at = at};
    int own = node_of(f, chosen);
    if (own >= 0 && f->nodes[own].carries) return;
    add_to_web(&web, chosen, uses, n);
    for (int k = 0; k < web.n; k++) {
        LLVMValueRef p = web.pointers[k];
        unsigned first = LLVMIsASelectInst(p) ? 1 : 0, end = first ? 3 : 0;
        if (LLVMIsAPHINode(p)) end = LLVMCountIncoming(p);
        if (LLVMIsALoadInst(p)) end = 1;
        for (unsigned j = first; j < end; j++) add_to_web(&web, LLVMGetOperand(p, j), uses, n);
    }
}

static bool is_choice(LLVMValueRef value)
{
    return LLVMIsAPHINode(value) || LLVMIsASelectInst(value);
}

/* `++*bin[k]`: a pointer that was loaded is the place that stood where k chose. */
int place_uses(const struct function *f, int i, LLVMValueRef pointer, struct use *uses)
{
    int n = 0;
    for (int depth = 0; i >= 0; depth++) {
        LLVMValueRef base = address_base(pointer);
        add_place(&f->nodes[i], pointer, uses, &n);
        if (LLVMIsAInstruction(base) || LLVMIsAArgument(base)) add_use(&f->nodes[i], base, uses, &n);
        if (is_choice(base)) add_begun(f, i, base, uses, &n);
        if (!LLVMIsALoadInst(base) || depth == DEEPEST) break;
        i = node_of(f, base);
        pointer = LLVMGetOperand(base, 0);
    }
    return n;
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

static bool is_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

static bool is_stored_at(LLVMValueRef pointer, int depth);

/* Does a call store at a pointer that it is given, as far as anybody knows? Calling itself a function does so
 * only where it does anyway. */
static bool call_stores_at(LLVMValueRef call, LLVMValueRef pointer, int depth)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool is_known = LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee) && depth < DEEPEST;
    if (!is_real_call(call) || callee == LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)))
        return false;
    for (unsigned j = 0; j < LLVMGetNumArgOperands(call); j++)
        if (LLVMGetOperand(call, j) == pointer &&
            (!is_known || j >= LLVMCountParams(callee) || is_stored_at(LLVMGetParam(callee, j), depth + 1)))
            return true;
    return false;
}

static bool is_stored_at(LLVMValueRef pointer, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user)) return true;
        if (LLVMIsAGetElementPtrInst(user) && is_stored_at(user, depth)) return true;
        if (is_call(user) && call_stores_at(user, pointer, depth)) return true;
    }
    return false;
}

/* Is the pointer nothing but an address? */
static bool is_address(LLVMValueRef pointer, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == pointer) return false;
        if (LLVMIsAStoreInst(user) || LLVMIsALoadInst(user) || is_call(user)) continue;
        if (!LLVMIsAGetElementPtrInst(user) || LLVMGetOperand(user, 0) != pointer || depth == DEEPEST ||
            !is_address(user, depth + 1))
            return false;
    }
    return true;
}

bool place_is_parameter(LLVMValueRef value)
{
    return LLVMIsAArgument(value) && is_pointer(value) && is_address(value, 0) && is_stored_at(value, 0);
}

/* Nobody asks in functions that are known, nor in those of the unit that do nothing at the place. */
static bool may_ask(LLVMValueRef call, unsigned j)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (is_assembly(call) || known_callee(call).kind != KNOWN_NOT) return false;
    if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee)) return true;
    return j < LLVMCountParams(callee) && place_is_parameter(LLVMGetParam(callee, j));
}

/* Sizes may carry a label, too, but say nothing: what is read in the loop does, and what the function was
 * given. */
static int data_uses_at(const struct function *f, int call, LLVMValueRef pointer, struct use *uses)
{
    int n = choosing_uses_at(f, call, pointer, uses), loop = f->blocks[f->nodes[call].block].loop;
    for (int i = 0; i < n; i++) {
        const struct node *chosen = &f->nodes[node_of(f, uses[i].value)];
        if (chosen->position < 0 || chosen->condition >= 0 || flow_is_read(f, loop, chosen->value)) return n;
    }
    return 0;
}

/* `act[k](h)`: what chose the function chose the place in it. So does `if (x[i] > x[i + 1]) set_bit(w, i)`,
 * where no data choose the place. */
int place_passed_uses(const struct function *f, int call, unsigned j, struct use *uses)
{
    LLVMValueRef value = f->nodes[call].value, pointer = LLVMGetOperand(value, j),
                 callee = LLVMGetCalledValue(value);
    if (!is_pointer(pointer) || !may_ask(value, j)) return 0;
    int n = data_uses_at(f, call, pointer, uses);
    if (!n) n = guarding_uses(f, call, uses);
    if (LLVMIsAFunction(callee) || LLVMIsAInlineAsm(callee)) return n;
    struct use more[MOST_USES];
    int n_more = data_uses_at(f, call, callee, more);
    for (int i = 0; i < n_more && n < MOST_USES; i++) uses[n++] = more[i];
    return n;
}

/* Is a number computed from what the function was given, and constants? */
static bool is_of_given(LLVMValueRef index, int depth)
{
    if (LLVMIsAArgument(index)) return true;
    if (depth == DEEPEST || !(LLVMIsACastInst(index) || LLVMIsABinaryOperator(index))) return false;
    bool any = false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(index); i++) {
        LLVMValueRef operand = LLVMGetOperand(index, i);
        if (LLVMIsAConstant(operand)) continue;
        if (!is_of_given(operand, depth + 1)) return false;
        any = true;
    }
    return any;
}

/* By the function, or by who gave it the key: `return h + k % n;`. */
bool place_has_choice(LLVMValueRef pointer)
{
    for (; LLVMIsAGetElementPtrInst(pointer); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
            LLVMValueRef index = LLVMGetOperand(pointer, i);
            if (is_of_given(index, 0)) return true;
            while (LLVMIsACastInst(index)) index = LLVMGetOperand(index, 0);
            if (LLVMIsAPHINode(index) || LLVMIsASelectInst(index)) return true;
        }
    return false;
}

int place_returned_uses(const struct function *f, int ret, struct use *uses)
{
    LLVMValueRef pointer = LLVMGetOperand(f->nodes[ret].value, 0);
    bool is_chosen = is_pointer(pointer) && (place_has_choice(pointer) || is_choice(address_base(pointer)));
    return is_chosen ? choosing_uses_at(f, ret, pointer, uses) : 0;
}
