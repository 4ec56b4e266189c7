#include "network/kernel.h"

#include <stdlib.h>

bool kernel_reserve(struct kernel *kernel, uint32_t n_handles)
{
    return heap_reserve(&kernel->heap, n_handles);
}

void kernel_destroy(struct kernel *kernel)
{
    heap_destroy(&kernel->heap);
    agenda_destroy(&kernel->agenda);
    free(kernel->soon);
    *kernel = (struct kernel){0};
}

bool kernel_grow_soon(struct kernel *kernel)
{
    uint32_t room = kernel->soon_room ? 2 * kernel->soon_room : 64;
    struct kernel_soon *soon = room ? malloc(room * sizeof *soon) : NULL;
    if (!soon) return false;
    for (uint32_t i = 0; i < kernel->n_soon; i++)
        soon[i] = kernel->soon[(kernel->soon_first + i) & (kernel->soon_room - 1)];
    free(kernel->soon);
    kernel->soon = soon;
    kernel->soon_room = room;
    kernel->soon_first = 0;
    return true;
}
