/* Any bytes are refused with a reason, or are a list of names that a shell cannot mistake. */
#include <stdlib.h>
#include <string.h>

#include "allocator/hosts_file.h"
#include "fuzz.h"

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct host_list list = {NULL, 0};
    parcast_error error = {0};
    if (host_list_parse((const char *)data, size, "fuzz", NULL, &list, &error) != PARCAST_OK) {
        require(!list.hosts && error.text[0]);
        return 0;
    }
    for (size_t i = 0; i < list.n; i++) {
        require(list.hosts[i].name[0] && !strpbrk(list.hosts[i].name, " \t\n;&|$`'\"\\<>(){}*?"));
        require(list.hosts[i].name[0] != '-' && list.hosts[i].slots >= 0);
        require(host_list_find(&list, list.hosts[i].name) == (int)i);
    }
    host_list_clear(&list);
    return 0;
}
