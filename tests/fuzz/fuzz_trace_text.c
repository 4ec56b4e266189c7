/* Any text is refused with a reason, or is a trace that can be written as text again. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"
#include "parcast/trace_text.h"

static void require(int condition)
{
    if (!condition) abort();
}

/* A folder of its own: what a list of files names is looked for in it, and nothing is there but these three.
 */
static char folder[] = "/tmp/parcast-fuzz-XXXXXX", in[64], out[64], again[64];

static void remove_folder(void)
{
    unlink(in);
    unlink(out);
    unlink(again);
    rmdir(folder);
}

static void make_folder(void)
{
    static int made;
    if (made) return;
    made = 1;
    require(mkdtemp(folder) != NULL);
    require(snprintf(in, sizeof in, "%s/in", folder) > 0);
    require(snprintf(out, sizeof out, "%s/out", folder) > 0);
    require(snprintf(again, sizeof again, "%s/again", folder) > 0);
    require(atexit(remove_folder) == 0);
}

static void write_input(const uint8_t *data, size_t size)
{
    FILE *file = fopen(in, "w");
    require(file != NULL);
    require(fwrite(data, 1, size, file) == size);
    require(fclose(file) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parcast_trace_losses losses = NULL;
    parcast_error error = {0};
    parcast_trace_format format;
    parcast_trace *trace = NULL;
    make_folder();
    write_input(data, size);
    require(parcast_trace_detect(in, &format, NULL) == PARCAST_OK);
    if (parcast_trace_from_ti(in, out, &losses, &error) != PARCAST_OK) {
        require(error.text[0]);
        return 0;
    }
    free(losses);
    losses = NULL;
    require(parcast_trace_open(out, PARCAST_TRACE_WHOLE, &trace, &error) == PARCAST_OK);
    require(parcast_trace_to_ti(trace, again, 0, &losses, &error) == PARCAST_OK);
    free(losses);
    parcast_trace_close(&trace);
    return 0;
}
