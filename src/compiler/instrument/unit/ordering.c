#include "compiler/instrument/unit/ordering.h"

#include <stdbool.h>

#include "compiler/instrument/unit/source_name.h"

static const struct ordering {
    const char *symbol;
    unsigned end;
} orderings[] = {
    {"_ZSt4sortI", 1},
    {"_ZSt11stable_sortI", 1},
    {"_ZSt11nth_elementI", 2},
    {"_ZSt12partial_sortI", 2},
    {"_ZNSt3__14sort", 1},
    {"_ZNSt3__111stable_sort", 1},
    {"_ZNSt3__111nth_element", 2},
    {"_ZNSt3__112partial_sort", 2},
};

static bool is_pointer(LLVMValueRef function, unsigned argument)
{
    return argument < LLVMCountParams(function) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetParam(function, argument))) == LLVMPointerTypeKind;
}

int ordering_end(LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    for (size_t i = 0; i < sizeof orderings / sizeof *orderings; i++)
        if (name_begins(name, orderings[i].symbol))
            return is_pointer(function, 0) && is_pointer(function, orderings[i].end) ? (int)orderings[i].end
                                                                                     : -1;
    return -1;
}
