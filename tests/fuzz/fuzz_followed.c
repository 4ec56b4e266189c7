/* Any bytes are refused with a reason, or are the steps of a followed run: some of all, and a name; or the
 * operations of some. */
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("steps", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    require(snprintf(path, sizeof path, "/proc/self/fd/%d", file) > 0);
    struct followed_steps steps;
    parcast_error error = {0};
    if (followed_read(path, &steps, &error) == PARCAST_OK) {
        require(steps.first < steps.last && steps.last <= steps.total);
        require(steps.spread_ratio >= 0 && isfinite(steps.spread_ratio));
        require(steps.what[0] && !strchr(steps.what, '\n'));
    } else {
        require(error.text[0]);
    }
    struct counted_steps counted;
    if (counted_read(path, size, &counted, &error) == PARCAST_OK) {
        require(counted.n <= size);
        counted_clear(&counted);
    }
    close(file);
    return 0;
}
