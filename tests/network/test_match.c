/* Matching in O(1) against searching plain lists from the front. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "network/match.h"

enum { MOST = 4000 };

struct entry {
    struct match_key key;
    uint32_t payload;
};

/* Receives and messages that wait, in order. */
struct lists {
    struct entry receives[MOST], messages[MOST];
    size_t n_receives, n_messages;
};

static uint32_t random_below(uint64_t *state, uint32_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33) % n;
}

static int fits(const struct match_key *receive, const struct match_key *message)
{
    return receive->destination == message->destination && receive->communicator == message->communicator &&
           (receive->source == MATCH_ANY || receive->source == message->source) &&
           (receive->tag == MATCH_ANY || receive->tag == message->tag);
}

static uint32_t take(struct entry *list, size_t *n, size_t at)
{
    uint32_t payload = list[at].payload;
    for (size_t i = at + 1; i < *n; i++) list[i - 1] = list[i];
    (*n)--;
    return payload;
}

static uint32_t post(struct lists *lists, struct match_key key, uint32_t payload)
{
    for (size_t i = 0; i < lists->n_messages; i++)
        if (fits(&key, &lists->messages[i].key)) return take(lists->messages, &lists->n_messages, i);
    lists->receives[lists->n_receives++] = (struct entry){key, payload};
    return MATCH_NONE;
}

static uint32_t arrive(struct lists *lists, struct match_key key, uint32_t payload)
{
    for (size_t i = 0; i < lists->n_receives; i++)
        if (fits(&lists->receives[i].key, &key)) return take(lists->receives, &lists->n_receives, i);
    lists->messages[lists->n_messages++] = (struct entry){key, payload};
    return MATCH_NONE;
}

static bool is_payload(const void *state, uint32_t receive)
{
    return *(const uint32_t *)state == receive;
}

/* Take back one of the receives that wait, and one that does not. */
static void withdraw(struct matcher *matcher, struct lists *lists, uint64_t *random)
{
    const uint32_t unknown = UINT32_MAX - 1;
    if (lists->n_receives == 0) return;
    size_t i = random_below(random, (uint32_t)lists->n_receives);
    struct entry entry = lists->receives[i];
    assert_int_equal(match_withdraw(matcher, entry.key, is_payload, &unknown), MATCH_NONE);
    assert_int_equal(match_withdraw(matcher, entry.key, is_payload, &entry.payload), entry.payload);
    take(lists->receives, &lists->n_receives, i);
}

/* Random posts and arrivals; wildcards in one receive of `wild`, the first after `quiet` steps. */
static void compare(uint64_t seed, uint32_t wild, int quiet, bool withdraws)
{
    struct matcher matcher;
    struct lists *lists = calloc(1, sizeof *lists);
    uint64_t random = seed;
    assert_non_null(lists);
    assert_true(match_create(&matcher));
    for (int step = 0; step < MOST; step++) {
        struct match_key key = {random_below(&random, 3), random_below(&random, 2),
                                (int32_t)random_below(&random, 4), (int32_t)random_below(&random, 3)};
        bool receives = random_below(&random, 100) < (uint32_t)(step / 500 % 2 ? 70 : 30);
        if (receives && wild && step >= quiet && random_below(&random, wild) == 0) {
            if (random_below(&random, 2)) key.source = MATCH_ANY;
            if (random_below(&random, 2)) key.tag = MATCH_ANY;
        }
        uint32_t payload = (uint32_t)step, expected, first, n;
        if (receives)
            expected = post(lists, key, payload);
        else
            expected = arrive(lists, key, payload);
        if (receives) assert_int_equal(match_probe(&matcher, key), expected);
        assert_int_equal(receives ? match_post(&matcher, key, payload) : match_arrive(&matcher, key, payload),
                         expected);
        if (withdraws && random_below(&random, 4) == 0) withdraw(&matcher, lists, &random);
        first = match_first_waiting(&matcher, &n);
        assert_int_equal(n, lists->n_messages);
        assert_int_equal(first, n ? lists->messages[0].payload : MATCH_NONE);
    }
    assert_false(matcher.failed);
    match_destroy(&matcher);
    free(lists);
}

static void exact_receives_take_the_oldest_message(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) compare(seed, 0, 0, false);
}

static void wildcards_take_the_oldest_that_fits(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) compare(seed, 1 + (uint32_t)seed % 4, 0, false);
}

static void wildcards_may_come_after_many_messages_wait(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) compare(seed, 3, 450 + 300 * (int)seed, false);
}

static void receives_can_be_taken_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) compare(seed, seed % 2 ? 0 : 3, 0, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_receives_take_the_oldest_message),
        cmocka_unit_test(wildcards_take_the_oldest_that_fits),
        cmocka_unit_test(wildcards_may_come_after_many_messages_wait),
        cmocka_unit_test(receives_can_be_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
