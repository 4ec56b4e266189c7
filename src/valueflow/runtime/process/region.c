/* Beginning and end: of the process, of the region. */
#include "valueflow/runtime/process/region.h"

#include <errno.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "valueflow/runtime/blocks/block.h"
#include "valueflow/runtime/blocks/constants.h"
#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/process/guard.h"
#include "valueflow/runtime/process/handlers.h"
#include "valueflow/runtime/process/memory.h"
#include "valueflow/runtime/steps/plain_run.h"
#include "valueflow/runtime/steps/steps.h"
#include "valueflow/runtime/steps/window.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/pages.h"
#include "valueflow/runtime/tables/sequence.h"
#include "valueflow/runtime/tables/trie.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/chain.h"
#include "valueflow/runtime/values/value.h"

bool vf_tracing, vf_entered, vf_skipping;
/* Counted by the instrumented code, inside the region and outside: stores only where nothing is followed. */
uint64_t parcast_vf_flop, parcast_vf_stores;
int parcast_vf_has_region; /* set by units that mark one; otherwise main is it */

static bool watching;
static char values_path[4096];
static bool is_later;         /* another program of a script has left its values; these take their place */
static bool is_main, is_late; /* main is the region; it was until a library that marks one was loaded */
static uintptr_t stack_top, load_address;
static char *command_line;
static uint64_t command_bytes;
static uint64_t depth, n_entries, flop_at_entry, region_flop, stores_at_entry, region_stores;

bool vf_is_watching(void)
{
    return watching;
}

const char *vf_values_path(void)
{
    return values_path;
}

uint64_t vf_region_depth(void)
{
    return depth;
}

bool vf_region_is_marked(void)
{
    return parcast_vf_has_region != 0;
}

bool vf_region_is_late(void)
{
    return is_late;
}

/* A library that the program loads looks for what it needs here, in the program. */
typedef void hook(void);
__attribute__((used)) static hook *const hooks[] = {
#define HOOK(result, name, arguments) (hook *)parcast_vf_##name,
#include "compiler/hooks.def"
#undef HOOK
    (hook *)qsort,
};

void vf_region_stop(void)
{
    watching = vf_tracing = vf_skipping = false;
}

uintptr_t vf_stack_top(void)
{
    return stack_top;
}

uintptr_t vf_load_address(void)
{
    return load_address;
}

uint64_t vf_region_flop(void)
{
    return region_flop + (depth ? parcast_vf_flop - flop_at_entry : 0);
}

uint64_t vf_region_stores(void)
{
    return region_stores + (depth ? parcast_vf_stores - stores_at_entry : 0);
}

uint64_t vf_region_entries(void)
{
    return n_entries;
}

/* Where address space is limited the ranges cannot be reserved whole; then pieces come when they are touched.
 */
enum { PIECE = 1 << 21 };

static bool in_shadow(uintptr_t address)
{
    uintptr_t memory = address ^ VF_SHADOW_XOR;
    return (memory >> 40) < 0x8 || (memory >> 40) >= 0x51;
}

static void fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t piece = (uintptr_t)info->si_addr & ~(uintptr_t)(PIECE - 1);
    void *at = (void *)piece; // NOLINT(performance-no-int-to-ptr): addresses are what is dealt with here
    if (in_shadow((uintptr_t)info->si_addr) && vf_map_pages(at, PIECE, MAP_FIXED_NOREPLACE) == at) return;
    vf_ending_signal(number); /* the program's own fault */
}

static bool reserve(uintptr_t from, uintptr_t to)
{
    uintptr_t shadow = from ^ VF_SHADOW_XOR;
    void *at = (void *)shadow; // NOLINT(performance-no-int-to-ptr)
    void *p = vf_map_pages(at, to - from, MAP_FIXED_NOREPLACE);
    if (p == at) {
        madvise(p, to - from, MADV_DONTDUMP);
        vf_pages_for_range(p, to - from);
        return true;
    }
    if (p != MAP_FAILED) vf_unmap_pages(p, to - from);
    return false;
}

/* x86-64: programs at fixed addresses, position-independent programs with their heap, libraries and stack. */
static const struct {
    uintptr_t from, to;
} ranges[] = {{0x10000, 0x010000000000}, {0x550000000000, 0x570000000000}, {0x7e0000000000, 0x800000000000}};

bool vf_has_cell(uintptr_t address)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (address >= ranges[i].from && address < ranges[i].to) return true;
    return false;
}

static void open_shadow(void)
{
    bool whole = true;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        whole = reserve(ranges[i].from, ranges[i].to) && whole;
    if (whole) return;
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    vf_sigaction(SIGSEGV, &action, NULL);
}

static int find_load_address(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    load_address = info->dlpi_addr;
    return 1; /* the first is the program */
}

extern void *__libc_stack_end;

/* The strings of the command line and of the environment lie one after the other. */
static void find_strings(char **argv, char **environment)
{
    char *last = argv[0];
    if (!argv[0]) return;
    for (char **list = argv; *list; list++) last = *list;
    for (char **list = environment; *list; list++) last = *list;
    command_line = argv[0];
    command_bytes = (uint64_t)(last - argv[0]) + strlen(last) + 1;
}

static void open_all(char **argv, char **environment)
{
    const char *path = getenv("PARCAST_VALUES");
    if (!path || !*path) return;
    snprintf(values_path, sizeof values_path, "%s", path);
    if (vf_steps_only_counted()) return;
    struct stat left;
    is_later = getenv("PARCAST_VALUES_MESSAGES") && stat(path, &left) == 0 && left.st_size > 0;
    open_shadow();
    vf_objects_open();
    vf_values_open();
    vf_trie_open();
    vf_sequences_open();
    vf_chains_open();
    stack_top = ((uintptr_t)__libc_stack_end | 0xfff) + 1;
    dl_iterate_phdr(find_load_address, NULL);
    vf_constants_open();
    find_strings(argv, environment);
    vf_memory_open();
    vf_endings_open();
    watching = vf_heap_is_watched;
}

/* Before constructors of libraries that the program is linked with: they tell of their variables, allocate
 * arrays, and run in the version that the program runs in, with which they share variables. glibc gives this
 * what it gives main; its own environment is not there yet. */
static void start(int argc, char **argv, char **environment)
{
    (void)argc;
    if (!environ) environ = environment;
    open_all(argv, environment);
    vf_steps_open();
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = start;

static void enter(void)
{
    if (parcast_vf_plain == VF_RUNS_PLAIN) vf_plain_enter();
    if (vf_counting && !depth++) {
        flop_at_entry = parcast_vf_flop;
        stores_at_entry = parcast_vf_stores;
    }
    if (!watching) {
        vf_guard_child();
        return;
    }
    if (depth++) return;
    flop_at_entry = parcast_vf_flop;
    if (!n_entries++ && is_later)
        vf_report(VF_REPORT_UNSUPPORTED, "a program that was started before this one");
    vf_guard_region();
    vf_memory_expect(0);
    vf_skipping = vf_window_skips();
    vf_tracing = !vf_asked_to_end && !vf_skipping;
    vf_entered = true;
    if (!vf_tracing || !command_line) return;
    parcast_vf_clear(command_line, command_bytes); /* every process has it */
    command_line = NULL;
}

/* A library with a marker was loaded after main began: main is no region any more. The plain run can forget
 * it; who follows is told before (VF_MARKED_LATER). */
static void leave_main(void)
{
    is_main = false;
    is_late = true;
    if (parcast_vf_plain == VF_RUNS_PLAIN) vf_plain_forget();
    if (vf_tracing)
        vf_stop("a library that the program loads marks a region, but main was followed until here; mark a "
                "region in the program, too, or leave out --whole");
}

static void leave(void)
{
    if (parcast_vf_plain == VF_RUNS_PLAIN) vf_plain_leave();
    if (!(watching || vf_counting) || !depth) return;
    if (--depth) return;
    region_flop += parcast_vf_flop - flop_at_entry;
    region_stores += parcast_vf_stores - stores_at_entry;
    vf_steps_region_left();
    if (vf_counting) return;
    vf_tracing = vf_skipping = false;
    vf_end_if_asked();
}

/* What has entered the region and not left it: frames of functions, below which theirs lie, and markers. */
enum { MOST_WITHIN = 4096 };
static const uintptr_t marker = UINTPTR_MAX;
static uintptr_t frames[MOST_WITHIN];
static size_t n_frames;

static void push(uintptr_t frame)
{
    if (is_main) leave_main();
    if (n_frames < MOST_WITHIN) frames[n_frames] = frame;
    n_frames++;
    enter();
}

static void pop(void)
{
    if (n_frames) n_frames--;
    leave();
}

/* The stack grows downwards: what has a lower frame was left by an exception or a longjmp. */
static void drop_left(uintptr_t frame)
{
    for (size_t n; (n = n_frames) && n <= MOST_WITHIN && frames[n - 1] < frame;) pop();
}

void parcast_vf_region_enter(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    drop_left(frame);
    push(frame);
}

void parcast_vf_region_leave(void)
{
    drop_left((uintptr_t)__builtin_frame_address(0));
    pop();
}

void parcast_vf_region_caught(void)
{
    drop_left((uintptr_t)__builtin_frame_address(0));
}

void parcast_vf_main_enter(void)
{
    if (parcast_vf_has_region || getenv(VF_MARKED_LATER)) return;
    is_main = true;
    enter();
}

/* The markers of include/parcast/region.h. */
void parcast_region_begin(void)
{
    push(marker);
}

void parcast_region_end(void)
{
    pop();
}

/* Units may see different arrays in one block in common: then it is as many as the one that sees most says.
 */
static bool is_known_closer(uintptr_t p, uint64_t bytes)
{
    const struct vf_block *block = vf_blocks_among(p, bytes);
    return block && block->kind == VF_GLOBAL && block->bytes < bytes;
}

void parcast_vf_global(void *p, uint64_t bytes, const char *name)
{
    if (watching && !is_known_closer((uintptr_t)p, bytes))
        vf_block_add(VF_GLOBAL, (uintptr_t)p, bytes, (uint64_t)(uintptr_t)p, name);
}
