/* Any text is refused with a reason, or is a trace that can be written as text again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "parcast/trace_text.h"

static void require(int condition)
{
    if (!condition) abort();
}

/* A file in memory and the path that leads to it. */
static int make_file(char path[64])
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    require(file >= 0);
    int n = snprintf(path, 64, "/proc/self/fd/%d", file);
    require(n > 0);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char in[64], out[64], again[64];
    int file = make_file(in), trace_file = make_file(out), again_file = make_file(again);
    parcast_trace_losses losses = NULL;
    parcast_error error = {0};
    parcast_trace_format format;
    parcast_trace *trace = NULL;
    require(write(file, data, size) == (ssize_t)size);
    require(parcast_trace_detect(in, &format, NULL) == PARCAST_OK);
    if (parcast_trace_from_ti(in, out, &losses, &error) == PARCAST_OK) {
        free(losses);
        losses = NULL;
        require(parcast_trace_open(out, PARCAST_TRACE_WHOLE, &trace, &error) == PARCAST_OK);
        require(parcast_trace_to_ti(trace, again, 0, &losses, &error) == PARCAST_OK);
        free(losses);
    } else {
        require(error.text[0]);
    }
    parcast_trace_close(&trace);
    close(file);
    close(trace_file);
    close(again_file);
    return 0;
}
