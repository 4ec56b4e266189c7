#include <string.h>

#include "parcast/decision.h"

static const char *const policies[] = {"forecast", "reactive"};

const char *parcast_policy_name(parcast_policy policy)
{
    return policies[policy == PARCAST_POLICY_REACTIVE];
}

parcast_status parcast_policy_parse(const char *name, parcast_policy *policy, parcast_error *error)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, policies[i]) == 0) {
            *policy = (parcast_policy)i;
            return PARCAST_OK;
        }
    return parcast_error_set(error, PARCAST_INVALID, NULL, 0,
                             "the policy of a run is forecast or reactive, not '%s'", name);
}

const char *parcast_motive_name(parcast_motive motive)
{
    static const char *const names[] = {
#define NAME(name, constant, about) #name,
        PARCAST_MOTIVE_LIST(NAME)
#undef NAME
    };
    size_t n = sizeof names / sizeof *names;
    return names[(size_t)motive < n ? (size_t)motive : 0];
}
