#include "parcast/operation.h"

#define NAME(constant, name) name,

const char *parcast_operation_name(parcast_operation_kind kind)
{
    static const char *const names[] = {PARCAST_OPERATION_LIST(NAME)};
    return (unsigned)kind < sizeof names / sizeof names[0] ? names[kind] : "?";
}

const char *parcast_collective_name(parcast_collective collective)
{
    static const char *const names[] = {PARCAST_COLLECTIVE_LIST(NAME)};
    return (unsigned)collective < sizeof names / sizeof names[0] ? names[collective] : "?";
}
