/* What tests of the programs in variants/ share: a program is compiled once and its words are asked for many
 * ways. */
#ifndef PARCAST_TESTS_VALUEFLOW_VARIANTS_H
#define PARCAST_TESTS_VALUEFLOW_VARIANTS_H

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "few.h"
#include "run_cli.h"

static void compile(const char *command, const char *source, const char *program)
{
    struct outcome outcome =
        run_cli("%s --values --region kernel " VARIANTS "/%s -o %s -lm", command, source, program);
    if (outcome.status) fail_msg("%s does not compile: %s", source, outcome.err);
    outcome_clear(&outcome);
}

static json_int_t words_of(const char *options, const char *program, int which, const char *arguments)
{
    struct outcome outcome = run_cli("estimate %s --json -- ./%s %d%s", options, program, which, arguments);
    if (outcome.status) fail_msg("%s %d%s %s: %s", program, which, arguments, options, outcome.err);
    json_t *object = json_loads(outcome.out, 0, NULL);
    json_t *words = json_object_get(json_array_get(json_object_get(object, "points"), 0), "words");
    assert_true(json_is_integer(words));
    json_int_t result = json_integer_value(words);
    json_decref(object);
    outcome_clear(&outcome);
    return result;
}

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

/* Which ways of a computation are looked at: all, or where there is no time every eighth one and the last,
 * and with sanitizers, where each takes five times as long, every tenth. */
static bool is_asked(int which, int first, int last)
{
#ifdef IS_SANITIZED
    enum { EVERY = 10 };
#else
    enum { EVERY = 8 };
#endif
    return (which - first) % EVERY == 0 || which == last || has_time();
}

static void have_words(const char *options, const char *program, int first, int last, const char *arguments,
                       json_int_t expected)
{
    for (int which = first; which <= last; which++) {
        if (!is_asked(which, first, last)) continue;
        json_int_t words = words_of(options, program, which, arguments);
        if (words != expected)
            fail_msg("%s %d%s %s: %lld words, not %lld", program, which, arguments, options, (long long)words,
                     (long long)expected);
    }
}

#endif
