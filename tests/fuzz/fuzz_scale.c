/*
 * Two files of values, that of an earlier iteration and that of a later one, are refused with a reason, or
 * taken on to one in which nothing has become less, and the file of the later one is left alone. The input:
 * the size of the earlier file and sixteen times the factor, in two and four bytes; the earlier file; the
 * later one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "valueflow/load.h"
#include "valueflow/scale.h"

enum { HEAD = 6, MOST_VERTICES = 1 << 16 };

static void require(int condition)
{
    if (!condition) abort();
}

static int make_file(const uint8_t *bytes, size_t size, char *path, size_t path_size)
{
    int file = memfd_create("values", MFD_CLOEXEC);
    require(file >= 0);
    require(write(file, bytes, size) == (ssize_t)size);
    require(snprintf(path, path_size, "/proc/self/fd/%d", file) > 0);
    return file;
}

static void check(const struct values_file *made, const struct values_file *given)
{
    require(made->size == given->size && made->header.flop >= given->header.flop);
    require(made->header.values >= given->header.values);
    for (uint64_t i = 0; i < made->header.n_nets; i++) require(made->nets[i].count >= given->nets[i].count);
    for (uint64_t i = 0; i < made->header.n_chain_nets; i++)
        require(made->chain_nets[i].count >= given->chain_nets[i].count);
}

static void unchanged(int file, const uint8_t *bytes, size_t size)
{
    uint8_t *now = malloc(size + 1);
    require(now != NULL);
    require(pread(file, now, size + 1, 0) == (ssize_t)size && memcmp(now, bytes, size) == 0);
    free(now);
}

/* A file may name many more words than it has bytes, and scaling has a number for each. */
static int is_small(const uint8_t *data, size_t size)
{
    struct vf_dump_header header;
    if (size < sizeof header) return 1;
    memcpy(&header, data, sizeof header);
    return header.n_vertices <= MOST_VERTICES;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD) return 0;
    size_t n_before = data[0] | (size_t)data[1] << 8;
    double factor =
        ((uint32_t)data[2] | (uint32_t)data[3] << 8 | (uint32_t)data[4] << 16 | (uint32_t)data[5] << 24) /
        16.0;
    data += HEAD;
    size -= HEAD;
    if (n_before > size) n_before = size;
    if (!is_small(data, n_before) || !is_small(data + n_before, size - n_before)) return 0;
    char path[64], before_path[64];
    int before = make_file(data, n_before, before_path, sizeof before_path);
    int later = make_file(data + n_before, size - n_before, path, sizeof path);
    struct values_file given, made;
    parcast_error error = {0};
    const struct values_scaling scaling = {before_path, factor};
    if (values_file_read(path, &given, NULL) == PARCAST_OK) {
        require(values_file_read(path, &made, NULL) == PARCAST_OK);
        if (values_scale(path, &made, &scaling, &error) == PARCAST_OK)
            check(&made, &given);
        else
            require(error.text[0]);
        unchanged(later, data + n_before, size - n_before);
        values_file_clear(&made);
        values_file_clear(&given);
    }
    close(before);
    close(later);
    return 0;
}
