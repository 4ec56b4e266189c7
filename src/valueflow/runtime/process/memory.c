#include "valueflow/runtime/process/memory.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "valueflow/runtime/process/ending.h"
#include "valueflow/runtime/values/value.h"

enum { MOST_BETWEEN = 4 << 20 }; /* bytes expected between two looks at what is used */

static size_t limit, expected, page_bytes;
static bool was_given;

/* Without the program's allocator, which is being watched. */
static bool read_file(const char *path, char *text, size_t size)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t n = read(file, text, size - 1);
    close(file);
    text[n > 0 ? n : 0] = '\0';
    return n > 0;
}

static size_t resident(void)
{
    char text[128];
    unsigned long long all, here;
    if (!read_file("/proc/self/statm", text, sizeof text) || sscanf(text, "%llu %llu", &all, &here) != 2)
        return 0;
    return (size_t)here * page_bytes;
}

static size_t number_in(const char *path)
{
    char text[64];
    if (!read_file(path, text, sizeof text) || text[0] < '0' || text[0] > '9') return SIZE_MAX;
    return strtoull(text, NULL, 10);
}

/* What control groups leave: version 2, and version 1. */
static size_t free_in_group(void)
{
    static const char *const files[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (size_t i = 0; i < 2; i++) {
        size_t most = number_in(files[i][0]), used = number_in(files[i][1]);
        if (most != SIZE_MAX && used != SIZE_MAX) return most > used ? most - used : 0;
    }
    return SIZE_MAX;
}

static size_t free_here(void)
{
    char text[2048];
    const char *line;
    if (!read_file("/proc/meminfo", text, sizeof text) || !(line = strstr(text, "MemAvailable:")))
        return SIZE_MAX;
    return strtoull(line + strlen("MemAvailable:"), NULL, 10) << 10;
}

/* "4GiB", "500M", "1.5 GB", bytes without a unit; 0 for anything else. */
static size_t read_size(const char *text)
{
    static const char letters[] = "kmgt";
    char *end;
    double size = strtod(text, &end), base = 1000;
    while (*end == ' ') end++;
    const char *letter = *end ? strchr(letters, *end | 0x20) : NULL;
    if (letter) {
        end++;
        if (*end == 'i') base = 1024, end++;
        for (const char *p = letters; p <= letter; p++) size *= base;
    }
    if (*end == 'B' || *end == 'b') end++;
    return *end || !(size >= 1 && size < 1e18) ? 0 : (size_t)size;
}

void vf_memory_open(void)
{
    const char *given = getenv("PARCAST_VALUES_MEMORY");
    page_bytes = (size_t)sysconf(_SC_PAGESIZE);
    if (given && *given) {
        limit = read_size(given);
        was_given = true;
        if (!limit) vf_stop("PARCAST_VALUES_MEMORY is a size like 4GiB, not '%s'", given);
        return;
    }
    size_t here = free_here(), group = free_in_group(), least = here < group ? here : group;
    limit = least == SIZE_MAX ? 0 : least / 10 * 9;
}

/* Below 10 MiB in KiB, below that in bytes. */
static const char *size_text(size_t bytes, char text[32])
{
    if (bytes < 1024) {
        snprintf(text, 32, "%zu bytes", bytes);
        return text;
    }
    bool is_small = bytes < (size_t)10 << 20;
    snprintf(text, 32, "%zu %s", is_small ? bytes >> 10 : bytes >> 20, is_small ? "KiB" : "MiB");
    return text;
}

static void stop_at(size_t used, size_t more)
{
    char where[256], texts[3][32];
    vf_where(where, sizeof where);
    vf_end_soon(
        "the limit of memory, %s%s, is reached %s, after %llu values: %s are used and %s more wanted; "
        "follow a smaller problem, mark fewer steps as the region, or give a larger limit "
        "(estimate --memory, PARCAST_VALUES_MEMORY)",
        size_text(limit, texts[0]), was_given ? "" : " (nine tenths of what was free)", where,
        (unsigned long long)vf_values_created(), size_text(used, texts[1]), size_text(more, texts[2]));
}

bool vf_memory_is_ample(void)
{
    static const size_t ample = (size_t)2 << 30;
    return limit >= ample;
}

void vf_memory_expect(size_t bytes)
{
    if (!limit) return;
    expected += bytes;
    if (expected < MOST_BETWEEN && expected < limit / 64) return;
    size_t used = resident(), more = expected;
    expected = 0;
    if (used + more > limit) stop_at(used, more);
}
