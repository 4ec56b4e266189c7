/* Any bytes are refused with a reason, or are a platform that is written and read back, placed and measured.
 */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "parcast/platform.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void place(const parcast_platform *platform)
{
    int cores = parcast_platform_cores(platform);
    for (int i = 0; i < 4; i++) {
        int n = i < 2 ? cores / (i + 1) : 1 + cores / 3;
        parcast_placement *placement = NULL;
        if (n < 1) continue;
        require(parcast_placement_create(platform, n, i % 2 ? PARCAST_SPREAD : PARCAST_FILL, false,
                                         &placement, NULL) == PARCAST_OK);
        require(placement->n_ranks == n && placement->n_nodes <= parcast_platform_nodes(platform));
        double latency_s = parcast_platform_latency(platform, placement->n_nodes);
        require(isfinite(latency_s) && latency_s >= 0);
        parcast_placement_destroy(&placement);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parcast_platform *platform = NULL, *back = NULL;
    parcast_error error = {0};
    char *text = NULL;
    size_t length = 0;
    if (parcast_platform_parse((const char *)data, size, "fuzz", &platform, &error) != PARCAST_OK) {
        require(!platform && error.text[0]);
        return 0;
    }
    place(platform);
    require(parcast_platform_format(platform, &text, &length, &error) == PARCAST_OK);
    require(parcast_platform_parse(text, length, "back", &back, &error) == PARCAST_OK);
    require(parcast_platform_cores(back) == parcast_platform_cores(platform));
    parcast_platform_destroy(&back);
    parcast_platform_destroy(&platform);
    free(text);
    return 0;
}
