#include "valueflow/runtime/blocks/constants.h"

#include <elf.h>
#include <link.h>
#include <stddef.h>

enum { MOST_SEGMENTS = 256 }; /* words of more are inputs, as if they could be written */

static struct {
    uintptr_t from, to;
} segments[MOST_SEGMENTS];
static int n_segments;

static int add_segments(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
        if (n_segments == MOST_SEGMENTS) return 1;
        segments[n_segments].from = info->dlpi_addr + segment->p_vaddr;
        segments[n_segments].to = segments[n_segments].from + segment->p_filesz;
        n_segments++;
    }
    return 0;
}

void vf_constants_open(void)
{
    dl_iterate_phdr(add_segments, NULL);
}

bool vf_is_constant(uintptr_t address)
{
    for (int i = 0; i < n_segments; i++)
        if (address >= segments[i].from && address < segments[i].to) return true;
    return false;
}
