#include "elastic/manifest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elastic/checksum.h"

enum { MAX_RANKS = 1 << 24, MAX_ARRAYS = 4096 };

static parcast_status no_memory(parcast_error *error)
{
    return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "no memory for a manifest");
}

bool elastic_name_is_valid(const char *name)
{
    size_t n = name ? strlen(name) : 0;
    if (n < 1 || n >= ELASTIC_NAME_BYTES) return false;
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)name[i]) && !strchr("_.-", name[i])) return false;
    return true;
}

/* -------- writing -------- */

static const char *const kinds[] = {"whole", "block", "cyclic"};

static void write_dim(FILE *out, const elastic_dim *dim)
{
    fprintf(out, "dim %" PRId64 " %s", dim->size, kinds[dim->kind]);
    if (dim->kind == PARCAST_ELASTIC_CYCLIC) fprintf(out, " %" PRId64 " %d", dim->block, dim->parts);
    if (dim->kind == PARCAST_ELASTIC_BLOCK) {
        fprintf(out, " %d", dim->parts);
        for (int p = 0; p <= dim->parts; p++) fprintf(out, " %" PRId64, dim->offsets[p]);
    }
    fputc('\n', out);
}

static void write_lines(FILE *out, const elastic_manifest *manifest)
{
    fprintf(out, "parcast-checkpoint 1\nepoch %" PRId64 "\niteration %" PRId64 "\nranks %d\n",
            manifest->epoch, manifest->iteration, manifest->n_ranks);
    fprintf(out, "values %zu\n", manifest->n_values);
    for (size_t i = 0; i < manifest->n_values; i++) {
        const elastic_saved_value *value = &manifest->values[i];
        fprintf(out, "value %s %zu ", value->name, value->bytes);
        for (size_t k = 0; k < value->bytes; k++) fprintf(out, "%02x", value->data[k]);
        fputc('\n', out);
    }
    fprintf(out, "arrays %zu\n", manifest->n_arrays);
    for (size_t i = 0; i < manifest->n_arrays; i++) {
        const elastic_layout *layout = &manifest->arrays[i].layout;
        fprintf(out, "array %s %" PRId64 " %d\n", manifest->arrays[i].name, layout->element_bytes,
                layout->n_dims);
        for (int d = 0; d < layout->n_dims; d++) write_dim(out, &layout->dims[d]);
    }
    for (int r = 0; r < manifest->n_ranks; r++) {
        const elastic_piece *piece = &manifest->pieces[r];
        fprintf(out, "piece %d %" PRId64 " %016" PRIx64 " %s %s\n", piece->rank, piece->data_bytes,
                piece->index_checksum, piece->node, piece->path);
    }
}

parcast_status elastic_manifest_format(const elastic_manifest *manifest, char **text, parcast_error *error)
{
    char *made = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&made, &bytes);
    if (!out) return no_memory(error);
    write_lines(out, manifest);
    if (fflush(out) == 0) fprintf(out, "checksum %016" PRIx64 "\n", elastic_checksum(made, bytes));
    bool failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(made);
        return no_memory(error);
    }
    *text = made;
    return PARCAST_OK;
}

/* -------- reading -------- */

struct reader {
    const char *at, *end;
    const char *source;
    int line;
    parcast_error *error;
};

static parcast_status wrong(const struct reader *reader, const char *what)
{
    return parcast_error_set(reader->error, PARCAST_FORMAT, reader->source, reader->line, "%s", what);
}

/* Take one exact text. */
static bool take(struct reader *reader, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(reader->end - reader->at) < n || memcmp(reader->at, text, n) != 0) return false;
    reader->at += n;
    if (n && text[n - 1] == '\n') reader->line++;
    return true;
}

static bool take_number(struct reader *reader, int64_t low, int64_t high, int64_t *value)
{
    const char *begin = reader->at;
    int64_t number = 0;
    while (reader->at < reader->end && isdigit((unsigned char)*reader->at)) {
        int digit = *reader->at - '0';
        if (number > (INT64_MAX - digit) / 10) return false;
        number = 10 * number + digit;
        reader->at++;
    }
    if (reader->at == begin || number < low || number > high) return false;
    *value = number;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_hex(struct reader *reader, unsigned char *bytes, size_t n)
{
    if ((size_t)(reader->end - reader->at) / 2 < n) return false;
    for (size_t i = 0; i < n; i++) {
        int high = hex_digit(reader->at[0]), low = hex_digit(reader->at[1]);
        if (high < 0 || low < 0) return false;
        bytes[i] = (unsigned char)(high << 4 | low);
        reader->at += 2;
    }
    return true;
}

static bool take_checksum(struct reader *reader, uint64_t *checksum)
{
    unsigned char bytes[8];
    if (!take_hex(reader, bytes, sizeof bytes)) return false;
    *checksum = 0;
    for (size_t i = 0; i < sizeof bytes; i++) *checksum = *checksum << 8 | bytes[i];
    return true;
}

/* Text up to the mark, of printable characters. */
static bool take_text(struct reader *reader, char mark, char *text, size_t size)
{
    const char *end = memchr(reader->at, mark, (size_t)(reader->end - reader->at));
    size_t n = end ? (size_t)(end - reader->at) : 0;
    if (n < 1 || n >= size) return false;
    for (size_t i = 0; i < n; i++)
        if (!isprint((unsigned char)reader->at[i])) return false;
    memcpy(text, reader->at, n);
    text[n] = '\0';
    reader->at = end + 1;
    if (mark == '\n') reader->line++;
    return true;
}

static bool take_name(struct reader *reader, char *name)
{
    return take_text(reader, ' ', name, ELASTIC_NAME_BYTES) && elastic_name_is_valid(name);
}

static parcast_status read_block(struct reader *reader, elastic_dim *dim, int n_ranks)
{
    int64_t parts, offset = 0;
    if (!take(reader, " ") || !take_number(reader, 1, n_ranks, &parts))
        return wrong(reader, "a bad number of parts");
    dim->parts = (int)parts;
    dim->offsets = malloc(((size_t)parts + 1) * sizeof *dim->offsets);
    if (!dim->offsets) return no_memory(reader->error);
    for (int p = 0; p <= dim->parts; p++) {
        if (!take(reader, " ") || !take_number(reader, p ? offset : 0, p ? dim->size : 0, &offset))
            return wrong(reader, "bad intervals of a dimension");
        dim->offsets[p] = offset;
    }
    return offset == dim->size ? PARCAST_OK : wrong(reader, "the intervals do not cover the dimension");
}

static parcast_status read_dim(struct reader *reader, elastic_dim *dim, int n_ranks)
{
    int64_t parts;
    parcast_status status = PARCAST_OK;
    if (!take(reader, "dim ") || !take_number(reader, 1, INT64_C(1) << 62, &dim->size) || !take(reader, " "))
        return wrong(reader, "a dimension was expected");
    dim->parts = 1;
    if (take(reader, "block")) {
        dim->kind = PARCAST_ELASTIC_BLOCK;
        status = read_block(reader, dim, n_ranks);
    } else if (take(reader, "cyclic ")) {
        dim->kind = PARCAST_ELASTIC_CYCLIC;
        if (!take_number(reader, 1, dim->size, &dim->block) || !take(reader, " ") ||
            !take_number(reader, 1, n_ranks, &parts))
            return wrong(reader, "a bad cyclic dimension");
        dim->parts = (int)parts;
    } else if (!take(reader, "whole")) {
        return wrong(reader, "a dimension of unknown kind");
    }
    if (status) return status;
    return take(reader, "\n") ? PARCAST_OK : wrong(reader, "a dimension that does not end");
}

/* Products of sizes must not overflow, and the grid must have as many parts as there are ranks. */
static parcast_status check_layout(const struct reader *reader, const elastic_layout *layout)
{
    int64_t left = (INT64_C(1) << 62) / layout->element_bytes, parts = 1;
    for (int d = 0; d < layout->n_dims; d++) {
        left /= layout->dims[d].size;
        parts *= layout->dims[d].parts;
        if (parts > layout->n_ranks) break;
    }
    if (left < 1) return wrong(reader, "an array of more than 2^62 bytes");
    return parts == layout->n_ranks ? PARCAST_OK : wrong(reader, "the parts do not multiply to the ranks");
}

static parcast_status read_array(struct reader *reader, elastic_saved_array *array, int n_ranks)
{
    elastic_layout *layout = &array->layout;
    int64_t n_dims;
    if (!take(reader, "array ") || !take_name(reader, array->name) ||
        !take_number(reader, 1, INT64_C(1) << 62, &layout->element_bytes) || !take(reader, " ") ||
        !take_number(reader, 1, PARCAST_ELASTIC_MAX_DIMS, &n_dims) || !take(reader, "\n"))
        return wrong(reader, "an array was expected");
    layout->n_dims = (int)n_dims;
    layout->n_ranks = n_ranks;
    parcast_status status = PARCAST_OK;
    for (int d = 0; d < layout->n_dims && !status; d++) status = read_dim(reader, &layout->dims[d], n_ranks);
    return status ? status : check_layout(reader, layout);
}

static parcast_status read_arrays(struct reader *reader, elastic_manifest *manifest)
{
    int64_t n;
    if (!take(reader, "arrays ") || !take_number(reader, 0, MAX_ARRAYS, &n) || !take(reader, "\n"))
        return wrong(reader, "the number of arrays was expected");
    manifest->arrays = calloc((size_t)n + 1, sizeof *manifest->arrays);
    if (!manifest->arrays) return no_memory(reader->error);
    parcast_status status = PARCAST_OK;
    for (; manifest->n_arrays < (size_t)n && !status; manifest->n_arrays++)
        status = read_array(reader, &manifest->arrays[manifest->n_arrays], manifest->n_ranks);
    return status;
}

static parcast_status read_value(struct reader *reader, elastic_saved_value *value)
{
    int64_t bytes;
    if (!take(reader, "value ") || !take_name(reader, value->name) ||
        !take_number(reader, 1, ELASTIC_MAX_VALUE_BYTES, &bytes) || !take(reader, " "))
        return wrong(reader, "a value was expected");
    value->bytes = (size_t)bytes;
    value->data = malloc(value->bytes);
    if (!value->data) return no_memory(reader->error);
    if (!take_hex(reader, value->data, value->bytes) || !take(reader, "\n"))
        return wrong(reader, "a value of another length");
    return PARCAST_OK;
}

static parcast_status read_values(struct reader *reader, elastic_manifest *manifest)
{
    int64_t n;
    if (!take(reader, "values ") || !take_number(reader, 0, MAX_ARRAYS, &n) || !take(reader, "\n"))
        return wrong(reader, "the number of values was expected");
    manifest->values = calloc((size_t)n + 1, sizeof *manifest->values);
    if (!manifest->values) return no_memory(reader->error);
    parcast_status status = PARCAST_OK;
    for (; manifest->n_values < (size_t)n && !status; manifest->n_values++)
        status = read_value(reader, &manifest->values[manifest->n_values]);
    return status;
}

static parcast_status read_pieces(struct reader *reader, elastic_manifest *manifest)
{
    /* A line has 24 characters or more: a file that promises more ranks than it has room for is refused here.
     */
    if ((reader->end - reader->at) / 24 < manifest->n_ranks) return wrong(reader, "pieces are missing");
    manifest->pieces = calloc((size_t)manifest->n_ranks + 1, sizeof *manifest->pieces);
    if (!manifest->pieces) return no_memory(reader->error);
    for (int r = 0; r < manifest->n_ranks; r++) {
        elastic_piece *piece = &manifest->pieces[r];
        int64_t rank;
        if (!take(reader, "piece ") || !take_number(reader, r, r, &rank) || !take(reader, " ") ||
            !take_number(reader, 0, INT64_MAX / 2, &piece->data_bytes) || !take(reader, " ") ||
            !take_checksum(reader, &piece->index_checksum) || !take(reader, " ") ||
            !take_text(reader, ' ', piece->node, sizeof piece->node) ||
            !take_text(reader, '\n', piece->path, sizeof piece->path))
            return wrong(reader, "a piece was expected");
        piece->rank = r;
        if (piece->data_bytes != elastic_manifest_offset(manifest, manifest->n_arrays, r))
            return wrong(reader, "a piece has another size than its arrays");
    }
    return PARCAST_OK;
}

static parcast_status read_head(struct reader *reader, elastic_manifest *manifest)
{
    int64_t n_ranks;
    if (!take(reader, "parcast-checkpoint 1\n"))
        return wrong(reader, "this is no checkpoint of a version that is known");
    if (!take(reader, "epoch ") || !take_number(reader, 0, INT64_MAX, &manifest->epoch) ||
        !take(reader, "\n"))
        return wrong(reader, "the epoch was expected");
    if (!take(reader, "iteration ") || !take_number(reader, 0, INT64_MAX, &manifest->iteration) ||
        !take(reader, "\n"))
        return wrong(reader, "the iteration was expected");
    if (!take(reader, "ranks ") || !take_number(reader, 1, MAX_RANKS, &n_ranks) || !take(reader, "\n"))
        return wrong(reader, "the number of ranks was expected");
    manifest->n_ranks = (int)n_ranks;
    return PARCAST_OK;
}

static parcast_status check_sum(struct reader *reader, const char *begin)
{
    uint64_t sum = 0;
    const char *here = reader->at;
    if (!take(reader, "checksum ") || !take_checksum(reader, &sum) || !take(reader, "\n") ||
        reader->at != reader->end)
        return wrong(reader, "the checksum was expected as the last line");
    return elastic_checksum(begin, (size_t)(here - begin)) == sum
               ? PARCAST_OK
               : wrong(reader, "the file does not fit its checksum");
}

parcast_status elastic_manifest_parse(const char *text, size_t bytes, const char *source,
                                      elastic_manifest *manifest, parcast_error *error)
{
    struct reader reader = {text, text + bytes, source, 1, error};
    elastic_manifest made = {0};
    parcast_status status = read_head(&reader, &made);
    if (!status) status = read_values(&reader, &made);
    if (!status) status = read_arrays(&reader, &made);
    if (!status) status = read_pieces(&reader, &made);
    if (!status) status = check_sum(&reader, text);
    if (status)
        elastic_manifest_clear(&made);
    else
        *manifest = made;
    return status;
}

void elastic_manifest_clear(elastic_manifest *manifest)
{
    for (size_t i = 0; i < manifest->n_arrays; i++) elastic_layout_clear(&manifest->arrays[i].layout);
    for (size_t i = 0; i < manifest->n_values; i++) free(manifest->values[i].data);
    free(manifest->arrays);
    free(manifest->values);
    free(manifest->pieces);
    *manifest = (elastic_manifest){0};
}

const elastic_saved_array *elastic_manifest_array(const elastic_manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->n_arrays; i++)
        if (strcmp(manifest->arrays[i].name, name) == 0) return &manifest->arrays[i];
    return NULL;
}

const elastic_saved_value *elastic_manifest_value(const elastic_manifest *manifest, const char *name)
{
    for (size_t i = 0; i < manifest->n_values; i++)
        if (strcmp(manifest->values[i].name, name) == 0) return &manifest->values[i];
    return NULL;
}

int64_t elastic_manifest_offset(const elastic_manifest *manifest, size_t array, int rank)
{
    int64_t offset = 0;
    for (size_t i = 0; i < array; i++) {
        int64_t bytes = elastic_layout_bytes(&manifest->arrays[i].layout, rank);
        if (bytes > INT64_MAX / 4 - offset) return -1;
        offset += (bytes + ELASTIC_ALIGNMENT - 1) / ELASTIC_ALIGNMENT * ELASTIC_ALIGNMENT;
    }
    return offset;
}
