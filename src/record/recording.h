/** One recording, shared by the parts that prepare, run and collect it. */
#ifndef PARCAST_RECORD_RECORDING_H
#define PARCAST_RECORD_RECORDING_H

#include <sys/types.h>

#include "record/internal.h"

struct parcast_record_session {
    parcast_record_request request;
    char *directory;    /* of the ranks' files, absolute */
    int lock;           /* says that the directory is in use; -1: none */
    char *preload;      /* the library, absolute, without characters that LD_PRELOAD cannot hold */
    char *settings;     /* what was set for Open MPI and why; NULL if nothing */
    char **environment; /* of the launcher */
    char **words;       /* its command line */
    char started_at[32];
    double load_average, wall_s;
    int exit_status, interrupted;
};

/** Environment of the launcher; sets recording->environment and ->settings. */
parcast_status record_build_environment(parcast_record_session *recording, parcast_error *error);
/** Command line of the launcher; sets recording->words. */
parcast_status record_build_words(parcast_record_session *recording, parcast_error *error);
void record_free_words(char ***words);

/** Kill every process that descends from this one. Returns how many there were. */
int record_kill_descendants(int signal);

#endif
