#include "human.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *unknown(struct human *buffer)
{
    snprintf(buffer->text, sizeof buffer->text, "\u2013");
    return buffer->text;
}

/* Digits behind the point that show `digits` significant ones; the exponent is that of the rounded value. */
static int decimals(double value, int digits)
{
    char rounded[32];
    snprintf(rounded, sizeof rounded, "%.*e", digits - 1, fabs(value));
    int places = digits - 1 - (int)strtol(strchr(rounded, 'e') + 1, NULL, 10);
    return value != 0 && places > 0 ? places : 0;
}

const char *human_number(struct human *buffer, double value, int digits)
{
    if (!isfinite(value)) return unknown(buffer);
    if (value == 0 || (fabs(value) >= 1e-4 && fabs(value) < 1e6))
        snprintf(buffer->text, sizeof buffer->text, "%.*f", decimals(value, digits), value);
    else
        snprintf(buffer->text, sizeof buffer->text, "%.*e", digits - 1, value);
    return buffer->text;
}

/* The unit in which a time below a minute is shown. */
static const char *small_unit(double time_s, double *scale)
{
    static const struct {
        double below_s, scale;
        const char *name;
    } units[] = {{1e-6, 1e9, "ns"}, {1e-3, 1e6, "\u00b5s"}, {1, 1e3, "ms"}};
    for (size_t i = 0; time_s > 0 && i < sizeof units / sizeof *units; i++)
        if (time_s < units[i].below_s) {
            *scale = units[i].scale;
            return units[i].name;
        }
    *scale = 1;
    return "s";
}

const char *human_time(struct human *buffer, double time_s)
{
    if (!isfinite(time_s)) return unknown(buffer);
    double scale = 1;
    long long whole_s = time_s < 1e10 ? llround(time_s) : 0;
    if (time_s >= 1e10 || (time_s > 0 && time_s < 1e-10)) {
        snprintf(buffer->text, sizeof buffer->text, "%.2e\u00a0s", time_s);
    } else if (time_s < 60) {
        const char *unit = small_unit(time_s, &scale);
        snprintf(buffer->text, sizeof buffer->text, "%.*f\u00a0%s", decimals(time_s * scale, 3),
                 time_s * scale, unit);
    } else if (time_s < 3600) {
        snprintf(buffer->text, sizeof buffer->text, "%lld\u00a0min %02lld\u00a0s", whole_s / 60,
                 whole_s % 60);
    } else if (time_s < 48 * 3600.0) {
        long long minutes = (whole_s + 30) / 60;
        snprintf(buffer->text, sizeof buffer->text, "%lld\u00a0h %02lld\u00a0min", minutes / 60,
                 minutes % 60);
    } else {
        snprintf(buffer->text, sizeof buffer->text, "%.*f\u00a0days", decimals(time_s / 86400, 3),
                 time_s / 86400);
    }
    return buffer->text;
}

const char *human_interval(struct human *buffer, double low_s, double high_s)
{
    buffer->text[0] = '\0';
    if (!isfinite(low_s) || !isfinite(high_s)) return buffer->text;
    double scale = 1;
    if (high_s < 60 && low_s >= high_s / 100) {
        const char *unit = small_unit(high_s, &scale);
        int places = decimals(high_s * scale, 3);
        snprintf(buffer->text, sizeof buffer->text, "%.*f\u2013%.*f\u00a0%s", places, low_s * scale, places,
                 high_s * scale, unit);
    } else {
        struct human low, high;
        snprintf(buffer->text, sizeof buffer->text, "%.28s to %.28s", human_time(&low, low_s),
                 human_time(&high, high_s));
    }
    return buffer->text;
}

const char *human_bytes(struct human *buffer, double bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    if (!isfinite(bytes)) return unknown(buffer);
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    snprintf(buffer->text, sizeof buffer->text, "%.*f\u00a0%s", unit ? decimals(bytes, 3) : 0, bytes,
             units[unit]);
    return buffer->text;
}

const char *human_count(struct human *buffer, double count)
{
    if (!isfinite(count)) return unknown(buffer);
    if (count < 1e7)
        snprintf(buffer->text, sizeof buffer->text, "%.0f", count);
    else if (count < 1e9)
        snprintf(buffer->text, sizeof buffer->text, "%.*f million", decimals(count / 1e6, 3), count / 1e6);
    else
        snprintf(buffer->text, sizeof buffer->text, "%.*f billion", decimals(count / 1e9, 3), count / 1e9);
    return buffer->text;
}

const char *human_cost(struct human *buffer, double cost, const char *currency)
{
    if (!isfinite(cost)) return unknown(buffer);
    snprintf(buffer->text, sizeof buffer->text, "%.*f\u00a0%.16s", cost >= 1 ? 2 : decimals(cost, 2), cost,
             currency ? currency : "");
    return buffer->text;
}

const char *human_percent(struct human *buffer, double ratio)
{
    if (!isfinite(ratio)) return unknown(buffer);
    snprintf(buffer->text, sizeof buffer->text, "%.*f\u00a0%%", fabs(ratio) < 0.0995 ? 1 : 0, ratio * 100);
    return buffer->text;
}
