/*
 * replay_cases FILE [KIND]: check replay and the network models on a file of cases ("replay-cases-1"), all of
 * them or those of one kind.
 *
 * Each case is run through the library's public interface and compared with the times that it expects. One
 * line a case, last "N passed, M failed"; exit status 0 if none failed, 1 if some did, 3 for a file that
 * cannot be used.
 */
#include "replay_cases.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { EXIT_INPUT = 3 };

void check_fail(struct check *check, const char *format, ...)
{
    va_list arguments;
    if (check->failed) return;
    check->failed = true;
    va_start(arguments, format);
    vsnprintf(check->text, sizeof check->text, format, arguments);
    va_end(arguments);
}

void check_error(struct check *check, const parcast_error *error)
{
    if (error->line)
        check_fail(check, "%s:%d: %s", error->source, error->line, error->text);
    else
        check_fail(check, "%s", error->text);
}

void check_number(struct check *check, const char *what, size_t index, double value, const json_t *expected)
{
    double wanted = json_number_value(expected), off = fabs(value - wanted);
    if (!json_is_number(expected)) {
        check_fail(check, "%s[%zu] is %.12g, and no number is expected there", what, index, value);
        return;
    }
    check->worst = fmax(check->worst, off);
    if (!(off <= check->absolute + check->relative * fabs(wanted)))
        check_fail(check, "%s[%zu] is %.12g, expected %.12g", what, index, value, wanted);
}

void check_array(struct check *check, const char *name, const double *values, size_t n_values)
{
    const json_t *expected = json_object_get(json_object_get(check->test, "expect"), name);
    if (!expected) return;
    if (json_array_size(expected) != n_values)
        check_fail(check, "%s has %zu values, expected %zu", name, n_values, json_array_size(expected));
    for (size_t i = 0; i < n_values && i < json_array_size(expected); i++)
        check_number(check, name, i, values[i], json_array_get(expected, i));
}

double number_at(const json_t *object, const char *key, double otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool check_case(const json_t *file, const json_t *test)
{
    static const struct {
        const char *kind;
        void (*check)(struct check *);
    } kinds[] = {
        {"goal", check_goal}, {"flows", check_flows}, {"ti", check_ti}, {"collective", check_collective}};
    const json_t *tolerance = json_object_get(test, "tolerance");
    struct check check = {.file = file,
                          .test = test,
                          .absolute = number_at(tolerance, "abs", 0),
                          .relative = number_at(tolerance, "rel", 0)};
    const char *kind = text_at(test, "kind");
    size_t n = sizeof kinds / sizeof kinds[0], k = 0;
    while (k < n && strcmp(kinds[k].kind, kind) != 0) k++;
    if (k == n)
        check_fail(&check, "kind '%s' is not known", kind);
    else
        kinds[k].check(&check);
    if (!check.failed) snprintf(check.text, sizeof check.text, "off by at most %.3g", check.worst);
    printf("%s %s: %s\n", check.failed ? "FAIL" : "pass", text_at(test, "id"), check.text);
    return !check.failed;
}

int main(int argc, char **argv)
{
    json_error_t error;
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: replay_cases FILE [KIND]\n");
        return 2;
    }
    json_t *file = json_load_file(argv[1], 0, &error);
    const json_t *cases = json_object_get(file, "cases");
    if (!json_is_array(cases)) {
        if (file)
            fprintf(stderr, "replay_cases: %s: no \"cases\"\n", argv[1]);
        else
            fprintf(stderr, "replay_cases: %s:%d: %s\n", argv[1], error.line, error.text);
        json_decref(file);
        return EXIT_INPUT;
    }
    size_t passed = 0, n = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *test = json_array_get(cases, i);
        if (argc == 3 && strcmp(text_at(test, "kind"), argv[2]) != 0) continue;
        n++;
        passed += check_case(file, test);
    }
    printf("%zu passed, %zu failed\n", passed, n - passed);
    json_decref(file);
    return passed == n ? 0 : 1;
}
