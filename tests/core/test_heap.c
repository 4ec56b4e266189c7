/* The indexed heap against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/heap.h"

enum { N_HANDLES = 300, N_STEPS = 20000 };

struct entry {
    int64_t key;
    uint64_t order;
    int present;
};

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

static int first_of(const struct entry *list)
{
    int first = -1;
    for (int i = 0; i < N_HANDLES; i++) {
        if (!list[i].present) continue;
        if (first < 0 || list[i].key < list[first].key ||
            (list[i].key == list[first].key && list[i].order < list[first].order))
            first = i;
    }
    return first;
}

static void check_pop(struct heap *heap, struct entry *list)
{
    int first = first_of(list);
    assert_int_equal(heap_top(heap)->key, list[first].key);
    assert_int_equal(heap_order(heap_top(heap)), list[first].order);
    assert_int_equal(heap_pop(heap), first);
    list[first].present = 0;
}

static void random_steps_agree_with_a_list(void **state)
{
    struct heap heap = {0};
    static struct entry list[N_HANDLES];
    uint64_t random = 7, order = 0;
    uint32_t n = 0;
    (void)state;
    assert_true(heap_reserve(&heap, N_HANDLES));
    for (int step = 0; step < N_STEPS; step++) {
        uint32_t handle = random_below(&random, N_HANDLES), action = random_below(&random, 4);
        if (action < 2) { /* few different keys, so that the order decides often */
            n += !list[handle].present;
            list[handle] = (struct entry){(int64_t)random_below(&random, 20) - 5, order++, 1};
            heap_set(&heap, list[handle].key, list[handle].order, handle);
        } else if (action == 2 && n > 0) {
            check_pop(&heap, list);
            n--;
        } else if (list[handle].present) {
            heap_remove(&heap, handle);
            list[handle].present = 0;
            n--;
        }
        assert_int_equal(heap.n, n);
        assert_int_equal(heap_contains(&heap, handle), list[handle].present);
    }
    while (n-- > 0) check_pop(&heap, list);
    assert_true(heap_empty(&heap));
    heap_destroy(&heap);
}

static void growing_keeps_what_is_inside(void **state)
{
    struct heap heap = {0};
    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(heap_reserve(&heap, i + 1));
        heap_push(&heap, 1000 - (int64_t)i, i, i);
    }
    for (uint32_t i = 1000; i-- > 0;) assert_int_equal(heap_pop(&heap), i);
    heap_destroy(&heap);
}

static void too_many_handles_are_refused(void **state)
{
    struct heap heap = {0};
    (void)state;
    assert_true(heap_reserve(&heap, 10));
    assert_false(heap_reserve(&heap, HEAP_MOST_HANDLES + 1));
    heap_push(&heap, 1, 1, 9);
    assert_int_equal(heap_pop(&heap), 9);
    heap_destroy(&heap);
}

static void children_fill_one_cache_line(void **state)
{
    struct heap heap = {0};
    (void)state;
    assert_int_equal(sizeof(struct heap_entry), 16);
    assert_true(heap_reserve(&heap, 100));
    assert_int_equal((uintptr_t)&heap.entries[1] % 64, 0);
    heap_destroy(&heap);
}

static void non_negative_doubles_order_as_their_keys(void **state)
{
    static const double ascending[] = {0, 1e-310, 1e-300, 0.5, 1, 1.5, 1e10, 1e300};
    (void)state;
    assert_int_equal(heap_key_of(-0.0), heap_key_of(0.0));
    for (size_t i = 1; i < sizeof ascending / sizeof ascending[0]; i++) {
        assert_true(heap_key_of(ascending[i - 1]) < heap_key_of(ascending[i]));
        assert_true(heap_value_of(heap_key_of(ascending[i])) == ascending[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_steps_agree_with_a_list),
        cmocka_unit_test(growing_keeps_what_is_inside),
        cmocka_unit_test(too_many_handles_are_refused),
        cmocka_unit_test(children_fill_one_cache_line),
        cmocka_unit_test(non_negative_doubles_order_as_their_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
