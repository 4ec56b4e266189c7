#include "parcast/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#undef parcast_error_set
parcast_status parcast_error_set(parcast_error *error, parcast_status code, const char *source, int line,
                                 const char *format, ...)
{
    if (!error) return code;
    error->code = code;
    error->line = line;
    error->hint[0] = '\0';
    snprintf(error->source, sizeof error->source, "%s", source ? source : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return code;
}

void parcast_error_hint(parcast_error *error, const char *format, ...)
{
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}

static const struct {
    const char *name;
    int exit_status;
    const char *text;
} statuses[] = {
#define ROW(name, exit_status, text) {#name, exit_status, text},
    PARCAST_STATUS_LIST(ROW)
#undef ROW
};

static size_t index_of(parcast_status status)
{
    size_t n = sizeof statuses / sizeof statuses[0];
    return (size_t)status < n ? (size_t)status : (size_t)PARCAST_INVALID;
}

const char *parcast_status_text(parcast_status status)
{
    return statuses[index_of(status)].text;
}

const char *parcast_status_name(parcast_status status)
{
    return statuses[index_of(status)].name;
}

int parcast_status_exit(parcast_status status)
{
    return statuses[index_of(status)].exit_status;
}
