/*
 * Any bytes are refused with a reason, or are the record of a rank. Bytes that do not begin as such a record
 * are changes to a sound one: four bytes each, three for the place, one for the value.
 */
#include <stdlib.h>
#include <string.h>

#include "../record/raw_sample.h"
#include "fuzz.h"
#include "record/raw.h"

static void require(int condition)
{
    if (!condition) abort();
}

static void read_record(const void *bytes, size_t size)
{
    parcast_rank_profile profile;
    parcast_error error = {0};
    if (parcast_raw_read(bytes, size, "fuzz", &profile, &error) != PARCAST_OK) {
        require(error.text[0]);
        return;
    }
    require(profile.end >= PARCAST_END_FINALIZED && profile.end <= PARCAST_END_LOST);
    for (size_t i = 0; i < profile.n_sizes; i++)
        require(profile.sizes[i].bin >= 0 && profile.sizes[i].bin < PARCAST_SIZE_BINS);
    for (size_t i = 0; i < profile.n_sites; i++) require(profile.sites[i].module != NULL);
    for (size_t i = 0; i < profile.n_peers; i++) require(profile.peers[i].rank >= -1);
    parcast_profile_clear(&profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 8 && memcmp(data, RAW_MAGIC, 8) == 0) {
        read_record(data, size);
        return 0;
    }
    struct file *file = raw_sample();
    require(file != NULL);
    for (size_t i = 0; i + 4 <= size; i += 4) {
        size_t place =
            ((size_t)data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % sizeof *file;
        ((unsigned char *)file)[place] = data[i + 3];
    }
    read_record(file, sizeof *file);
    free(file);
    return 0;
}
