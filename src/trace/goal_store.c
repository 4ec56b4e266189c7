#include "trace/goal_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void goal_store_create(struct goal_store *store)
{
    *store = (struct goal_store){.file = -1};
}

void goal_store_destroy(struct goal_store *store)
{
    free(store->bytes);
    if (store->file >= 0) close(store->file);
    goal_store_create(store);
}

static parcast_status write_failed(parcast_error *error)
{
    parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot keep the program in a temporary file: %s",
                      strerror(errno));
    parcast_error_hint(error, "set TMPDIR to a folder with room");
    return PARCAST_IO;
}

static int open_temporary(void)
{
    const char *folder = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nothing here sets variables */
    char name[4096];
    if (!folder || !*folder || strlen(folder) > sizeof name - 32) folder = "/tmp";
    snprintf(name, sizeof name, "%s/parcast-XXXXXX", folder);
    int file = mkostemp(name, O_CLOEXEC);
    if (file >= 0) unlink(name);
    return file;
}

static parcast_status flush(struct goal_store *store, parcast_error *error)
{
    if (store->file < 0) store->file = open_temporary();
    if (store->file < 0) return write_failed(error);
    for (size_t done = 0; done < store->n_bytes;) {
        ssize_t n = write(store->file, store->bytes + done, store->n_bytes - done);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return write_failed(error);
        done += (size_t)n;
    }
    store->n_written += store->n_bytes;
    store->n_bytes = 0;
    return PARCAST_OK;
}

static bool make_room(struct goal_store *store, size_t n_bytes)
{
    size_t room = store->room ? store->room : 4096;
    while (room < n_bytes) room *= 2;
    unsigned char *bytes = realloc(store->bytes, room);
    if (!bytes) return false;
    store->bytes = bytes;
    store->room = room;
    return true;
}

parcast_status goal_store_append(struct goal_store *store, const void *bytes, size_t n_bytes,
                                 parcast_error *error)
{
    if (store->n_bytes + n_bytes > GOAL_STORE_MEMORY && store->n_bytes > 0) {
        parcast_status status = flush(store, error);
        if (status) return status;
    }
    if (store->n_bytes + n_bytes > store->room && !make_room(store, store->n_bytes + n_bytes))
        return parcast_error_set(error, PARCAST_MEMORY, NULL, 0, "out of memory for a program");
    memcpy(store->bytes + store->n_bytes, bytes, n_bytes);
    store->n_bytes += n_bytes;
    return PARCAST_OK;
}

parcast_status goal_store_finish(struct goal_store *store, parcast_error *error)
{
    if (store->file < 0) return PARCAST_OK;
    parcast_status status = flush(store, error);
    free(store->bytes);
    store->bytes = NULL;
    store->room = 0;
    return status;
}

void goal_view_open(struct goal_view *view, const struct goal_store *store, uint32_t window_bytes)
{
    *view = (struct goal_view){.store = store, .window_room = window_bytes};
}

void goal_view_close(struct goal_view *view)
{
    free(view->window);
    view->window = NULL;
}

static bool fill_window(struct goal_view *view, uint64_t offset, uint32_t n_bytes)
{
    if (!view->window || n_bytes > view->window_room) {
        uint32_t room = n_bytes > view->window_room ? n_bytes : view->window_room;
        unsigned char *window = realloc(view->window, room);
        if (!window) return false;
        view->window = window;
        view->window_room = room;
    }
    view->window_begin = offset;
    view->n_window = 0;
    while (view->n_window < view->window_room) {
        ssize_t n = pread(view->store->file, view->window + view->n_window,
                          view->window_room - view->n_window, (off_t)(offset + view->n_window));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        view->n_window += (uint32_t)n;
    }
    return true;
}

const unsigned char *goal_view_at(struct goal_view *view, uint64_t offset, uint32_t n_bytes,
                                  size_t *n_available)
{
    const struct goal_store *store = view->store;
    if (store->file < 0) {
        *n_available = store->n_bytes - offset;
        return store->bytes + offset;
    }
    uint64_t left = store->n_written - offset;
    if (n_bytes > left) n_bytes = (uint32_t)left;
    bool inside = view->window && offset >= view->window_begin &&
                  offset + n_bytes <= view->window_begin + view->n_window;
    if (!inside && !fill_window(view, offset, n_bytes)) return NULL;
    *n_available = view->window_begin + view->n_window - offset;
    return view->window + (offset - view->window_begin);
}
