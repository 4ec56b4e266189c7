/* Preloaded: a thread that blocks no signal, as libraries start some before main. */
#include <pthread.h>
#include <unistd.h>

static void *listen_to_all(void *nothing)
{
    for (;;) pause();
    return nothing;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, listen_to_all, NULL);
}
