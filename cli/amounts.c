#include "amounts.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "parcast/units.h"

static const double longest_s = 100 * 365.25 * 86400;

/* What the reader of units says, behind the name of the option. */
static parcast_status wrong(const char *option, const parcast_error *cause, parcast_error *error)
{
    parcast_error_set(error, cause->code, NULL, 0, "%s: %s", option, cause->text);
    if (cause->hint[0]) parcast_error_hint(error, "%s", cause->hint);
    return cause->code;
}

parcast_status cli_read_time(const char *option, const char *text, double *seconds, parcast_error *error)
{
    parcast_error cause = {0};
    return parcast_units_time(text, seconds, &cause) ? wrong(option, &cause, error) : PARCAST_OK;
}

static parcast_status read_deadline(const char *text, double *deadline_s, parcast_error *error)
{
    parcast_error cause = {0};
    double seconds;
    if (parcast_units_deadline(text, time(NULL), &seconds, &cause)) return wrong("--deadline", &cause, error);
    if (!(seconds > 0))
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--deadline '%s' leaves no time", text);
    if (seconds > longest_s)
        return parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--deadline '%s' is in more than 100 years",
                                 text);
    *deadline_s = seconds;
    return PARCAST_OK;
}

/* strtod alone would also take "0x10", "inf" and "nan". */
static parcast_status read_budget(const char *text, double *budget, parcast_error *error)
{
    char *end = NULL;
    double amount = isdigit((unsigned char)text[0]) || text[0] == '.' ? strtod(text, &end) : NAN;
    if (end && end != text && *end == '\0' && isfinite(amount) && text[1] != 'x' && text[1] != 'X') {
        *budget = amount;
        return PARCAST_OK;
    }
    parcast_error_set(error, PARCAST_INVALID, NULL, 0, "--budget '%s' is no amount", text);
    parcast_error_hint(error, "it is a number in the currency of the platform, without its name");
    return PARCAST_INVALID;
}

parcast_status cli_read_goal(const char *deadline, const char *budget, parcast_plan_goal *goal,
                             parcast_error *error)
{
    parcast_plan_goal read = {.deadline_s = NAN, .budget = NAN};
    parcast_status status = deadline ? read_deadline(deadline, &read.deadline_s, error) : PARCAST_OK;
    if (!status && budget) status = read_budget(budget, &read.budget, error);
    if (!status) *goal = read;
    return status;
}
