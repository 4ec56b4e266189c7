/**
 * Recording: look at a program, choose a launcher, run it under the preload library, collect what the ranks
 * left into a run of a study.
 *
 *     parcast_program_inspect   is it a program that can be watched, and which MPI does it use?
 *     parcast_launcher_choose   the launcher that belongs to that MPI, or the one that the user names
 *     parcast_record_prepare    a fresh directory for the ranks' files
 *     parcast_record_execute    start, forward signals, wait
 *     parcast_record_collect    the ranks' files as a parcast_run
 *     parcast_record_discard    remove the directory
 *
 * parcast_record_execute and parcast_launcher_run block signals of the calling thread while they wait, and in
 * the first thread take those of other threads; nothing else here touches the state of the process.
 */
#ifndef PARCAST_RECORD_H
#define PARCAST_RECORD_H

#include <stdbool.h>
#include <stddef.h>

#include "parcast/error.h"
#include "parcast/study.h"
#include "parcast/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which family an MPI library belongs to; it decides the launcher. */
typedef enum parcast_mpi_family {
    PARCAST_MPI_UNKNOWN, /**< no MPI library was found: opened at run time, or none at all */
    PARCAST_MPI_OPENMPI,
    PARCAST_MPI_MPICH, /**< and what derives from it: Intel MPI, MVAPICH, Cray */
} parcast_mpi_family;

/** "Open MPI", "MPICH", "unknown". */
PARCAST_API const char *parcast_mpi_family_name(parcast_mpi_family family);

/** What is known about a program before it runs. */
typedef struct parcast_program {
    char *path;                /**< of the file that is started, found through PATH */
    char *binary;              /**< the program that uses MPI: path, or what a script or wrapper starts; NULL
                                    if none was found */
    char *library;             /**< the MPI library that binary needs; NULL if none was found */
    parcast_mpi_family family; /**< of that library */
    char *starts_launcher;     /**< a launcher that the script names itself ("mpirun"); NULL if none */
    bool is_elastic;           /**< binary needs parcast's elastic library */
} parcast_program;

/**
 * Look at a program and at what it needs. Scripts and wrappers (`env`, `numactl`, `python3 x.py`) are
 * followed to the program that they start, by looking for words that name one.
 *
 * @param[in]  name       as in execvp: with a slash a path, otherwise looked up in PATH
 * @param[in]  arguments  [n] of the program
 * @param[out] program    release with parcast_program_clear()
 * @return PARCAST_OK; PARCAST_NOT_FOUND (no such program, not executable, a library that it needs is
 *         missing); PARCAST_INVALID (it is a launcher itself); PARCAST_UNSUPPORTED (static, other
 *         architecture, setuid: a preload library does not get in)
 *
 * The dynamic loader lists the libraries (`ld.so --list`); the program itself is not run, but `python3` is
 * asked where mpi4py lies.
 */
PARCAST_API parcast_status parcast_program_inspect(const char *name, char *const *arguments, size_t n,
                                                   parcast_program *program, parcast_error *error);
PARCAST_API void parcast_program_clear(parcast_program *program);

/** A launcher: its words without the number of ranks. */
typedef struct parcast_launcher {
    char **words; /**< [n_words] and a NULL */
    size_t n_words;
    parcast_mpi_family family; /**< that it belongs to, unknown for srun and others */
    bool several_hosts;        /**< it is told to use other hosts, or a batch system tells it */
    bool guessed;              /**< the program does not say which MPI it uses */
} parcast_launcher;

/**
 * The launcher for a program.
 *
 * @param[in]  command  as the user gives it, split as a shell does (quotes, variables; no command is run);
 *                      NULL: the one that belongs to the program's MPI library
 * @return PARCAST_OK; PARCAST_NOT_FOUND (the hint names the Debian package); PARCAST_INVALID (bad quoting)
 */
PARCAST_API parcast_status parcast_launcher_choose(const parcast_program *program, const char *command,
                                                   parcast_launcher *launcher, parcast_error *error);
/** Which MPI a launcher is of whose name does not tell it (a script of the user's): starts it with --version.
 * The family stays unknown when the answer does not tell either. */
PARCAST_API void parcast_launcher_ask(parcast_launcher *launcher);
PARCAST_API void parcast_launcher_clear(parcast_launcher *launcher);

/**
 * Run a launcher, or a program, without watching what it runs. Its standard output goes to standard error;
 * signals and outputs are those of parcast_record_execute.
 *
 * @param[in] words the command and a NULL; the first one is a path
 * @return PARCAST_OK; PARCAST_IO if it cannot be started
 */
PARCAST_API parcast_status parcast_launcher_run(char **words, int *exit_status, int *interrupted,
                                                parcast_error *error);

/** One recording: a directory, an environment, a child process. */
typedef struct parcast_record_session parcast_record_session;

/** What to run. Everything is lent and must live until parcast_record_discard. */
typedef struct parcast_record_request {
    const parcast_program *program;
    const parcast_launcher *launcher;
    const char *name;       /**< of the program, as given */
    char *const *arguments; /**< [n_arguments] */
    size_t n_arguments;
    int n_ranks;
    const char *node_type; /**< type of the nodes, may be NULL */
    const char *beside;    /**< path of the study: the ranks' files lie beside it if that is possible */
    bool stdout_to_stderr; /**< the program's standard output goes to standard error */
    bool trace;            /**< every rank keeps its events, for parcast_record_collect_trace */
} parcast_record_request;

/**
 * Make the directory for the ranks' files and find the preload library.
 * @return PARCAST_OK; PARCAST_NOT_FOUND (no preload library); PARCAST_IO (no directory can be written)
 */
PARCAST_API parcast_status parcast_record_prepare(const parcast_record_request *request,
                                                  parcast_record_session **recording, parcast_error *error);

/** Settings that were made for Open MPI and why, one sentence; NULL if none. Valid until discarded. */
PARCAST_API const char *parcast_record_settings(const parcast_record_session *recording);
/** Where the ranks' files lie. Valid until discarded. */
PARCAST_API const char *parcast_record_directory(const parcast_record_session *recording);

/** Called about every quarter of a second while the program runs. */
typedef void parcast_record_tick(void *context, double elapsed_s);

/**
 * Run it. SIGINT, SIGTERM and SIGHUP that reach the caller meanwhile are passed on to the launcher (not those
 * of a terminal, which sends them to the launcher itself); a second one kills everything that was started.
 *
 * @param[in]  tick         may be NULL
 * @param[out] exit_status  of the launcher as a shell gives it, 128 + signal
 * @param[out] interrupted  signal that stopped it, 0 if none did
 * @return PARCAST_OK; PARCAST_IO if it cannot be started
 */
PARCAST_API parcast_status parcast_record_execute(parcast_record_session *recording,
                                                  parcast_record_tick *tick, void *context, int *exit_status,
                                                  int *interrupted, parcast_error *error);

/**
 * What the ranks left, as a run that parcast_study_add_run takes.
 *
 * @param[out] run  release with parcast_run_clear(); untouched on failure. Its exit_status is that of the
 *                  program: launchers that give the bare number of a signal are corrected to 128 + signal
 * @return PARCAST_OK; PARCAST_DATA (no MPI call was seen: the text gives the probable reason; or every
 *         process was alone in its world: launcher and library do not fit); PARCAST_IO, PARCAST_FORMAT
 */
PARCAST_API parcast_status parcast_record_collect(const parcast_record_session *recording, parcast_run *run,
                                                  parcast_error *error);

/**
 * The events of a run's ranks as one trace.
 *
 * @param[in]  run   as parcast_record_collect gave it
 * @param[in]  path  of the trace; an existing file is replaced
 * @param[out] info  may be NULL
 * @param[out] gaps  what is missing in the trace, one thing a line, NULL if nothing is; free() it. May be
 * NULL
 * @return PARCAST_OK; PARCAST_DATA (no rank left events); PARCAST_FORMAT (damaged); PARCAST_IO (disk full)
 *
 * Cost: about 100 ns an event. Memory: that of a trace's writer; the ranks' files are mapped.
 */
PARCAST_API parcast_status parcast_record_collect_trace(const parcast_record_session *recording,
                                                        const parcast_run *run, const char *path,
                                                        parcast_trace_info *info, char **gaps,
                                                        parcast_error *error);

/** Forget a recording; its directory is removed, or kept when `keep`. */
PARCAST_API void parcast_record_discard(parcast_record_session **recording, bool keep);

#ifdef __cplusplus
}
#endif
#endif
