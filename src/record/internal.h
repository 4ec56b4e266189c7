/**
 * What the files of the collector share. The preload library shares nothing with them but raw_format.h.
 */
#ifndef PARCAST_RECORD_INTERNAL_H
#define PARCAST_RECORD_INTERNAL_H

#include "parcast/record.h"

/** What the headers of a file say. */
typedef enum record_file_kind {
    RECORD_FILE_ELF,
    RECORD_FILE_SCRIPT, /* #! */
    RECORD_FILE_OTHER,
} record_file_kind;

typedef struct record_file {
    record_file_kind kind;
    bool foreign;          /* an ELF file for another machine or word size */
    char machine[32];      /* of a foreign one, for messages */
    bool is_static;        /* no dynamic loader: nothing can be preloaded */
    char interpreter[256]; /* dynamic loader of an ELF file, first word behind #! of a script; may be empty */
} record_file;

/** Read the headers of a file. PARCAST_NOT_FOUND when it cannot be read. */
parcast_status record_file_read(const char *path, record_file *file, parcast_error *error);

/**
 * The MPI library among the libraries that an ELF file needs, directly or through others.
 *
 * @param[in]  loader   dynamic loader to ask; empty: the one of this program
 * @param[out] library     path, NULL if it needs none; "libmpi.so.40" without a slash if it is missing
 * @param[out] is_elastic  it needs parcast's elastic library, too
 */
parcast_status record_find_mpi(const char *path, const char *loader, char **library,
                               parcast_mpi_family *family, bool *is_elastic, parcast_error *error);

/** The same in what a dynamic loader lists. */
parcast_status record_find_in_list(const char *list, char **library, parcast_mpi_family *family,
                                   parcast_error *error);

/**
 * The next word of a line of a script at or behind `at`, which lies in the line. NULL: there is none before a
 * comment or the end.
 */
char *record_next_word(const char *line, char *at, size_t *length);

/** Run a command and return what it prints to standard output; *text is NULL when it fails. */
parcast_status record_capture(const char *const *words, char **text, parcast_error *error);

/** Path of an executable file as execvp finds it, NULL if there is none. */
char *record_find_executable(const char *name);

/** "mpirun", "mpiexec.hydra", "srun", ...: last part of a path. */
bool record_is_launcher(const char *path);

const char *record_base_name(const char *path);

/** Copy of a text; PARCAST_MEMORY when there is no room. */
parcast_status record_copy(const char *text, char **copy, parcast_error *error);
parcast_status record_no_memory(parcast_error *error);

/** Libraries by which a program is watched: absolute path. */
parcast_status record_find_preload(char **path, parcast_error *error);

#endif
