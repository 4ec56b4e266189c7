/* A time-independent trace is refused with a reason, or replayed on both networks; a replay ends, or says why
 * not. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/replay.h"
#include "parcast/ti.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void replay(parcast_ti *trace, const parcast_platform *platform, const int *rank_node,
                   const parcast_loggops *loggops)
{
    parcast_operation_source source = parcast_ti_source(trace);
    parcast_replay_result *result = NULL;
    parcast_error error = {0};
    if (parcast_replay_run(&source, platform, rank_node, loggops, NULL, &result, &error) != PARCAST_OK)
        require(error.text[0] != '\0' && !result);
    else
        require(result->time_s >= 0 && result->n_ranks == source.n_ranks);
    parcast_replay_result_destroy(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_RANKS = 64 };
    static const char text[] =
        "schema: parcast.platform/1\nnodes: [{type: a, count: 3, cores: 2, flop_rate: 1e9}]\n"
        "network: {topology: star, latency: 1e-5, bandwidth: 1e8, eager_below: 100, detached_below: 1000}\n";
    static const parcast_loggops machine = {
        .L_s = 1e-6, .o_s = 1e-6, .g_s = 1e-6, .G_s_per_byte = 1e-9, .S_bytes = 100};
    parcast_ti *trace = NULL;
    parcast_platform *platform = NULL;
    parcast_error error = {0};
    int rank_node[MOST_RANKS];
    if (parcast_ti_parse((const char *)data, size, "input", &trace, &error) != PARCAST_OK) {
        require(error.text[0] != '\0' && !trace);
        return 0;
    }
    require(parcast_platform_parse(text, sizeof text - 1, "platform", &platform, NULL) == PARCAST_OK);
    for (int r = 0; r < MOST_RANKS; r++) rank_node[r] = r % 3;
    if (parcast_ti_source(trace).n_ranks <= MOST_RANKS) {
        replay(trace, platform, rank_node, NULL);
        replay(trace, platform, rank_node, &machine);
    }
    parcast_platform_destroy(&platform);
    parcast_ti_destroy(&trace);
    return 0;
}
