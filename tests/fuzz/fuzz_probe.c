/* Any bytes are refused with a reason, or are a probe that gives a machine, or a reason why not. */
#include <stdlib.h>

#include "fuzz.h"
#include "parcast/probe.h"

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parcast_probe probe = {0};
    parcast_error error = {0};
    if (parcast_probe_parse((const char *)data, size, "fuzz", &probe, &error) != PARCAST_OK) {
        require(error.text[0] && !probe.hosts);
        return 0;
    }
    char notes[4][PARCAST_PROBE_NOTE];
    parcast_platform *platform = NULL;
    parcast_probe_notes(&probe, notes, 4);
    if (parcast_probe_platform(&probe, "fuzz", &platform, &error) != PARCAST_OK)
        require(!platform && error.text[0]);
    else
        require(platform->n_types > 0 && !(parcast_platform_overlap(platform) > 1));
    parcast_platform_destroy(&platform);
    parcast_probe_destroy(&probe);
    return 0;
}
