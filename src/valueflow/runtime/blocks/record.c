/*
 * How many bytes of an allocation belong together: the largest structure of which the program's types say
 * that the allocation is an array of them. Complex numbers in a cell are elements of it, so that the cell is
 * meant.
 */
#include "valueflow/runtime/blocks/record.h"

#include "compiler/hooks.h"
#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/object.h"

void vf_record_note(uintptr_t address, uint32_t bytes)
{
    struct vf_block *block = vf_blocks_find(address);
    if (!block || block->record >= bytes || bytes > block->bytes) return;
    block->record = bytes;
    if (block->object && vf_objects[block->object].record < bytes) vf_objects[block->object].record = bytes;
}

/* A site that has told often (255 times: hooks.def calls it no more then) has told of all its arrays, or of
 * so many that others tell of the rest. */
void parcast_vf_record(const void *p, uint32_t bytes, void *told)
{
    ++*(uint8_t *)told;
    vf_record_note((uintptr_t)p, bytes);
}
