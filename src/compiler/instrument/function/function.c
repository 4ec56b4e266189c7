#include "compiler/instrument/function/function.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *take(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p) return p;
    fputs("parcast-instrument: error: out of memory\n", stderr);
    exit(1);
}

void *more_of(void *old, size_t n, size_t size)
{
    void *p = realloc(old, n * size);
    if (p) return p;
    fputs("parcast-instrument: error: out of memory\n", stderr);
    exit(1);
}

static size_t hash(LLVMValueRef value)
{
    return (size_t)((uintptr_t)value >> 4) * 0x9e3779b97f4a7c15ull >> 20;
}

static void enter(struct function *f, LLVMValueRef value, int node)
{
    size_t i = hash(value) & (f->table_size - 1);
    while (f->table[i] >= 0) i = (i + 1) & (f->table_size - 1);
    f->table[i] = node;
}

int node_of(const struct function *f, LLVMValueRef value)
{
    for (size_t i = hash(value) & (f->table_size - 1); f->table[i] >= 0; i = (i + 1) & (f->table_size - 1))
        if (f->nodes[f->table[i]].value == value) return f->table[i];
    return -1;
}

static void add_node(struct function *f, LLVMValueRef value, int block, int position)
{
    int i = f->n_nodes++;
    f->nodes[i] = (struct node){.value = value,
                                .block = block,
                                .position = position,
                                .condition = -1,
                                .sum = -1,
                                .width = -1,
                                .constants = -1};
    enter(f, value, i);
}

void function_number(struct function *f)
{
    size_t n = LLVMCountParams(f->ref);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->ref); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) n++;
    for (f->table_size = 64; f->table_size < 2 * n; f->table_size *= 2) {
    }
    f->nodes = take(n, sizeof *f->nodes);
    f->table = take(f->table_size, sizeof *f->table);
    for (size_t i = 0; i < f->table_size; i++) f->table[i] = -1;
    for (unsigned i = 0; i < LLVMCountParams(f->ref); i++) add_node(f, LLVMGetParam(f->ref, i), 0, -1);
    int block = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->ref); b; b = LLVMGetNextBasicBlock(b), block++) {
        int position = 0;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            add_node(f, i, block, position++);
    }
}

void function_free(struct function *f)
{
    for (int i = 0; i < f->n_nodes; i++) {
        free(f->nodes[i].labels);
        free(f->nodes[i].stores);
    }
    for (int i = 0; i < f->n_blocks; i++) free(f->blocks[i].before);
    for (int i = 0; i < f->n_loops; i++) free(f->loops[i].holds);
    free(f->nodes);
    free(f->table);
    free(f->blocks);
    free(f->loops);
    free(f->sums);
    free(f->joins);
    free(f->kept);
}

LLVMValueRef phi_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block) return LLVMGetIncomingValue(phi, i);
    return NULL;
}
