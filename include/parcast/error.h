/**
 * Status codes and error descriptions.
 *
 * Every function of the library that can fail returns a parcast_status and describes the cause in a
 * parcast_error that the caller passes last (NULL when it does not want the text). The function that
 * first knows the cause describes it; functions above pass it on untouched. The library never prints
 * and never exits, and outputs are set only on success.
 */
#ifndef PARCAST_ERROR_H
#define PARCAST_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(PARCAST_BUILDING)
#define PARCAST_API __attribute__((visibility("default")))
#else
#define PARCAST_API
#endif

/**
 * The list is the enum, the texts and the manual's table at once: X(name, exit status of the program, text).
 * Exit status: 1 failed, 2 wrong usage, 3 bad input.
 */
#define PARCAST_STATUS_LIST(X)                                                                               \
    X(OK, 0, "success")                                                                                      \
    X(INVALID, 2, "invalid argument")                                                                        \
    X(FORMAT, 3, "malformed input")                                                                          \
    X(DATA, 3, "input that cannot be used")                                                                  \
    X(IO, 1, "input/output error")                                                                           \
    X(NOT_FOUND, 1, "not found")                                                                             \
    X(LIMIT, 1, "too large")                                                                                 \
    X(UNSUPPORTED, 1, "not supported")                                                                       \
    X(NOT_CONVERGED, 1, "did not converge")                                                                  \
    X(MEMORY, 1, "out of memory")                                                                            \
    X(INTERRUPTED, 1, "interrupted")

typedef enum parcast_status {
#define PARCAST_STATUS_ENUM(name, exit_status, text) PARCAST_##name,
    PARCAST_STATUS_LIST(PARCAST_STATUS_ENUM)
#undef PARCAST_STATUS_ENUM
} parcast_status;

/** What went wrong, where, and what to do about it. Texts are cut to fit, never left unterminated. */
typedef struct parcast_error {
    parcast_status code;
    char source[256]; /**< file or object that the error is about; empty if none */
    int line;         /**< line in source, from 1; 0 if it has none */
    char text[512];   /**< cause, lower case, subject quoted: cannot open 'x': No such file or directory */
    char hint[512];   /**< cure, when it is known; empty otherwise */
} parcast_error;

/**
 * Describe an error and return its code, so that a function can end with `return parcast_error_set(...)`.
 *
 * @param[out] error  may be NULL; the hint is cleared
 * @param[in]  source file or object, may be NULL
 * @param[in]  line   line in source, 0 if none
 * @param[in]  format as for printf
 */
PARCAST_API parcast_status parcast_error_set(parcast_error *error, parcast_status code, const char *source,
                                             int line, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#ifdef __clang_analyzer__ /* it looks at one file at a time and does not see that the code comes back */
#define parcast_error_set(error, code, ...) (parcast_error_set(error, code, __VA_ARGS__), (code))
#endif

/** Add the cure to an error that was just described. Does nothing when error is NULL. */
PARCAST_API void parcast_error_hint(parcast_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Short text of a status: "malformed input". */
PARCAST_API const char *parcast_status_text(parcast_status status);

/** Name of a status: "FORMAT". */
PARCAST_API const char *parcast_status_name(parcast_status status);

/** Exit status that the program uses for it: 0, 1, 2 or 3. */
PARCAST_API int parcast_status_exit(parcast_status status);

#ifdef __cplusplus
}
#endif
#endif
