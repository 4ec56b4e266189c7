/* Blocks of a function: predecessors, dominators (Cooper, Harvey, Kennedy 2001), natural loops. */
#include <stdlib.h>

#include "compiler/instrument/function/function.h"

int block_at(const struct function *f, LLVMBasicBlockRef block)
{
    return f->nodes[node_of(f, LLVMGetBasicBlockTerminator(block))].block;
}

LLVMValueRef block_end(const struct function *f, int block)
{
    return LLVMGetBasicBlockTerminator(f->blocks[block].ref);
}

static unsigned successors(const struct block *block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block->ref);
    return end ? LLVMGetNumSuccessors(end) : 0;
}

static int successor(const struct function *f, int block, unsigned i)
{
    return block_at(f, LLVMGetSuccessor(block_end(f, block), i));
}

/* Reverse postorder without recursion: order[0] is the entry. Returns how many blocks can be reached. */
static int sort_blocks(struct function *f, int *order)
{
    int n = 0, depth = 0, *stack = take((size_t)f->n_blocks, sizeof *stack);
    unsigned *next = take((size_t)f->n_blocks, sizeof *next);
    for (int i = 0; i < f->n_blocks; i++) f->blocks[i].order = -1;
    stack[depth++] = 0;
    f->blocks[0].order = -2;
    while (depth) {
        int b = stack[depth - 1];
        if (next[b] < successors(&f->blocks[b])) {
            int s = successor(f, b, next[b]++);
            if (f->blocks[s].order != -1) continue;
            f->blocks[s].order = -2;
            stack[depth++] = s;
        } else {
            order[n++] = b;
            depth--;
        }
    }
    for (int i = 0; i < n / 2; i++) {
        int other = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = other;
    }
    for (int i = 0; i < n; i++) f->blocks[order[i]].order = i;
    free(stack);
    free(next);
    return n;
}

static void find_predecessors(struct function *f)
{
    for (int b = 0; b < f->n_blocks; b++)
        for (unsigned i = 0; i < successors(&f->blocks[b]); i++) f->blocks[successor(f, b, i)].n_before++;
    for (int b = 0; b < f->n_blocks; b++) {
        f->blocks[b].before = take((size_t)f->blocks[b].n_before, sizeof(int));
        f->blocks[b].n_before = 0;
    }
    for (int b = 0; b < f->n_blocks; b++)
        for (unsigned i = 0; i < successors(&f->blocks[b]); i++) {
            struct block *s = &f->blocks[successor(f, b, i)];
            s->before[s->n_before++] = b;
        }
}

static int meet(const struct block *blocks, int a, int b)
{
    while (a != b) {
        while (blocks[a].order > blocks[b].order) a = blocks[a].dominator;
        while (blocks[b].order > blocks[a].order) b = blocks[b].dominator;
    }
    return a;
}

static void find_dominators(struct function *f, const int *order, int n)
{
    for (int i = 0; i < f->n_blocks; i++) f->blocks[i].dominator = -1;
    f->blocks[0].dominator = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 1; i < n; i++) {
            struct block *block = &f->blocks[order[i]];
            int found = -1;
            for (int j = 0; j < block->n_before; j++) {
                int p = block->before[j];
                if (f->blocks[p].order < 0 || f->blocks[p].dominator < 0) continue;
                found = found < 0 ? p : meet(f->blocks, p, found);
            }
            if (found != block->dominator) {
                block->dominator = found;
                changed = true;
            }
        }
    }
}

static bool block_dominates(const struct function *f, int a, int b)
{
    if (f->blocks[a].order < 0 || f->blocks[b].order < 0) return false;
    while (f->blocks[b].order > f->blocks[a].order) b = f->blocks[b].dominator;
    return a == b;
}

bool dominates(const struct function *f, int a, int i, int b, int j)
{
    return a == b ? i < j : block_dominates(f, a, b);
}

int loop_depth(const struct function *f, int block)
{
    int depth = 0;
    for (int loop = f->blocks[block].loop; loop >= 0; loop = f->loops[loop].outer) depth++;
    return depth;
}

int loop_outermost(const struct function *f, int block)
{
    int loop = f->blocks[block].loop;
    while (loop >= 0 && f->loops[loop].outer >= 0) loop = f->loops[loop].outer;
    return loop;
}

bool is_loop_header(const struct function *f, int block)
{
    for (int i = 0; i < f->n_loops; i++)
        if (f->loops[i].header == block) return true;
    return false;
}

bool loop_holds(const struct function *f, int loop, int block)
{
    return loop >= 0 && f->loops[loop].holds[block];
}

/* The blocks that reach `latch` without passing the header. */
static void fill_loop(struct function *f, struct loop *loop, int latch)
{
    int depth = 0, *stack = take((size_t)f->n_blocks, sizeof *stack);
    if (!loop->holds[latch]) {
        loop->holds[latch] = true;
        stack[depth++] = latch;
    }
    while (depth) {
        const struct block *block = &f->blocks[stack[--depth]];
        for (int i = 0; i < block->n_before; i++) {
            int p = block->before[i];
            if (loop->holds[p] || f->blocks[p].order < 0) continue;
            loop->holds[p] = true;
            stack[depth++] = p;
        }
    }
    free(stack);
}

static struct loop *loop_at(struct function *f, int header)
{
    for (int i = 0; i < f->n_loops; i++)
        if (f->loops[i].header == header) return &f->loops[i];
    struct loop *loop = &f->loops[f->n_loops++];
    *loop = (struct loop){.header = header, .outer = -1, .holds = take((size_t)f->n_blocks, sizeof(bool))};
    loop->holds[header] = true;
    return loop;
}

/* Headers come in reverse postorder, so an outer loop has the lower number. */
static void nest_loops(struct function *f)
{
    for (int b = 0; b < f->n_blocks; b++) f->blocks[b].loop = -1;
    for (int i = 0; i < f->n_loops; i++) {
        f->loops[i].outer = f->blocks[f->loops[i].header].loop;
        for (int b = 0; b < f->n_blocks; b++)
            if (f->loops[i].holds[b]) f->blocks[b].loop = i;
    }
}

void function_blocks(struct function *f)
{
    f->n_blocks = (int)LLVMCountBasicBlocks(f->ref);
    f->blocks = take((size_t)f->n_blocks, sizeof *f->blocks);
    f->loops = take((size_t)f->n_blocks, sizeof *f->loops);
    int n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->ref); b; b = LLVMGetNextBasicBlock(b))
        f->blocks[n++].ref = b;
    int *order = take((size_t)f->n_blocks, sizeof *order);
    n = sort_blocks(f, order);
    find_predecessors(f);
    find_dominators(f, order, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < f->blocks[order[i]].n_before; j++) {
            int latch = f->blocks[order[i]].before[j];
            if (block_dominates(f, order[i], latch)) fill_loop(f, loop_at(f, order[i]), latch);
        }
    nest_loops(f);
    free(order);
}
