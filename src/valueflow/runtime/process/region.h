#ifndef PARCAST_VALUEFLOW_REGION_H
#define PARCAST_VALUEFLOW_REGION_H

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/** True once the run time is ready and the program was started by `parcast estimate`. */
bool vf_is_watching(void);
/** Where the values go; the program may change its environment later. */
const char *vf_values_path(void);
/** In heap.c: asked for, so that the linker takes the allocator also into programs that allocate through a
 * library. */
extern const int vf_heap_is_watched;
uintptr_t vf_stack_top(void);
/** Can something be at this address? What a call is given need not be one. */
bool vf_has_cell(uintptr_t address);
/** Where the program was loaded: with it taken off, addresses of code are the same in every run. */
uintptr_t vf_load_address(void);
uint64_t vf_region_flop(void);
uint64_t vf_region_stores(void); /* where operations are only counted */
uint64_t vf_region_entries(void);
/** How deep in the region it is: 0 outside. */
uint64_t vf_region_depth(void);
/** Does a unit mark it? Otherwise main is the region. */
bool vf_region_is_marked(void);
/** Is that unit of a library that was loaded after main began? */
bool vf_region_is_late(void);
/** Nothing is followed any more, and nothing counted. */
void vf_region_stop(void);
#pragma GCC visibility pop

#endif
