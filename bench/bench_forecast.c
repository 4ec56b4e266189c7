/*
 * Hot paths of a forecast: the fit with its cross-validation, and a sweep of 1,000 configurations (placements
 * on up to four node types) of a fitted study, single-threaded. Prints JSON; CPU seconds, median of five.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/forecast/synthetic.h"
#include "measure.h"
#include "parcast/forecast.h"

enum { REPETITIONS = 5, CONFIGURATIONS = 1000 };

static const char recorded_text[] =
    "schema: parcast.platform/1\n"
    "name: recorded\n"
    "nodes:\n"
    "  - {type: a, count: 16, cores: 8, speed: 1.0, price_per_hour: 1}\n"
    "  - {type: b, count: 8, cores: 16, speed: 1.3, price_per_hour: 3}\n"
    "  - {type: c, count: 8, cores: 32, speed: 1.1, price_per_hour: 4}\n"
    "  - {type: d, count: 4, cores: 64, speed: 0.9, price_per_hour: 5}\n"
    "network: {topology: star, latency: 20 us, bandwidth: 10 Gbit/s, duplex: full}\n";

static void fail(const char *what, const parcast_error *error)
{
    fprintf(stderr, "bench_forecast: %s: %s\n", what, error->text);
    exit(1);
}

int main(void)
{
    static const struct synthetic_program program = {
        .work_s = 600, .replicated_s = 0.1, .iterations = 1000, .edge_bytes = 4e5};
    static const int shapes[][2] = {{1, 1},  {2, 1},  {4, 1},  {8, 1}, {8, 2},
                                    {16, 2}, {16, 4}, {32, 4}, {4, 4}, {2, 2}};
    enum { RUNS = sizeof shapes / sizeof shapes[0] };
    parcast_error error = {.code = PARCAST_OK};
    parcast_platform *platform;
    if (parcast_platform_parse(recorded_text, strlen(recorded_text), "bench", &platform, &error))
        fail("platform", &error);
    parcast_run runs[RUNS];
    for (int i = 0; i < RUNS; i++)
        runs[i] = synthetic_run(&program, platform, 0, shapes[i][0], shapes[i][1], i + 1);

    double fit[REPETITIONS], sweep[REPETITIONS], checksum = 0;
    parcast_predictor *predictor = NULL;
    for (int r = 0; r < REPETITIONS; r++) {
        parcast_predictor_destroy(&predictor);
        double start = cpu_s();
        if (parcast_predictor_create(PARCAST_ENGINE_MODEL, runs, RUNS, platform, NULL, &predictor, &error))
            fail("fit", &error);
        fit[r] = cpu_s() - start;
    }
    int cores = parcast_platform_cores(platform);
    for (int r = 0; r < REPETITIONS; r++) {
        double start = cpu_s();
        for (int i = 0; i < CONFIGURATIONS; i++) {
            parcast_placement *placement;
            parcast_point point;
            parcast_placement_policy policy = i % 2 ? PARCAST_SPREAD : PARCAST_FILL;
            int n = 1 + (int)((long)i * (cores - 1) / CONFIGURATIONS);
            if (parcast_placement_create(platform, n, policy, false, &placement, &error))
                fail("placement", &error);
            if (parcast_predictor_point(predictor, platform, placement, &point, &error))
                fail("point", &error);
            checksum += point.time_s;
            parcast_placement_destroy(&placement);
        }
        sweep[r] = cpu_s() - start;
    }
    printf(
        "{\"schema\": \"parcast.bench/1\", \"what\": \"forecast\", \"fit_runs\": %d, "
        "\"fit_with_cross_validation_s\": %.6f, "
        "\"configurations\": %d, \"cores\": %d, \"node_types\": 4, \"sweep_s\": %.6f, \"checksum\": %.9g}\n",
        RUNS, median(fit, REPETITIONS), CONFIGURATIONS, cores, median(sweep, REPETITIONS), checksum);
    for (int i = 0; i < RUNS; i++) parcast_run_clear(&runs[i]);
    parcast_predictor_destroy(&predictor);
    parcast_platform_destroy(&platform);
    return 0;
}
