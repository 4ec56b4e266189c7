/* Any bytes are refused with a reason, or are a graph of values whose words can be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "parcast/valueflow.h"
#include "valueflow/runtime/process/dump_format.h"

enum { MOST_VERTICES = 1 << 16 }; /* a file may name many more words than it has bytes */

static void require(int condition)
{
    if (!condition) abort();
}

static void count_words(const parcast_values *values)
{
    static const parcast_extents grids[] = {{1, {3}}, {2, {2, 2}}};
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        parcast_flow flow = {0};
        parcast_error error = {0};
        if (parcast_values_grid(values, &grids[i], NULL, &flow, &error))
            require(error.text[0] != '\0');
        else
            require(flow.matrix != NULL);
        parcast_flow_clear(&flow);
    }
    parcast_flow flow = {0}, block = {0};
    parcast_error error = {0};
    if (parcast_values_minimum(values, 3, NULL, &flow, &block, &error)) require(error.text[0] != '\0');
    parcast_flow_clear(&flow);
    parcast_flow_clear(&block);
}

static int is_small(const uint8_t *data, size_t size)
{
    struct vf_dump_header header;
    if (size < sizeof header) return 1;
    memcpy(&header, data, sizeof header);
    return header.n_vertices <= MOST_VERTICES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    if (!is_small(data, size)) return 0;
    int file = memfd_create("values", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, data, size) == (ssize_t)size);
    require(snprintf(path, sizeof path, "/proc/self/fd/%d", file) > 0);
    parcast_values *values = NULL;
    parcast_error error = {0};
    if (parcast_values_load(path, &values, &error) == PARCAST_OK) {
        parcast_values_summary summary;
        parcast_values_summarise(values, &summary);
        for (size_t i = 0; i < summary.n_reports; i++)
            require(parcast_values_report_at(values, i).kind != NULL);
        count_words(values);
    } else {
        require(values == NULL && error.text[0] != '\0');
    }
    parcast_values_destroy(&values);
    close(file);
    return 0;
}
