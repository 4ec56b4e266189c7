#include "core/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *json_of_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_of_text(const char *value)
{
    json_t *string = json_string(value);
    if (string) return string;
    char *plain = strdup(value);
    for (char *c = plain; c && *c; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    string = plain ? json_string(plain) : NULL;
    free(plain);
    return string ? string : json_null();
}
