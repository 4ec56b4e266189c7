#include "assets.h"

#ifdef PARCAST_WITH_REPORT
/* The assembler looks the files up in the include directories of this target. */
#define EMBED(name, file)                                                                                    \
    __asm__(".pushsection .rodata\n"                                                                         \
            ".global report_begin_" #name "\n.hidden report_begin_" #name "\nreport_begin_" #name ":\n"      \
            ".incbin \"" file "\"\n"                                                                         \
            ".global report_end_" #name "\n.hidden report_end_" #name "\nreport_end_" #name ":\n"            \
            ".byte 0\n.popsection\n");                                                                       \
    extern const char report_begin_##name[], report_end_##name[];
REPORT_ASSET_LIST(EMBED)

struct report_text report_asset(enum report_asset asset)
{
    switch (asset) {
#define CASE(name, file)                                                                                     \
    case REPORT_##name:                                                                                      \
        return (struct report_text){report_begin_##name, (size_t)(report_end_##name - report_begin_##name)};
        REPORT_ASSET_LIST(CASE)
#undef CASE
    }
    return (struct report_text){"", 0};
}

bool report_available(void)
{
    return true;
}
#else
struct report_text report_asset(enum report_asset asset)
{
    (void)asset;
    return (struct report_text){"", 0};
}

bool report_available(void)
{
    return false;
}
#endif
