/*
 * qsort of the C library moves words without a word. This one finds the order by pointers, and then moves the
 * elements with their labels. What stands at a place of a workspace then, the median of a window, say, comes
 * of all that was sorted.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "valueflow/runtime/blocks/object.h"
#include "valueflow/runtime/tables/vector.h"
#include "valueflow/runtime/values/value.h"

typedef int compare_function(const void *, const void *, void *);

/* Merge sort of pointers to elements, with room for as many. */
static void sort_pointers(const char **elements, const char **room, size_t n, compare_function *compare,
                          void *argument)
{
    if (n < 2) return;
    size_t half = n / 2;
    sort_pointers(elements, room, half, compare, argument);
    sort_pointers(elements + half, room, n - half, compare, argument);
    memcpy(room, elements, half * sizeof *room);
    for (size_t i = 0, j = half, k = 0; i < half; k++) {
        bool right = j < n && compare(elements[j], room[i], argument) < 0;
        elements[k] = right ? elements[j++] : room[i++];
    }
}

static void move(char *to, const char *from, size_t bytes)
{
    parcast_vf_move(to, from, bytes);
    memcpy(to, from, bytes);
}

enum { MOST_SORTED = 64 }; /* words that are compared in a workspace */

/* Words that have just been moved into their places. */
static void compare_all(char *base, size_t bytes)
{
    uint32_t unit = 8, labels[MOST_SORTED + 1], own[MOST_SORTED];
    while (bytes % unit || (uintptr_t)base % unit) unit /= 2;
    size_t n = bytes / unit;
    if (n > MOST_SORTED) return;
    for (size_t i = 0; i < n; i++) {
        own[i] = labels[i + 1] = parcast_vf_load(base + i * unit, unit);
        vf_hold(own[i]);
    }
    for (size_t i = 0; i < n; i++) {
        labels[0] = own[i];
        parcast_vf_sorted(base + i * unit, unit, (uint32_t)n + 1, labels);
    }
    for (size_t i = 0; i < n; i++) vf_release(own[i]);
}

void parcast_vf_ordered(void *first, void *end)
{
    if (vf_tracing && (char *)end > (char *)first) compare_all(first, (size_t)((char *)end - (char *)first));
}

static void sort(char *base, size_t n, size_t size, compare_function *compare, void *argument)
{
    static const char name[] = "qsort";
    const char **elements = vf_map(2 * n * sizeof *elements);
    char *sorted = vf_map(n * size);
    for (size_t i = 0; i < n; i++) elements[i] = base + i * size;
    sort_pointers(elements, elements + n, n, compare, argument);
    vf_block_add(VF_FRAME, (uintptr_t)sorted, n * size, (uintptr_t)name, name);
    for (size_t i = 0; i < n; i++) move(sorted + i * size, elements[i], size);
    move(base, sorted, n * size);
    compare_all(base, n * size);
    vf_block_remove((uintptr_t)sorted);
    vf_unmap(sorted, n * size);
    vf_unmap(elements, 2 * n * sizeof *elements);
}

/* For functions of two arguments; the third is where they stand. */
static int compare_two(const void *a, const void *b, void *function)
{
    return (*(int (**)(const void *, const void *))function)(a, b);
}

void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    void (*real)(void *, size_t, size_t, int (*)(const void *, const void *));
    if (vf_tracing && n > 1 && size) {
        sort(base, n, size, compare_two, &compare);
        return;
    }
    *(void **)&real = dlsym(RTLD_NEXT, "qsort");
    real(base, n, size, compare);
}

void qsort_r(void *base, size_t n, size_t size, compare_function *compare, void *argument)
{
    void (*real)(void *, size_t, size_t, compare_function *, void *);
    if (vf_tracing && n > 1 && size) {
        sort(base, n, size, compare, argument);
        return;
    }
    *(void **)&real = dlsym(RTLD_NEXT, "qsort_r");
    real(base, n, size, compare, argument);
}
