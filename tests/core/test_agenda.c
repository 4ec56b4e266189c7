/* The agenda against a plain list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/agenda.h"

enum { MOST = 2500 };

struct list {
    struct heap_entry entries[MOST];
    uint32_t n;
};

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

static struct heap_entry take_first(struct list *list)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < list->n; i++)
        if (heap_before(&list->entries[i], &list->entries[first])) first = i;
    struct heap_entry taken = list->entries[first];
    list->entries[first] = list->entries[--list->n];
    return taken;
}

static void push(struct agenda *agenda, struct list *list, int64_t key, uint64_t order)
{
    uint32_t handle = (uint32_t)(order % 1000);
    agenda_push(agenda, key, order, handle);
    list->entries[list->n++] = (struct heap_entry){key, heap_word(order, handle)};
}

static int64_t check_pop(struct agenda *agenda, struct list *list)
{
    struct heap_entry expected = take_first(list);
    const struct heap_entry *top = agenda_top(agenda);
    assert_non_null(top);
    assert_int_equal(top->key, expected.key);
    assert_int_equal(top->word, expected.word);
    agenda_take(agenda, top);
    return expected.key;
}

/* Keys up to `range` after the one taken last, sometimes before it; `burst` at once with the same key now and
 * then. */
static void steps_agree_with_a_list(int64_t begin, uint32_t range, uint32_t burst, uint32_t n_steps)
{
    struct agenda agenda = {0};
    static struct list list;
    uint64_t random = 7 + range, order = 0;
    int64_t now = begin;
    list.n = 0;
    for (uint32_t step = 0; step < n_steps; step++) {
        uint32_t action = random_below(&random, 100);
        if (action < 50 && list.n + 1 < MOST) {
            push(&agenda, &list, now + random_below(&random, range), order++);
        } else if (action == 50 && list.n + burst < MOST) {
            int64_t key = now + random_below(&random, range);
            for (uint32_t i = 0; i < burst; i++) push(&agenda, &list, key, order++);
        } else if (action == 51 && list.n + 1 < MOST) {
            push(&agenda, &list, now - random_below(&random, range), order++);
        } else if (list.n > 0) {
            now = check_pop(&agenda, &list);
        }
        assert_int_equal(agenda_empty(&agenda), list.n == 0);
    }
    while (list.n > 0) check_pop(&agenda, &list);
    assert_null(agenda_top(&agenda));
    assert_true(agenda_empty(&agenda));
    assert_false(agenda.failed);
    agenda_destroy(&agenda);
}

static void what_comes_out_is_in_order_whatever_went_in(void **state)
{
    (void)state;
    steps_agree_with_a_list(0, 3, 10, 5000);
    steps_agree_with_a_list(1000000, 1000, 600, 6000);
    steps_agree_with_a_list(INT64_C(1) << 61, 1000000000, 700, 6000);
    steps_agree_with_a_list(INT64_MAX - UINT32_MAX, 1000000, 50, 3000);
    steps_agree_with_a_list(-5000, 1000, 300, 3000);
}

static void many_entries_are_spread_and_come_out_sorted(void **state)
{
    enum { N = 20000 };
    struct agenda agenda = {0};
    uint64_t random = 3;
    (void)state;
    for (uint64_t i = 0; i < N; i++)
        agenda_push(&agenda, (int64_t)random_below(&random, 1U << 30) / 64 * 64, N - i, 1);
    struct heap_entry before = {-1, 0};
    for (uint32_t i = 0; i < N; i++) {
        const struct heap_entry *top = agenda_top(&agenda);
        assert_true(heap_before(&before, top));
        before = *top;
        agenda_take(&agenda, top);
    }
    assert_true(agenda_empty(&agenda));
    agenda_destroy(&agenda);
}

static void what_is_ahead_is_what_comes_if_nothing_is_put_in(void **state)
{
    enum { N = 100, AHEAD = 7 };
    struct agenda agenda = {0};
    (void)state;
    for (uint32_t i = 0; i < N; i++) agenda_push(&agenda, (i * 37) % N, i, (i * 37) % N);
    for (uint32_t i = 0; i < N; i++) {
        const struct heap_entry *top = agenda_top(&agenda);
        assert_int_equal(heap_handle(top), i);
        uint32_t ahead = agenda_ahead(&agenda, AHEAD);
        if (ahead != AGENDA_NONE) assert_int_equal(ahead, i + AHEAD);
        if (i == 0) assert_int_not_equal(ahead, AGENDA_NONE);
        agenda_take(&agenda, top);
    }
    agenda_destroy(&agenda);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_out_is_in_order_whatever_went_in),
        cmocka_unit_test(many_entries_are_spread_and_come_out_sorted),
        cmocka_unit_test(what_is_ahead_is_what_comes_if_nothing_is_put_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
