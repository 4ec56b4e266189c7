/* Any bytes are refused with a reason, or are a manifest whose numbers are sound. The checksum is made right,
 * so that the fuzzer gets behind it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/checksum.h"
#include "elastic/manifest.h"
#include "fuzz.h"

static void require(int condition)
{
    if (!condition) abort();
}

static bool count(void *context, const elastic_strided *runs)
{
    int64_t *n = context;
    require(runs->source >= 0 && runs->target >= 0 && runs->bytes > 0 && runs->count > 0);
    *n += runs->bytes * runs->count;
    return *n < INT64_C(1) << 40; /* enough seen */
}

static void use(const elastic_manifest *manifest)
{
    for (size_t i = 0; i < manifest->n_arrays; i++) {
        const elastic_layout *layout = &manifest->arrays[i].layout;
        int64_t n = 0;
        for (int r = 0; r < manifest->n_ranks && r < 4; r++) require(elastic_layout_bytes(layout, r) >= 0);
        if (layout->dims[0].size < 1000 && layout->n_dims == 1)
            elastic_walk(layout, 0, layout, 0, count, &n, NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    elastic_manifest manifest = {0};
    parcast_error error = {0};
    char *text = malloc(size + 32);
    if (!text) return 0;
    memcpy(text, data, size);
    int n = snprintf(text + size, 32, "checksum %016" PRIx64 "\n", elastic_checksum(text, size));
    parcast_status status = elastic_manifest_parse(text, size + (size_t)n, "fuzz", &manifest, &error);
    require(status ? error.text[0] != '\0' : manifest.n_ranks > 0);
    if (!status) use(&manifest);
    elastic_manifest_clear(&manifest);
    status = elastic_manifest_parse(text, size, "fuzz", &manifest, &error);
    require(status || manifest.n_ranks > 0);
    elastic_manifest_clear(&manifest);
    free(text);
    return 0;
}
