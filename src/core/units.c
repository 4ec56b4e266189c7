#include "parcast/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct prefix {
    const char *text;
    double factor;
};

/* Binary prefixes come first, so that "Ki" is not taken for "k". */
static const struct prefix prefixes[] = {
    {"Ki", 1024.0},
    {"Mi", 1048576.0},
    {"Gi", 1073741824.0},
    {"Ti", 1099511627776.0},
    {"k", 1e3},
    {"K", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"P", 1e15},
    {"", 1.0},
};

static const char *skip_space(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    return text;
}

/* A finite, non-negative decimal number. strtod alone would also take "inf", "nan" and hexadecimal. */
static parcast_status read_number(const char **text, double *value, const char *whole, const char *what,
                                  parcast_error *error)
{
    const char *start = skip_space(*text);
    char *end;
    if (*start == '-')
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' is negative", what, whole);
    if (!isdigit((unsigned char)*start) && *start != '.')
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' does not begin with a number",
                                 what, whole);
    if (start[0] == '0' && (start[1] == 'x' || start[1] == 'X'))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' is not a decimal number", what,
                                 whole);
    *value = strtod(start, &end);
    if (end == start || !isfinite(*value))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' is not a finite number", what,
                                 whole);
    *text = end;
    return PARCAST_OK;
}

struct unit {
    const char *text;
    double factor;
};

static parcast_status read_quantity(const char *text, const struct unit *units, const char *what,
                                    const char *example, double *result, parcast_error *error)
{
    const char *rest = text;
    double value = 0.0;
    parcast_status status = read_number(&rest, &value, text, what, error);
    if (status) return status;
    rest = skip_space(rest);
    size_t length = strlen(rest);
    while (length > 0 && isspace((unsigned char)rest[length - 1])) length--;
    if (length == 0) {
        *result = value;
        return PARCAST_OK;
    }
    for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
        size_t n = strlen(prefixes[p].text);
        if (n > length || strncmp(rest, prefixes[p].text, n) != 0) continue;
        for (const struct unit *u = units; u->text; u++) {
            if (strlen(u->text) != length - n || strncmp(rest + n, u->text, length - n) != 0) continue;
            double product = value * prefixes[p].factor * u->factor;
            if (!isfinite(product))
                return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' is too large", what, text);
            *result = product;
            return PARCAST_OK;
        }
    }
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "%s '%s' has an unknown unit '%.*s'", what, text,
                      (int)length, rest);
    parcast_error_hint(error, "write it like %s", example);
    return PARCAST_INVALID;
}

parcast_status parcast_units_bandwidth(const char *text, double *bytes_per_s, parcast_error *error)
{
    static const struct unit units[] = {
        {"bit/s", 0.125}, {"bps", 0.125}, {"b/s", 0.125}, {"B/s", 1.0}, {NULL, 0}};
    return read_quantity(text, units, "bandwidth", "'1 Gbit/s' or '25 GB/s'", bytes_per_s, error);
}

parcast_status parcast_units_size(const char *text, double *bytes, parcast_error *error)
{
    static const struct unit units[] = {{"B", 1.0}, {"", 1.0}, {"bit", 0.125}, {NULL, 0}};
    return read_quantity(text, units, "size", "'64 KiB' or '8 GB'", bytes, error);
}

parcast_status parcast_units_flop_rate(const char *text, double *flop_per_s, parcast_error *error)
{
    static const struct unit units[] = {{"flop/s", 1.0}, {"Flop/s", 1.0}, {"flops", 1.0},
                                        {"FLOPS", 1.0},  {"f", 1.0},      {NULL, 0}};
    return read_quantity(text, units, "rate", "'1 Gflop/s'", flop_per_s, error);
}

static const struct unit time_units[] = {
    {"ns", 1e-9},     {"us", 1e-6},   {"\u00b5s", 1e-6}, {"ms", 1e-3},  {"s", 1.0},
    {"sec", 1.0},     {"min", 60.0},  {"m", 60.0},       {"h", 3600.0}, {"hours", 3600.0},
    {"hour", 3600.0}, {"d", 86400.0}, {NULL, 0},
};

parcast_status parcast_units_time(const char *text, double *seconds, parcast_error *error)
{
    const char *rest = text;
    double total = 0;
    do { /* one or more parts: 2h30m */
        double value = 0.0;
        parcast_status status = read_number(&rest, &value, text, "time", error);
        if (status) return status;
        rest = skip_space(rest);
        size_t length = 0;
        while (rest[length] && !isdigit((unsigned char)rest[length]) && rest[length] != '.' &&
               !isspace((unsigned char)rest[length]))
            length++;
        double factor = length == 0 ? 1.0 : 0.0;
        for (const struct unit *u = time_units; u->text && length > 0; u++)
            if (strlen(u->text) == length && strncmp(rest, u->text, length) == 0) factor = u->factor;
        if (factor == 0.0) {
            parcast_error_set(error, PARCAST_INVALID, NULL, 0, "time '%s' has an unknown unit '%.*s'", text,
                              (int)length, rest);
            parcast_error_hint(error, "write it like '30 us', '12.5 s', '90m' or '2h30m'");
            return PARCAST_INVALID;
        }
        total += value * factor;
        rest = skip_space(rest + length);
    } while (*rest);
    if (!isfinite(total))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "time '%s' is too large", text);
    *seconds = total;
    return PARCAST_OK;
}

parcast_status parcast_units_deadline(const char *text, time_t now, double *seconds, parcast_error *error)
{
    int hour, minute, second = 0, used = 0;
    bool clock = sscanf(text, " %2d:%2d %n", &hour, &minute, &used) == 2 && text[used] == '\0';
    if (!clock)
        clock = sscanf(text, " %2d:%2d:%2d %n", &hour, &minute, &second, &used) == 3 && text[used] == '\0';
    if (!clock) return parcast_units_time(text, seconds, error);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "'%s' is no time of day", text);
    struct tm local;
    localtime_r(&now, &local);
    local.tm_hour = hour;
    local.tm_min = minute;
    local.tm_sec = second;
    local.tm_isdst = -1;
    time_t then = mktime(&local);
    if (then <= now) { /* tomorrow, also where a day has 23 or 25 hours */
        local.tm_mday++;
        local.tm_hour = hour;
        local.tm_min = minute;
        local.tm_sec = second;
        local.tm_isdst = -1;
        then = mktime(&local);
    }
    *seconds = difftime(then, now);
    return PARCAST_OK;
}

const char *parcast_units_format_time(double seconds, char *buffer, size_t size)
{
    double a = fabs(seconds);
    if (!isfinite(seconds))
        snprintf(buffer, size, "-");
    else if (a == 0)
        snprintf(buffer, size, "0 s");
    else if (a < 1e-6)
        snprintf(buffer, size, "%.3g ns", seconds * 1e9);
    else if (a < 1e-3)
        snprintf(buffer, size, "%.3g us", seconds * 1e6);
    else if (a < 1)
        snprintf(buffer, size, "%.3g ms", seconds * 1e3);
    else if (a < 99.95)
        snprintf(buffer, size, "%.3g s", seconds);
    else if (a < 3570)
        snprintf(buffer, size, "%.0f s", seconds);
    else if (a < 360000) {
        long minutes = lround(seconds / 60);
        snprintf(buffer, size, "%ld h %02ld min", minutes / 60, labs(minutes % 60));
    } else if (a < 1e11)
        snprintf(buffer, size, "%.1f d", seconds / 86400);
    else
        snprintf(buffer, size, "%.3g d", seconds / 86400);
    return buffer;
}

const char *parcast_units_format_size(double bytes, char *buffer, size_t size)
{
    static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    size_t i = 0;
    double value = bytes;
    while (fabs(value) >= 999.5 && i + 1 < sizeof names / sizeof names[0]) {
        value /= 1000;
        i++;
    }
    snprintf(buffer, size, i == 0 ? "%.0f %s" : "%.3g %s", value, names[i]);
    return buffer;
}
