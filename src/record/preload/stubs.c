/*
 * The functions that a program sees instead of the MPI library's: one per binding and row of functions.def.
 * Each packs its words and hands them to parcast_watch(), which passes them on to the same name in the
 * library behind.
 *
 * Fortran compilers spell the name of one routine in four ways; the MPI libraries define all of them as one
 * function, so here three are aliases of the first.
 */
#include "record.h"

#define EXPORT __attribute__((visibility("default")))

#define PARAMETERS_0  void
#define PARAMETERS_1  word a0
#define PARAMETERS_2  PARAMETERS_1, word a1
#define PARAMETERS_3  PARAMETERS_2, word a2
#define PARAMETERS_4  PARAMETERS_3, word a3
#define PARAMETERS_5  PARAMETERS_4, word a4
#define PARAMETERS_6  PARAMETERS_5, word a5
#define PARAMETERS_7  PARAMETERS_6, word a6
#define PARAMETERS_8  PARAMETERS_7, word a7
#define PARAMETERS_9  PARAMETERS_8, word a8
#define PARAMETERS_10 PARAMETERS_9, word a9
#define PARAMETERS_11 PARAMETERS_10, word a10
#define PARAMETERS_12 PARAMETERS_11, word a11
#define PARAMETERS_13 PARAMETERS_12, word a12
#define PARAMETERS_14 PARAMETERS_13, word a13
#define WORDS_0       0
#define WORDS_1       a0
#define WORDS_2       WORDS_1, a1
#define WORDS_3       WORDS_2, a2
#define WORDS_4       WORDS_3, a3
#define WORDS_5       WORDS_4, a4
#define WORDS_6       WORDS_5, a5
#define WORDS_7       WORDS_6, a6
#define WORDS_8       WORDS_7, a7
#define WORDS_9       WORDS_8, a8
#define WORDS_10      WORDS_9, a9
#define WORDS_11      WORDS_10, a10
#define WORDS_12      WORDS_11, a11
#define WORDS_13      WORDS_12, a12
#define WORDS_14      WORDS_13, a13

#define STUB(symbol, id, n, binding)                                                                         \
    EXPORT word symbol(PARAMETERS_##n);                                                                      \
    word symbol(PARAMETERS_##n)                                                                              \
    {                                                                                                        \
        static void *next;                                                                                   \
        word a[] = {WORDS_##n};                                                                              \
        return parcast_watch(&functions[id], &next, binding, n, a, __builtin_return_address(0));             \
    }
#define ALIAS(symbol, target, n) EXPORT word symbol(PARAMETERS_##n) __attribute__((alias(#target)));

#define FORTRAN(prefix, PREFIX, lower, UPPER, id, n, binding)                                                \
    STUB(prefix##lower##_, id, n, binding)                                                                   \
    ALIAS(prefix##lower, prefix##lower##_, n)                                                                \
    ALIAS(prefix##lower##__, prefix##lower##_, n)                                                            \
    ALIAS(PREFIX##UPPER, prefix##lower##_, n)

#define CALL(name, lower, UPPER, words_c, words_f, ...)                                                      \
    STUB(MPI_##name, ID_##name, words_c, BINDING_C)                                                          \
    FORTRAN(mpi_, MPI_, lower, UPPER, ID_##name, words_f, BINDING_F)                                         \
    STUB(mpi_##lower##_f08_, ID_##name, words_f, BINDING_F08)                                                \
    STUB(mpi_##lower##_f08ts_, ID_##name, words_f, BINDING_F08TS)

#define CALL_LARGE(name, lower, UPPER, words_c, words_f, ...)                                                \
    CALL(name, lower, UPPER, words_c, words_f, __VA_ARGS__)                                                  \
    STUB(MPI_##name##_c, ID_##name, words_c, BINDING_C_LARGE)                                                \
    STUB(mpi_##lower##_f08_large_, ID_##name, words_f, BINDING_F08_LARGE)                                    \
    STUB(mpi_##lower##_f08ts_large_, ID_##name, words_f, BINDING_F08TS_LARGE)

#define CALL_PERSISTENT(name, lower, UPPER, words_c, words_f, ...)                                           \
    CALL_LARGE(name, lower, UPPER, words_c, words_f, __VA_ARGS__)                                            \
    STUB(MPIX_##name, ID_##name, words_c, BINDING_C_MPIX)                                                    \
    FORTRAN(mpix_, MPIX_, lower, UPPER, ID_##name, words_f, BINDING_F_MPIX)

#include "functions.def"

/* The only variadic function: the level alone is passed on, no library gives the rest a meaning. */
EXPORT int MPI_Pcontrol(int level, ...);
int MPI_Pcontrol(int level, ...)
{
    static void *next;
    word a[] = {(word)level};
    return (int)parcast_watch(&functions[ID_Pcontrol], &next, BINDING_C, 1, a, __builtin_return_address(0));
}
FORTRAN(mpi_, MPI_, pcontrol, PCONTROL, ID_Pcontrol, 1, BINDING_F)
STUB(mpi_pcontrol_f08_, ID_Pcontrol, 1, BINDING_F08)
