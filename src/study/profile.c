#include "parcast/profile.h"

#include <stdlib.h>
#include <string.h>

void parcast_profile_clear(parcast_rank_profile *profile)
{
    if (!profile) return;
    for (size_t i = 0; i < profile->n_sites; i++) free(profile->sites[i].module);
    free(profile->sites);
    free(profile->calls);
    free(profile->sizes);
    free(profile->collectives);
    free(profile->peers);
    free(profile->phases);
    free(profile->windows_s);
    memset(profile, 0, sizeof *profile);
}

void parcast_profiles_destroy(parcast_rank_profile **profiles, size_t n)
{
    if (!profiles || !*profiles) return;
    for (size_t i = 0; i < n; i++) parcast_profile_clear(&(*profiles)[i]);
    free(*profiles);
    *profiles = NULL;
}

int parcast_profile_bin(uint64_t bytes)
{
    if (bytes == 0) return 0;
    int bin = 64 - __builtin_clzll(bytes);
    return bin < PARCAST_SIZE_BINS ? bin : PARCAST_SIZE_BINS - 1;
}

static const char *pick(const char *const *names, size_t n, unsigned index)
{
    return index < n ? names[index] : "unknown";
}

const char *parcast_message_class_name(parcast_message_class message_class)
{
    static const char *const names[] = {"send", "receive", "collective", "rma", "io"};
    return pick(names, sizeof names / sizeof names[0], (unsigned)message_class);
}

const char *parcast_reach_name(parcast_reach reach)
{
    static const char *const names[] = {"same node", "other node", "unknown"};
    return pick(names, sizeof names / sizeof names[0], (unsigned)reach);
}

const char *parcast_profile_end_name(parcast_profile_end end)
{
    static const char *const names[] = {"finalized", "aborted", "exited", "lost"};
    return pick(names, sizeof names / sizeof names[0], (unsigned)end);
}
