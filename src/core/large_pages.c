#include "core/large_pages.h"

#include "parcast/large_pages.h"

bool parcast_large_pages_pay(void)
{
    void *memory =
        mmap(NULL, LARGE_PAGE_TRY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return false;
    bool pays = large_page_pays(memory);
    munmap(memory, LARGE_PAGE_TRY_BYTES);
    return pays;
}
