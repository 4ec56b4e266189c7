/*
 * Any bytes are refused with a reason, or are estimates of a program that engine bound can use: a time and an
 * interval around it, or a reason. Several estimates stand one after the other, with a line "---" between.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/forecast.h"

enum { MOST = 6 };

static void require(int condition)
{
    if (!condition) abort();
}

static parcast_platform *machine(void)
{
    static parcast_platform *platform;
    static const char text[] = "schema: parcast.platform/1\n"
                               "nodes: [{type: n, count: 40, cores: 2, flop_rate: 1 Gflop/s}]\n"
                               "network: {latency: 1 us, bandwidth: 1 GB/s, overlap: [[0, 0.5]]}\n";
    if (!platform) require(parcast_platform_parse(text, sizeof text - 1, "p", &platform, NULL) == PARCAST_OK);
    return platform;
}

static void ask(const parcast_predictor *predictor, int processes)
{
    parcast_placement *placement;
    parcast_point point;
    parcast_error error = {0};
    require(parcast_placement_create(machine(), processes, PARCAST_FILL, false, &placement, &error) ==
            PARCAST_OK);
    parcast_status status = parcast_predictor_point(predictor, machine(), placement, &point, &error);
    if (status)
        require(error.text[0]);
    else
        require(point.time_s >= 0 && point.low_s <= point.time_s && point.time_s <= point.high_s);
    parcast_placement_destroy(&placement);
}

/* The size of the last one, and one that nobody estimated. */
static void use(parcast_estimate *estimates, size_t n, char **target, size_t n_target)
{
    parcast_bound_basis basis = {.estimates = estimates,
                                 .n_estimates = n,
                                 .target = target,
                                 .n_target = n_target,
                                 .figures = {NAN, NAN, NAN}};
    parcast_fit_options options = {.bound = &basis};
    parcast_predictor *predictor = NULL;
    parcast_error error = {0};
    if (parcast_predictor_create(PARCAST_ENGINE_BOUND, NULL, 0, machine(), &options, &predictor, &error)) {
        require(!predictor && error.text[0]);
        return;
    }
    static const int counts[] = {1, 2, 4, 7, 31, 80};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) ask(predictor, counts[i]);
    parcast_predictor_destroy(&predictor);
}

static void use_all(parcast_estimate *estimates, size_t n)
{
    use(estimates, n, NULL, 0);
    parcast_estimate *last = &estimates[n - 1];
    char **target = calloc(last->n_arguments + 1, sizeof *target), size[] = "4096";
    require(target != NULL);
    for (size_t i = 0; i < last->n_arguments; i++) target[i] = i ? last->arguments[i] : size;
    use(estimates, n, target, last->n_arguments);
    free(target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n---\n";
    parcast_estimate estimates[MOST] = {0};
    size_t n = 0;
    char *text = malloc(size + 1), *next = text;
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    while (next && n < MOST) {
        char *piece = next, *end = strstr(piece, mark);
        next = end ? end + strlen(mark) : NULL;
        if (end) *end = '\0';
        parcast_error error = {0};
        if (parcast_estimate_parse(piece, "fuzz", &estimates[n], &error) == PARCAST_OK)
            n++;
        else
            require(error.text[0]);
    }
    if (n) use_all(estimates, n);
    for (size_t i = 0; i < n; i++) parcast_estimate_clear(&estimates[i]);
    free(text);
    return 0;
}
