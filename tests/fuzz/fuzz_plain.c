/* Any bytes are refused with a reason, or are what a plain run leaves: a time, and a request for steps that
 * the followed run can read. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "valueflow/run/plain.h"

static void require(int condition)
{
    if (!condition) abort();
}

/* "NUMBER:COUNT" or "entries:COUNT" */
static void check_request(const char *steps)
{
    const char *count = strchr(steps, ':');
    require(count && strncmp(steps, "entries", 7) == 0
                ? steps + 7 == count
                : strspn(steps, "0123456789") == (size_t)(count - steps));
    char *end;
    require(strtoull(count + 1, &end, 10) >= 2 && *end == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("plain", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    require(snprintf(path, sizeof path, "/proc/self/fd/%d", file) > 0);
    struct plain_run run;
    parcast_error error = {0};
    if (plain_read(path, &run, &error) == PARCAST_OK) {
        require(run.region_s == -1 || (run.region_s >= 0 && isfinite(run.region_s)));
        require(run.region_s >= 0 || !run.has_steps);
        if (run.has_steps) check_request(run.steps);
    } else {
        require(error.text[0] && !run.has_steps);
    }
    close(file);
    return 0;
}
