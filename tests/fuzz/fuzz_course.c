/* Any bytes are refused with a reason, or are an elastic run whose moves can be predicted. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "parcast/plan.h"

static void require(int condition)
{
    if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "schema: parcast.platform/1\nname: p\nnodes: [{type: a, count: 2, cores: 1}]\n"
                               "network: {latency: 30 us, bandwidth: 1 Gbit/s}\n";
    parcast_platform *platform = NULL;
    parcast_course course = {0};
    parcast_error error = {0};
    char *json = calloc(size + 1, 1);
    if (!json) return 0;
    memcpy(json, data, size);
    require(parcast_platform_parse(text, strlen(text), "fuzz", &platform, &error) == PARCAST_OK);
    parcast_status status = parcast_course_read(NULL, 0, json, platform, &course, &error);
    if (status) {
        require(error.text[0] && !course.work);
    } else {
        parcast_size one = {.nodes = 1, .processes = 1}, two = {.nodes = 2, .processes = 2};
        parcast_move_time time = parcast_move_predict(&course.move, &one, &two);
        require(isfinite(time.stop_s + time.move_s + time.launch_s));
        require(time.stop_s >= 0 && time.move_s >= 0 && time.launch_s >= 0 && course.n_iterations >= 0);
    }
    parcast_course_clear(&course);
    parcast_platform_destroy(&platform);
    free(json);
    return 0;
}
