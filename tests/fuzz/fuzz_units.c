/* Quantities and lists as people type them: any text is either refused with a reason or a value that makes
 * sense. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/units.h"

typedef parcast_status quantity_reader(const char *text, double *value, parcast_error *error);

static void require(int condition)
{
    if (!condition) abort();
}

static void read_quantity(quantity_reader *read, const char *text)
{
    double value = 0;
    parcast_error error = {0};
    if (read(text, &value, &error) == PARCAST_OK)
        require(isfinite(value) && value >= 0);
    else
        require(error.text[0] != '\0');
}

static void read_list(const char *text)
{
    int *counts = NULL;
    size_t n = 0;
    if (parcast_units_list(text, &counts, &n, NULL) != PARCAST_OK) return;
    require(n > 0 && counts[0] >= 1);
    for (size_t i = 1; i < n; i++) require(counts[i] > counts[i - 1]);
    free(counts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    read_quantity(parcast_units_bandwidth, text);
    read_quantity(parcast_units_size, text);
    read_quantity(parcast_units_time, text);
    read_quantity(parcast_units_flop_rate, text);
    double span_s = 0;
    if (parcast_units_deadline(text, 1000000000, &span_s, NULL) == PARCAST_OK) require(isfinite(span_s));
    read_list(text);
    free(text);
    return 0;
}
