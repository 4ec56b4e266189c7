/* Division by a number that stays the same, against division. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/quotient.h"

static void is_as_divided(uint64_t by, uint64_t most, uint64_t n)
{
    struct quotient q = quotient_by(by, most);
    assert_true(quotient_of(q, n) == n / by);
    assert_true(quotient_rest(q, n) == n % by);
}

/* Around multiples a reciprocal that is rounded would be one off. */
static void quotients_are_exact_around_multiples(void **state)
{
    (void)state;
    for (uint64_t by = 1; by <= UINT32_MAX; by = by < 300 ? by + 1 : by * 2 + by / 3 % 7) {
        for (uint64_t times = 1; times * by <= UINT32_MAX; times = times < 40 ? times + 1 : times * 3 + 1) {
            is_as_divided(by, UINT32_MAX, times * by - 1);
            is_as_divided(by, UINT32_MAX, times * by);
        }
        is_as_divided(by, UINT32_MAX, UINT32_MAX);
        is_as_divided(by, UINT32_MAX, 0);
    }
    is_as_divided(UINT32_MAX, UINT32_MAX, UINT32_MAX - 1);
    is_as_divided(UINT32_MAX, UINT32_MAX, UINT32_MAX);
}

static void longer_numbers_are_divided_as_they_are(void **state)
{
    (void)state;
    is_as_divided(3, UINT64_MAX, UINT64_MAX);
    is_as_divided(7, UINT64_C(1) << 40, (UINT64_C(1) << 40) - 1);
    is_as_divided(UINT64_C(1) << 33, UINT32_MAX, UINT32_MAX);
    is_as_divided((UINT64_C(1) << 33) + 1, UINT64_MAX, UINT64_C(1) << 62);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_are_exact_around_multiples),
        cmocka_unit_test(longer_numbers_are_divided_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
