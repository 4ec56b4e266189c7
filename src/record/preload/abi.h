/**
 * What must be known of an MPI library without its mpi.h: the size of handles, the layout of a status, a few
 * constants, and its own functions (PMPI_*), all called with words. See docs/models/recording.md for where
 * the values come from.
 */
#ifndef PARCAST_PRELOAD_ABI_H
#define PARCAST_PRELOAD_ABI_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Addresses of symbols become functions, as POSIX has it and ISO C has not. */
#pragma GCC diagnostic ignored "-Wpedantic"

/* One integer register or 8-byte stack slot: an int (upper half undefined), a pointer, a handle. */
typedef uintptr_t word;
_Static_assert(sizeof(long) == 8 && sizeof(word) == 8, "words are forwarded on LP64 systems only");

typedef enum { ABI_UNKNOWN, ABI_MPICH, ABI_OPENMPI } abi_kind;

/* Functions of the MPI library that the recorder calls itself: X(name). */
#define ABI_FUNCTIONS(X)                                                                                     \
    X(Comm_size)                                                                                             \
    X(Comm_rank)                                                                                             \
    X(Comm_remote_size)                                                                                      \
    X(Comm_test_inter)                                                                                       \
    X(Comm_group)                                                                                            \
    X(Comm_remote_group)                                                                                     \
    X(Comm_free)                                                                                             \
    X(Comm_split_type)                                                                                       \
    X(Comm_get_parent)                                                                                       \
    X(Type_size_x)                                                                                           \
    X(Group_size)                                                                                            \
    X(Group_free)                                                                                            \
    X(Group_translate_ranks)                                                                                 \
    X(Win_get_group)                                                                                         \
    X(Topo_test)                                                                                             \
    X(Cartdim_get)                                                                                           \
    X(Cart_shift)                                                                                            \
    X(Graph_neighbors)                                                                                       \
    X(Dist_graph_neighbors)                                                                                  \
    X(Graph_neighbors_count)                                                                                 \
    X(Dist_graph_neighbors_count)                                                                            \
    X(Query_thread)                                                                                          \
    X(Irecv)                                                                                                 \
    X(Bcast)                                                                                                 \
    X(Allgather)                                                                                             \
    X(Send)                                                                                                  \
    X(Recv)

/* Conversions of Fortran handles, where these are not the C handles. */
#define ABI_CONVERSIONS(X) X(Comm_f2c) X(Type_f2c) X(Win_f2c)

struct abi {
    abi_kind kind;
    char name[32], version[32], text[256];
    unsigned handle_bytes;
    unsigned status_bytes, status_source;
    int any_source, proc_null, root, undefined;
    int type_shared, thread_multiple;
    int topo_graph, topo_cart, topo_dist_graph;
    word comm_world, comm_self, comm_null, byte, info_null, request_null;
    word in_place, status_ignore; /* also for an array of statuses */
    /* Addresses that stand for the same in Fortran; 0 when the library has no such binding. */
    word f_in_place, f08_in_place, f_status_ignore, f_statuses_ignore, f08_status_ignore, f08_statuses_ignore;
#define ABI_MEMBER(name) void *name;
    ABI_FUNCTIONS(ABI_MEMBER)
    ABI_CONVERSIONS(ABI_MEMBER)
#undef ABI_MEMBER
};

extern struct abi abi __attribute__((visibility("hidden")));

/** Find out which library this is; false: unknown, nothing may be interpreted. */
bool abi_detect(const void *caller);

/** Address of a symbol: behind this library in the global scope, else among the dependencies of the caller's
 * module. */
void *abi_symbol(const char *name, const void *caller);

/* Calls of the library's own functions: PMPI(Comm_size, comm, (word)&n). */
static inline __attribute__((always_inline)) word abi_call(void *f, unsigned n, const word *a)
{
    typedef word W;
    switch (n) {
    case 0:
        return ((W(*)(void))f)();
    case 1:
        return ((W(*)(W))f)(a[0]);
    case 2:
        return ((W(*)(W, W))f)(a[0], a[1]);
    case 3:
        return ((W(*)(W, W, W))f)(a[0], a[1], a[2]);
    case 4:
        return ((W(*)(W, W, W, W))f)(a[0], a[1], a[2], a[3]);
    case 5:
        return ((W(*)(W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4]);
    case 6:
        return ((W(*)(W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5]);
    case 7:
        return ((W(*)(W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    case 8:
        return ((W(*)(W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
    case 9:
        return ((W(*)(W, W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]);
    case 10:
        return ((W(*)(W, W, W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8],
                                                       a[9]);
    case 11:
        return ((W(*)(W, W, W, W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                                                          a[8], a[9], a[10]);
    case 12:
        return ((W(*)(W, W, W, W, W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7],
                                                             a[8], a[9], a[10], a[11]);
    case 13:
        return ((W(*)(W, W, W, W, W, W, W, W, W, W, W, W, W))f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6],
                                                                a[7], a[8], a[9], a[10], a[11], a[12]);
    default:
        return ((W(*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W))f)(
            a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13]);
    }
}

#define PMPI(name, ...)                                                                                      \
    abi_call(abi.name, sizeof((word[]){__VA_ARGS__}) / sizeof(word), (const word[]){__VA_ARGS__})

/** A handle as it is compared: the word, or its lower half where handles are 4 bytes. */
static inline word abi_handle(word w)
{
    return abi.handle_bytes == 4 ? (word)(uint32_t)w : w;
}

/** Handle i of an array of handles in C. */
static inline word abi_handle_at(const void *array, uint64_t i)
{
    return abi.handle_bytes == 4 ? (word)((const uint32_t *)array)[i] : ((const word *)array)[i];
}

static inline int abi_status_source(const void *status)
{
    return *(const int *)((const char *)status + abi.status_source);
}

/* In both families the tag follows the source. */
static inline int abi_status_tag(const void *status)
{
    return *(const int *)((const char *)status + abi.status_source + sizeof(int));
}

/**
 * Bytes that a status tells of. MPICH: the low 32 bits, then one bit "cancelled" below the high 31 bits. Open
 * MPI: a size_t behind four ints.
 */
static inline uint64_t abi_status_bytes(const void *status)
{
    const char *bytes = status;
    if (abi.kind == ABI_OPENMPI) return *(const uint64_t *)(bytes + 16);
    /* Two loads, as the library stores them: one of both would wait until they have left the store buffer. */
    uint32_t low = *(const uint32_t *)bytes, high = *(const uint32_t *)(bytes + 4);
    return (uint64_t)low | (uint64_t)(high >> 1) << 32;
}

#endif
