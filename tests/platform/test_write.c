#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/keys.h"

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static int below(int n)
{
    return (int)(random_bits() % (uint64_t)n);
}

/* Any double of the range, with all its digits, over the orders of magnitude. */
static double value_in(double low, double high)
{
    double u = (double)(random_bits() >> 11) * 0x1p-53;
    if (below(8) == 0) return low > 0 ? low : high;
    if (low <= 0) low = high * 1e-12;
    return low * pow(high / low, u);
}

static char *random_text(void)
{
    static const char *const texts[] = {"a",    "node one", "#5",    "true", "3.5",  "'quoted'", "a: b",
                                        "*ref", "- item",   "größe", "{x}",  "\"\"", "tab\there"};
    return strdup(texts[below(sizeof texts / sizeof texts[0])]);
}

/* Fill what the table lists with allowed values, each with probability one half. */
static void fill(const struct key_table *table, void *fields)
{
    for (size_t i = 0; i < table->n_keys; i++) {
        const struct key *key = &table->keys[i];
        void *field = (char *)fields + key->offset, *extra = (char *)fields + key->offset_n;
        if (!key->required && below(2)) continue;
        switch (key->kind) {
        case KEY_SECTION:
        case KEY_CHOICE:
        case KEY_COUNTS:
        case KEY_CABLES:
            break; /* set by topology */
        case KEY_TEXT:
        case KEY_WORD:
            free(*(char **)field);
            *(char **)field = key->choices ? strdup(key->choices[below(2)]) : random_text();
            break;
        case KEY_WEIGHTS:
            *(double *)field = below(2);
            break;
        case KEY_COUNT:
            *(int *)field = 1 + below(50);
            break;
        case KEY_NUMBERS: {
            size_t n = 1 + (size_t)below(5);
            double *numbers = malloc(n * sizeof *numbers);
            numbers[0] = 1;
            for (size_t j = 1; j < n; j++) numbers[j] = value_in(0.5, 64);
            *(double **)field = numbers;
            *(size_t *)extra = n;
            break;
        }
        case KEY_TEXTS:
            *(char ***)field = malloc(sizeof(char *));
            **(char ***)field = random_text();
            *(size_t *)extra = 1;
            break;
        case KEY_CURVE: {
            size_t n = 1 + (size_t)below(5);
            parcast_breakpoint *points = malloc(n * sizeof *points);
            for (size_t j = 0; j < n; j++)
                points[j] = (parcast_breakpoint){(j ? points[j - 1].bytes : 0) + value_in(1, 1e6),
                                                 value_in(0.1, fmin(key->high, 3))};
            *(parcast_breakpoint **)field = points;
            *(size_t *)extra = n;
            break;
        }
        case KEY_NUMBER:
        case KEY_TIME:
        case KEY_SIZE:
        case KEY_BANDWIDTH:
        case KEY_FLOP_RATE:
            *(double *)field = value_in(key->low, key->high);
            break;
        }
    }
}

static void choose_topology(parcast_network_description *n)
{
    n->topology = (parcast_topology)below(4);
    n->nodes_per_router = 0;
    if (n->topology == PARCAST_TORUS) {
        n->n_dims = 3;
        for (int i = 0; i < 3; i++) n->dims[i] = 30 + below(5);
    } else if (n->topology == PARCAST_FAT_TREE) {
        n->n_levels = 2;
        for (int i = 0; i < 2; i++) {
            n->down[i] = 300 + below(9);
            n->up[i] = 1 + below(3);
            n->parallel[i] = 1 + below(3);
        }
    } else if (n->topology == PARCAST_DRAGONFLY) {
        n->groups = 20;
        n->chassis = 3;
        n->routers = 20 + below(3);
        n->nodes_per_router = 20;
        n->group_cables = 1 + below(3);
        n->router_cables = 1 + below(3);
    }
    n->duplex = (parcast_duplex)below(2);
    if (below(2)) { /* per link, or end to end */
        n->link_latency_s = value_in(1e-9, 1);
        n->latency_s = NAN;
    } else {
        n->link_latency_s = NAN;
        n->latency_s = value_in(1e-9, 1);
    }
    if (n->detached_below_bytes < n->eager_below_bytes) n->detached_below_bytes = n->eager_below_bytes;
}

static parcast_platform *random_platform(void)
{
    parcast_platform *p = malloc(sizeof *p);
    assert_non_null(p);
    platform_defaults(p);
    p->name = strdup("random");
    p->currency = strdup("USD");
    fill(&platform_keys, p);
    p->n_types = 1 + (size_t)below(4);
    p->types = calloc(p->n_types, sizeof *p->types);
    for (size_t i = 0; i < p->n_types; i++) {
        parcast_node_type *type = &p->types[i];
        node_type_defaults(type);
        fill(&node_keys, type);
        free(type->name);
        assert_true(asprintf(&type->name, "type %zu", i) > 0);
        type->cores = type->sockets * (5 + below(30));
        type->speed_given = type->speed != 1 || below(2);
    }
    fill(&network_keys, &p->network);
    choose_topology(&p->network);
    p->network.loggops.given = below(2);
    if (p->network.loggops.given) fill(&loggops_keys, &p->network);
    fill(&shared_memory_keys, &p->shared_memory);
    return p;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_field(const struct key *key, const void *a, const void *b)
{
    const void *x = (const char *)a + key->offset, *y = (const char *)b + key->offset;
    const void *nx = (const char *)a + key->offset_n, *ny = (const char *)b + key->offset_n;
    switch (key->kind) {
    case KEY_SECTION:
        return true;
    case KEY_TEXT:
    case KEY_WORD:
        return same_text(*(char *const *)x, *(char *const *)y);
    case KEY_CHOICE:
    case KEY_COUNT:
        return *(const int *)x == *(const int *)y;
    case KEY_CABLES:
        return *(const int *)x == *(const int *)y && *(const int *)nx == *(const int *)ny;
    case KEY_COUNTS:
        return *(const int *)nx == *(const int *)ny &&
               memcmp(x, y, sizeof(int) * (size_t)*(const int *)nx) == 0;
    case KEY_NUMBERS:
        return *(const size_t *)nx == *(const size_t *)ny &&
               (*(const size_t *)nx == 0 ||
                memcmp(*(double *const *)x, *(double *const *)y, sizeof(double) * *(const size_t *)nx) == 0);
    case KEY_TEXTS:
        return *(const size_t *)nx == *(const size_t *)ny &&
               (*(const size_t *)nx == 0 || same_text(**(char *const *const *)x, **(char *const *const *)y));
    case KEY_CURVE:
        return *(const size_t *)nx == *(const size_t *)ny &&
               (*(const size_t *)nx == 0 ||
                memcmp(*(parcast_breakpoint *const *)x, *(parcast_breakpoint *const *)y,
                       sizeof(parcast_breakpoint) * *(const size_t *)nx) == 0);
    case KEY_WEIGHTS:
    case KEY_NUMBER:
    case KEY_TIME:
    case KEY_SIZE:
    case KEY_BANDWIDTH:
    case KEY_FLOP_RATE:
        return same(*(const double *)x, *(const double *)y);
    }
    return false;
}

static void expect_fields(const struct key_table *table, const void *a, const void *b, const char *text)
{
    for (size_t i = 0; i < table->n_keys; i++)
        if (!same_field(&table->keys[i], a, b))
            fail_msg("key '%s' differs after reading\n%s", table->keys[i].name, text);
}

static void every_field_survives_writing_and_reading(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        parcast_platform *p = random_platform(), *back = NULL;
        parcast_error error = {0};
        char *text = NULL;
        size_t length = 0;
        if (parcast_platform_format(p, &text, &length, &error))
            fail_msg("line %d: %s", error.line, error.text);
        assert_int_equal(parcast_platform_parse(text, length, "p", &back, NULL), PARCAST_OK);
        if (isnan(p->network.latency_s)) p->network.latency_s = back->network.latency_s; /* follows */
        expect_fields(&platform_keys, p, back, text);
        assert_int_equal(p->n_types, back->n_types);
        for (size_t i = 0; i < p->n_types; i++) {
            expect_fields(&node_keys, &p->types[i], &back->types[i], text);
            assert_int_equal(p->types[i].speed_given, back->types[i].speed_given);
        }
        expect_fields(&network_keys, &p->network, &back->network, text);
        assert_int_equal(p->network.loggops.given, back->network.loggops.given);
        expect_fields(&loggops_keys, &p->network, &back->network, text);
        expect_fields(&shared_memory_keys, &p->shared_memory, &back->shared_memory, text);
        free(text);
        parcast_platform_destroy(&back);
        parcast_platform_destroy(&p);
    }
}

static void written_numbers_are_short_where_they_can_be(void **state)
{
    (void)state;
    static const char plain[] =
        "schema: parcast.platform/1\nname: p\nnodes:\n- {type: a, count: 1, cores: 2, speed: 1, "
        "memory_bandwidth: 25 GB/s}\nnetwork:\n  topology: star\n  latency: 30 us\n"
        "  bandwidth: 125 MB/s\nshared_memory: {latency: 500 ns, bandwidth: 8 GB/s}\n";
    parcast_platform *p = NULL;
    char *text = NULL;
    size_t length;
    assert_int_equal(parcast_platform_parse(plain, strlen(plain), "p", &p, NULL), PARCAST_OK);
    free(p->currency);
    p->currency = strdup("USD");
    assert_int_equal(parcast_platform_format(p, &text, &length, NULL), PARCAST_OK);
    assert_non_null(strstr(text, "speed: 1, memory_bandwidth: 25 GB/s}"));
    assert_non_null(strstr(text, "latency: 30 us\n  bandwidth: 125 MB/s\n"));
    assert_non_null(strstr(text, "{latency: 500 ns, bandwidth: 8 GB/s}"));
    free(text);
    parcast_platform_destroy(&p);
}

static void a_platform_that_makes_no_machine_is_not_written(void **state)
{
    (void)state;
    parcast_platform *p = random_platform();
    char *text = NULL;
    size_t length;
    parcast_error error = {0};
    p->types[0].count = 0;
    assert_int_equal(parcast_platform_format(p, &text, &length, &error), PARCAST_INVALID);
    assert_non_null(strstr(error.text, "'count'"));
    p->types[0].count = 1;
    p->types[0].name[0] = '\xff';
    assert_int_equal(parcast_platform_format(p, &text, &length, &error), PARCAST_INVALID);
    assert_null(text);
    parcast_platform_destroy(&p);
}

static void a_failed_write_leaves_the_old_file(void **state)
{
    (void)state;
    char folder[] = "/tmp/parcast-write-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/p.yaml", folder);
    parcast_platform *p = random_platform(), *back = NULL;
    parcast_error error = {0};
    assert_int_equal(parcast_platform_save(p, path, &error), PARCAST_OK);
    assert_int_equal(parcast_platform_load(path, &back, &error), PARCAST_OK);
    parcast_platform_destroy(&back);
    p->types[0].count = 0;
    assert_int_equal(parcast_platform_save(p, path, &error), PARCAST_INVALID);
    assert_int_equal(parcast_platform_load(path, &back, &error), PARCAST_OK);
    parcast_platform_destroy(&back);
    p->types[0].count = 1;
    assert_int_equal(parcast_platform_save(p, "/dev/full", &error), PARCAST_IO);
    assert_string_equal(error.text, "cannot write '/dev/full': No space left on device");
    assert_int_equal(parcast_platform_save(p, "/nonexistent/p.yaml", &error), PARCAST_IO);
    assert_int_equal(parcast_platform_save(p, folder, &error), PARCAST_IO);
    parcast_platform_destroy(&p);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no temporary file is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_survives_writing_and_reading),
        cmocka_unit_test(written_numbers_are_short_where_they_can_be),
        cmocka_unit_test(a_platform_that_makes_no_machine_is_not_written),
        cmocka_unit_test(a_failed_write_leaves_the_old_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
