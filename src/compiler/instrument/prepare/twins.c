/*
 * `if (r < cut) energy += e(r);` in loops within loops, of a variable of the unit: the optimiser loads it
 * once for each loop and carries each of these numbers on, in phis that hold the same. One of them is the
 * sum; another one looks as if it chose the last that the sum has been. Phis of a block are the same where
 * what they take from each block before is the same, and phis that lead around a loop are, unless something
 * tells them apart (the coarsest partition, by refinement).
 */
#include "compiler/instrument/prepare/twins.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "compiler/instrument/function/function.h"

struct twin {
    LLVMValueRef phi;
    int like; /* the first phi of its class */
};

struct twins {
    struct twin *all; /* by the address of the phi */
    int n;
};

static int by_phi(const void *a, const void *b)
{
    uintptr_t one = (uintptr_t)((const struct twin *)a)->phi,
              other = (uintptr_t)((const struct twin *)b)->phi;
    return (one > other) - (one < other);
}

static const struct twin *twin_of(const struct twins *t, LLVMValueRef value)
{
    struct twin key = {.phi = value};
    return LLVMIsAPHINode(value) ? bsearch(&key, t->all, (size_t)t->n, sizeof *t->all, by_phi) : NULL;
}

static bool is_same(const struct twins *t, LLVMValueRef a, LLVMValueRef b)
{
    if (a == b) return true;
    const struct twin *one = twin_of(t, a), *other = twin_of(t, b);
    return one && other && one->like == other->like;
}

static bool may_be_same(LLVMValueRef a, LLVMValueRef b)
{
    if (LLVMTypeOf(a) != LLVMTypeOf(b) || LLVMCountIncoming(a) != LLVMCountIncoming(b)) return false;
    return !LLVMCanValueUseFastMathFlags(a) || LLVMGetFastMathFlags(a) == LLVMGetFastMathFlags(b);
}

static bool take_same(const struct twins *t, LLVMValueRef a, LLVMValueRef b)
{
    for (unsigned i = 0; i < LLVMCountIncoming(a); i++) {
        LLVMValueRef other = phi_from(b, LLVMGetIncomingBlock(a, i));
        if (!other || !is_same(t, LLVMGetIncomingValue(a, i), other)) return false;
    }
    return true;
}

static int index_of(const struct twins *t, LLVMValueRef phi)
{
    return (int)(twin_of(t, phi) - t->all);
}

/* Those of the class of `first` that do not take what it takes have the first one of them for theirs. */
static bool split(struct twins *t, int first)
{
    int next = -1;
    for (LLVMValueRef p = t->all[first].phi; p && LLVMIsAPHINode(p); p = LLVMGetNextInstruction(p)) {
        int i = index_of(t, p);
        if (t->all[i].like != first || take_same(t, t->all[first].phi, p)) continue;
        if (next < 0) next = i;
        t->all[i].like = next;
    }
    return next >= 0;
}

/* In the beginning all phis of a block that may be the same are. */
static void begin(struct twins *t, LLVMBasicBlockRef block)
{
    for (LLVMValueRef p = LLVMGetFirstInstruction(block); p && LLVMIsAPHINode(p);
         p = LLVMGetNextInstruction(p)) {
        int i = index_of(t, p);
        LLVMValueRef q = LLVMGetFirstInstruction(block);
        while (!may_be_same(q, p)) q = LLVMGetNextInstruction(q);
        t->all[i].like = index_of(t, q);
    }
}

static void add_phis(struct twins *t, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef p = LLVMGetFirstInstruction(b); p && LLVMIsAPHINode(p);
             p = LLVMGetNextInstruction(p)) {
            if (t->all) t->all[t->n].phi = p;
            t->n++;
        }
}

static void merge(struct twins *t)
{
    for (int i = 0; i < t->n; i++)
        if (t->all[i].like != i) LLVMReplaceAllUsesWith(t->all[i].phi, t->all[t->all[i].like].phi);
    for (int i = 0; i < t->n; i++)
        if (t->all[i].like != i) LLVMInstructionEraseFromParent(t->all[i].phi);
}

static void merge_in(LLVMValueRef function)
{
    struct twins t = {NULL, 0};
    add_phis(&t, function);
    if (t.n < 2) return;
    t.all = take((size_t)t.n, sizeof *t.all);
    t.n = 0;
    add_phis(&t, function);
    qsort(t.all, (size_t)t.n, sizeof *t.all, by_phi);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        begin(&t, b);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < t.n; i++)
            if (t.all[i].like == i && split(&t, i)) changed = true;
    }
    merge(&t);
    free(t.all);
}

void twins_merge(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) merge_in(f);
}
