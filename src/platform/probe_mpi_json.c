/*
 * The result of parcast-probe.<mpi>, schema parcast.probe-raw/1.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe_mpi.h"

static void put_number(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, ",\"%s\":%.17g", name, value);
    else
        fprintf(out, ",\"%s\":null", name);
}

static void put_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= ' ' && c < 127 && c != '"' && c != '\\') putc(c, out);
    }
    putc('"', out);
}

static void put_host(FILE *out, const parcast_probe_host *h)
{
    fputs("{\"name\":", out);
    put_text(out, h->name);
    fprintf(out, ",\"ranks\":%d,\"cores\":%d,\"sockets\":%d", h->ranks, h->cores, h->sockets);
    put_number(out, "memory_bytes", h->memory_bytes);
    put_number(out, "calibration", h->calibration);
    put_number(out, "calibration_error", h->calibration_error);
    put_number(out, "calibration_busy", h->calibration_busy);
    put_number(out, "dilation_ratio", h->dilation_ratio);
    put_number(out, "flop_rate_flop_per_s", h->flop_rate_flop_per_s);
    put_number(out, "shared_latency_s", h->shared_latency_s);
    put_number(out, "shared_bandwidth_bytes_per_s", h->shared_bandwidth_bytes_per_s);
    put_number(out, "load_ratio", h->load_ratio);
    fputs(",\"memory_bandwidth\":[", out);
    for (int i = 0; i < h->n_memory; i++)
        fprintf(out, "%s[%d,%.17g]", i ? "," : "", h->memory_cores[i], h->memory_bytes_per_s[i]);
    fputs("]}", out);
}

static void put_pair(FILE *out, const parcast_probe_pair *pair)
{
    fprintf(out, "{\"a\":%d,\"b\":%d,\"one_way\":[", pair->a, pair->b);
    for (int i = 0; i < pair->n_sizes; i++)
        fprintf(out, "%s[%.0f,%.17g]", i ? "," : "", pair->bytes[i], pair->one_way_s[i]);
    fputs("],\"exchange\":[", out);
    for (int i = 0; i < pair->n_sizes; i++)
        fprintf(out, "%s[%.0f,%.17g]", i ? "," : "", pair->bytes[i], pair->exchange_s[i]);
    fputs("],\"overlap\":[", out);
    for (int i = 0; i < pair->n_overlap; i++)
        fprintf(out, "%s[%.0f,%.17g]", i ? "," : "", pair->overlap_bytes[i], pair->overlap_ratio[i]);
    putc(']', out);
    put_number(out, "eager_up_to_bytes", pair->eager_up_to_bytes);
    put_number(out, "overhead_s", pair->overhead_s);
    put_number(out, "both_ways_ratio", pair->both_ways_ratio);
    putc('}', out);
}

/* "Open MPI 4.1.4", "MPICH 4.0.2" */
static void mpi_name(char *name, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    char number[32] = "";
    int length;
    MPI_Get_library_version(version, &length);
    bool open_mpi = strncmp(version, "Open MPI", 8) == 0;
    const char *digits = version + strcspn(version, "0123456789");
    snprintf(number, sizeof number, "%.*s", (int)strspn(digits, "0123456789."), digits);
    snprintf(name, size, "%s %s",
             open_mpi                            ? "Open MPI"
             : strncmp(version, "MPICH", 5) == 0 ? "MPICH"
                                                 : "MPI",
             number);
}

void write_result(const struct probe *p, const parcast_probe_host *hosts, double bisection, const char *path)
{
    char mpi[64];
    FILE *out = fopen(path, "we");
    if (!out) stop("cannot write the result");
    mpi_name(mpi, sizeof mpi);
    fprintf(out, "{\"schema\":\"parcast.probe-raw/1\",\"mpi\":");
    put_text(out, mpi);
    fprintf(out, ",\"bisection_pairs\":%d", p->n_hosts > 1 ? p->n_hosts / 2 : 0);
    put_number(out, "bisection_bytes_per_s", bisection);
    fputs(",\n\"hosts\":[", out);
    for (int i = 0; i < p->n_hosts; i++) {
        if (i) fputs(",\n", out);
        put_host(out, &hosts[i]);
    }
    fputs("],\n\"pairs\":[", out);
    for (int i = 0; i < p->n_pairs; i++) {
        if (i) fputs(",\n", out);
        put_pair(out, &p->pairs[i]);
    }
    fputs("]}\n", out);
    if (ferror(out) || fclose(out) != 0) stop("cannot write the result");
}
