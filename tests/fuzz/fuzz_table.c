/* Any bytes are refused with a reason, or are timings that the scaling model takes. */
#include <math.h>
#include <stdlib.h>

#include "fuzz.h"
#include "parcast/scaling.h"
#include "parcast/table.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void forecast(const parcast_table *table)
{
    parcast_scaling_timing points[16] = {{0}};
    size_t n = table->n_rows < 16 ? table->n_rows : 16;
    for (size_t i = 0; i < n; i++)
        points[i] = (parcast_scaling_timing){table->rows[i].processes, table->rows[i].nodes,
                                             table->rows[i].time_s, 1};
    parcast_scaling_timings *model = NULL;
    double time_s = 0, low_s = 0, high_s = 0;
    require(parcast_scaling_fit_timings(points, n, false, &model, NULL) == PARCAST_OK);
    require(parcast_scaling_predict(model, 1024, 0, &time_s, &low_s, &high_s, NULL) == PARCAST_OK);
    require(low_s > 0 && low_s <= time_s && time_s <= high_s && isfinite(high_s));
    parcast_scaling_timings_destroy(&model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    parcast_table *table = NULL;
    parcast_error error = {0};
    if (parcast_table_parse((const char *)data, size, "fuzz", &table, &error) != PARCAST_OK) {
        require(!table && error.text[0]);
        return 0;
    }
    require(table->n_rows > 0);
    for (size_t i = 0; i < table->n_rows; i++) {
        const parcast_table_row *row = &table->rows[i];
        require(row->processes >= 1 && row->nodes >= 0 && row->nodes <= row->processes && row->line > 1);
        require(row->time_s > 0 && isfinite(row->time_s) && !(row->compute_s < 0) && !(row->mpi_s < 0));
    }
    forecast(table);
    parcast_table_destroy(&table);
    return 0;
}
