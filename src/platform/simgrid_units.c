#include "platform/simgrid_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double factor;
};

static bool read_number(const char *text, const char *ends, const struct unit *units, double *value)
{
    char *end;
    double number = strtod(text, &end);
    size_t length = strcspn(end, ends);
    if (end == text || !isfinite(number) || number < 0) return false;
    for (; units->name; units++)
        if (strlen(units->name) == length && strncmp(units->name, end, length) == 0) {
            *value = number * units->factor;
            return true;
        }
    return false;
}

#define KIB 1024.0

bool simgrid_bandwidth(const char *text, double *bytes_per_s)
{
    static const struct unit units[] = {{"", 1},
                                        {"Bps", 1},
                                        {"kBps", 1e3},
                                        {"MBps", 1e6},
                                        {"GBps", 1e9},
                                        {"TBps", 1e12},
                                        {"KiBps", KIB},
                                        {"MiBps", KIB * KIB},
                                        {"GiBps", KIB * KIB * KIB},
                                        {"TiBps", KIB * KIB * KIB * KIB},
                                        {"bps", 0.125},
                                        {"kbps", 0.125e3},
                                        {"Mbps", 0.125e6},
                                        {"Gbps", 0.125e9},
                                        {"Tbps", 0.125e12},
                                        {"Kibps", KIB / 8},
                                        {"Mibps", KIB * KIB / 8},
                                        {"Gibps", KIB * KIB * KIB / 8},
                                        {NULL, 0}};
    return read_number(text, "", units, bytes_per_s);
}

bool simgrid_time(const char *text, double *seconds)
{
    static const struct unit units[] = {{"", 1},      {"s", 1},      {"ms", 1e-3}, {"us", 1e-6},
                                        {"ns", 1e-9}, {"ps", 1e-12}, {"m", 60},    {"h", 3600},
                                        {"d", 86400}, {"w", 604800}, {NULL, 0}};
    return read_number(text, "", units, seconds);
}

bool simgrid_speed(const char *text, double *flop_per_s)
{
    static const struct unit units[] = {{"", 1},         {"f", 1},        {"kf", 1e3},  {"Mf", 1e6},
                                        {"Gf", 1e9},     {"Tf", 1e12},    {"Pf", 1e15}, {"flops", 1},
                                        {"Mflops", 1e6}, {"Gflops", 1e9}, {NULL, 0}};
    return read_number(text, ",", units, flop_per_s);
}

bool simgrid_radical(const char *text, int *count)
{
    enum { MOST = 10000000 };
    long n = 0;
    for (const char *at = text;; at++) {
        char *end;
        long first = strtol(at, &end, 10), last = first;
        if (end == at || first < 0) return false;
        if (*end == '-') {
            at = end + 1;
            last = strtol(at, &end, 10);
            if (end == at || last < first) return false;
        }
        if (last - first >= MOST - n) return false;
        n += last - first + 1;
        at = end;
        if (*at == '\0') break;
        if (*at != ',') return false;
    }
    *count = (int)n;
    return true;
}
