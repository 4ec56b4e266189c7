#include "valueflow/runtime/process/guard.h"

#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "valueflow/runtime/process/dump_format.h"
#include "valueflow/runtime/process/region.h"
#include "valueflow/runtime/tables/ahead.h"
#include "valueflow/runtime/tables/map.h"
#include "valueflow/runtime/tables/tables.h"
#include "valueflow/runtime/tables/vector.h"

enum { MOST = 256, MOST_REGIONS = 32 };

static struct {
    const char *kind, *name;
    uint64_t count;
} reports[MOST + MOST_REGIONS + 2]; /* more for regions, and one for why it is partial */
static uint32_t n_reports;
static struct {
    const char *name;
    bool is_there;
} regions[MOST_REGIONS];
static uint32_t n_regions;
static unsigned n_threads_started;
static const char *thread_place; /* of the last one */
static const char *fork_place;   /* likewise */
static bool *child_enters;       /* seen by a process and those that it forks */
static bool is_child;
const char *parcast_vf_site; /* set by instrumented code */

void vf_report(const char *kind, const char *name)
{
    for (uint32_t i = 0; i < n_reports; i++)
        if (reports[i].kind == kind && strcmp(reports[i].name, name) == 0) {
            reports[i].count++;
            return;
        }
    bool is_ours = strcmp(kind, VF_REPORT_PARTIAL) == 0 || strcmp(kind, VF_REPORT_REGION) == 0 ||
                   strcmp(kind, VF_REPORT_NO_REGION) == 0;
    if (n_reports >= MOST && !is_ours) return; /* the count of kinds says enough by then */
    reports[n_reports].kind = kind;
    reports[n_reports].name = name;
    reports[n_reports++].count = 1;
}

uint32_t vf_reports_size(void)
{
    return n_reports;
}

const char *vf_report_kind(uint32_t i)
{
    return reports[i].kind;
}

const char *vf_report_name(uint32_t i)
{
    return reports[i].name;
}

uint64_t vf_report_count(uint32_t i)
{
    return reports[i].count;
}

void parcast_vf_region_named(const char *name, uint32_t is_there)
{
    uint32_t i = 0;
    while (i < n_regions && strcmp(regions[i].name, name) != 0) i++;
    if (i == MOST_REGIONS) return;
    if (i == n_regions) n_regions++;
    regions[i].name = name;
    if (is_there) regions[i].is_there = true;
}

void vf_report_regions(void)
{
    for (uint32_t i = 0; i < n_regions; i++)
        vf_report(regions[i].is_there ? VF_REPORT_REGION : VF_REPORT_NO_REGION, regions[i].name);
    if (!vf_region_is_marked()) vf_report(VF_REPORT_REGION, "main");
    if (!vf_entered && child_enters && *child_enters) vf_report(VF_REPORT_CHILD, fork_place);
}

void parcast_vf_unsupported(const char *what)
{
    if (vf_tracing) vf_report(VF_REPORT_UNSUPPORTED, what);
}

void parcast_vf_refused(const char *what)
{
    if (vf_tracing) vf_stop("%s: mark a region without it", what);
}

/* Where the program's own code was last seen to leave it; without the variable that the call is for. */
static const char *place(void)
{
    if (!parcast_vf_site) return "a place without instrumentation";
    const char *at = strstr(parcast_vf_site, " at ");
    bool has_variable = at && strcspn(parcast_vf_site, " ") == (size_t)(at - parcast_vf_site);
    const char *start = has_variable ? at + 4 : parcast_vf_site;
    size_t length = strcspn(start, "\n");
    if (!start[length]) return start;
    char *first_line = vf_text(length + 1);
    memcpy(first_line, start, length);
    return first_line;
}

/* Two threads would write the same tables. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    if (vf_tracing)
        vf_stop("the program starts a thread inside the region, at %s; build it without threads (no "
                "-fopenmp), or "
                "mark a region without them",
                place());
    n_threads_started++;
    thread_place = place();
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}

static unsigned count_threads(void)
{
    unsigned n = 0;
    DIR *tasks = opendir("/proc/self/task");
    for (const struct dirent *task; tasks && (task = readdir(tasks));) n += task->d_name[0] != '.';
    if (tasks) closedir(tasks);
    return n - vf_ahead_threads();
}

void vf_guard_region(void)
{
    unsigned n = n_threads_started ? count_threads() : 1;
    if (n > 1)
        vf_stop("%u threads run where the region begins, the last one started at %s; join them before", n,
                thread_place);
}

void vf_guard_child(void)
{
    if (is_child) *child_enters = true;
}

/* Children leave nothing, so nothing of them is followed; whether they are what should have been is told. */
pid_t fork(void)
{
    if (vf_tracing) vf_stop("the program forks inside the region, at %s; mark a region without it", place());
    pid_t (*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "fork");
    if (!vf_is_watching()) return real();
    if (!child_enters) child_enters = vf_map_shared(sizeof *child_enters);
    fork_place = place();
    pid_t id = real();
    if (id == 0 && child_enters) is_child = true;
    if (id == 0) vf_region_stop();
    return id;
}

/* A library that was followed stays: names of its arrays and places are in it. */
int dlclose(void *library)
{
    if (vf_is_watching()) return 0;
    int (*real)(void *);
    *(void **)&real = dlsym(RTLD_NEXT, "dlclose");
    return real(library);
}
