#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "page.h"

double json_get_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

int json_get_count(const json_t *object, const char *key)
{
    double value = json_get_number(object, key);
    return value >= 1 && value <= 1e9 ? (int)value : 0;
}

const char *json_get_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

bool json_put_number(json_t *object, const char *key, double value)
{
    return json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null()) == 0;
}

bool json_put_text(json_t *object, const char *key, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0) return false;
    int status = json_object_set_new(object, key, html_json_string(text));
    free(text);
    return status == 0;
}
