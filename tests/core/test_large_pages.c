#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "parcast/large_pages.h"

static unsigned long long size_in_pages(void)
{
    unsigned long long pages = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (!in || fscanf(in, "%llu", &pages) != 1) fail_msg("no /proc/self/statm");
    fclose(in);
    return pages;
}

static bool grows(void)
{
    enum { TIMES = 20, MOST_PAGES = 2048 };
    unsigned long long before = size_in_pages();
    for (int i = 0; i < TIMES; i++) parcast_large_pages_pay();
    return size_in_pages() >= before + MOST_PAGES;
}

/* Asked again and again, it would otherwise grow by 6 MiB each time. Threads that a library begins take
 * memory meanwhile, but not for ever. */
static void what_a_try_takes_is_given_back(void **state)
{
    (void)state;
    enum { ROUNDS = 100 };
    int round = 0;
    while (round < ROUNDS && grows()) round++;
    assert_int_not_equal(round, ROUNDS);
}

static void without_room_to_try_there_are_none(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__)
    struct rlimit before, none;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    none = before;
    none.rlim_cur = 1 << 20; /* less than there is already */
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
    bool pays = parcast_large_pages_pay();
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    assert_false(pays);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_try_takes_is_given_back),
        cmocka_unit_test(without_room_to_try_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
