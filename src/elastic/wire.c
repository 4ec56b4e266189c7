#include "elastic/wire.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, CONNECT_MS = 10000 };

void elastic_wire_begin(elastic_wire *wire, int fd)
{
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); /* a line must not wait for the next */
    wire->fd = fd;
    wire->begin = wire->end = 0;
}

void elastic_wire_end(elastic_wire *wire)
{
    if (wire->fd >= 0) close(wire->fd);
    wire->fd = -1;
    wire->begin = wire->end = 0;
}

static parcast_status cannot_reach(const char *address, const char *why, parcast_error *error)
{
    return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot reach '%s': %s", address, why);
}

static int wait_for(int fd, short events, int wait_ms)
{
    struct pollfd poll_fd = {.fd = fd, .events = events};
    int n;
    do n = poll(&poll_fd, 1, wait_ms);
    while (n < 0 && errno == EINTR);
    return n;
}

/* Connected, or an errno. */
static int try_address(const struct addrinfo *info, int *fd)
{
    int why = 0;
    socklen_t size = sizeof why;
    *fd = socket(info->ai_family, info->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, info->ai_protocol);
    if (*fd < 0) return errno;
    if (connect(*fd, info->ai_addr, info->ai_addrlen) == 0) return 0;
    bool under_way = errno == EINPROGRESS;
    if (under_way && wait_for(*fd, POLLOUT, CONNECT_MS) != 1)
        why = ETIMEDOUT;
    else if (!under_way || getsockopt(*fd, SOL_SOCKET, SO_ERROR, &why, &size) != 0)
        why = errno;
    if (why) close(*fd);
    return why;
}

parcast_status elastic_wire_connect(elastic_wire *wire, const char *address, parcast_error *error)
{
    char host[256];
    const char *colon = strrchr(address, ':');
    struct addrinfo *list = NULL, hints = {.ai_socktype = SOCK_STREAM};
    if (!colon || (size_t)(colon - address) >= sizeof host)
        return cannot_reach(address, "it is not HOST:PORT", error);
    memcpy(host, address, (size_t)(colon - address));
    host[colon - address] = '\0';
    int code = getaddrinfo(host, colon + 1, &hints, &list);
    if (code != 0) return cannot_reach(address, gai_strerror(code), error);
    int fd = -1, why = EHOSTUNREACH;
    for (const struct addrinfo *info = list; info && why; info = info->ai_next) why = try_address(info, &fd);
    freeaddrinfo(list);
    if (why) return cannot_reach(address, strerror(why), error);
    elastic_wire_begin(wire, fd);
    return PARCAST_OK;
}

parcast_status elastic_wire_listen(const char *host, int *fd, int *port, parcast_error *error)
{
    struct addrinfo *list = NULL,
                    hints = {.ai_socktype = SOCK_STREAM, .ai_family = AF_INET, .ai_flags = AI_PASSIVE};
    struct sockaddr_in bound = {0};
    socklen_t size = sizeof bound;
    int code = getaddrinfo(host, "0", &hints, &list);
    if (code != 0) return cannot_reach(host ? host : "*", gai_strerror(code), error);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool bad = made < 0 || bind(made, list->ai_addr, list->ai_addrlen) != 0 || listen(made, 64) != 0 ||
               getsockname(made, (struct sockaddr *)&bound, &size) != 0;
    int why = errno;
    freeaddrinfo(list);
    if (bad) {
        if (made >= 0) close(made);
        return parcast_error_set(error, PARCAST_IO, NULL, 0, "cannot listen on '%s': %s", host ? host : "*",
                                 strerror(why));
    }
    *fd = made;
    *port = ntohs(bound.sin_port);
    return PARCAST_OK;
}

/* Take a line out of the buffer. */
static bool buffered_line(elastic_wire *wire, char line[ELASTIC_LINE_BYTES], bool *too_long)
{
    size_t n = wire->end - wire->begin;
    const char *end = memchr(wire->buffer + wire->begin, '\n', n);
    *too_long = !end && n >= ELASTIC_LINE_BYTES;
    if (!end) return false;
    size_t length = (size_t)(end - (wire->buffer + wire->begin));
    *too_long = length >= ELASTIC_LINE_BYTES;
    if (*too_long) return false;
    memcpy(line, wire->buffer + wire->begin, length);
    line[length] = '\0';
    wire->begin += length + 1;
    return true;
}

static ssize_t read_some(elastic_wire *wire)
{
    if (wire->begin > 0) {
        memmove(wire->buffer, wire->buffer + wire->begin, wire->end - wire->begin);
        wire->end -= wire->begin;
        wire->begin = 0;
    }
    ssize_t n = recv(wire->fd, wire->buffer + wire->end, sizeof wire->buffer - wire->end, MSG_DONTWAIT);
    if (n > 0) wire->end += (size_t)n;
    return n;
}

static bool would_wait(void)
{
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

elastic_wire_state elastic_wire_line(elastic_wire *wire, int wait_ms, char line[ELASTIC_LINE_BYTES])
{
    for (bool too_long = false;;) {
        if (wire->fd < 0) return ELASTIC_WIRE_CLOSED;
        if (buffered_line(wire, line, &too_long)) return ELASTIC_WIRE_LINE;
        ssize_t n = too_long ? 0 : read_some(wire);
        if (n == 0 || (n < 0 && !would_wait())) {
            elastic_wire_end(wire);
            return ELASTIC_WIRE_CLOSED;
        }
        if (n > 0) continue;
        if (wait_ms == 0 || wait_for(wire->fd, POLLIN, wait_ms) == 0) return ELASTIC_WIRE_NOTHING;
    }
}

bool elastic_wire_bytes(elastic_wire *wire, void *bytes, size_t n)
{
    char *to = bytes;
    size_t ahead = wire->end - wire->begin;
    if (ahead > n) ahead = n;
    memcpy(to, wire->buffer + wire->begin, ahead);
    wire->begin += ahead;
    for (size_t got = ahead; got < n;) {
        if (wire->fd < 0) return false;
        ssize_t more = recv(wire->fd, to + got, n - got, MSG_DONTWAIT);
        if (more > 0)
            got += (size_t)more;
        else if (more == 0 || !would_wait() || wait_for(wire->fd, POLLIN, PATIENCE_MS) == 0)
            return false;
    }
    return true;
}

bool elastic_wire_send(elastic_wire *wire, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n > 0) {
        if (wire->fd < 0) return false;
        ssize_t sent = send(wire->fd, from, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            from += sent;
            n -= (size_t)sent;
        } else if (!would_wait() || wait_for(wire->fd, POLLOUT, PATIENCE_MS) == 0) {
            return false;
        }
    }
    return true;
}

bool elastic_wire_say(elastic_wire *wire, const char *format, ...)
{
    char line[ELASTIC_LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (n < 0) return false;
    if ((size_t)n > sizeof line - 2) n = sizeof line - 2;
    for (int i = 0; i < n; i++)
        if (line[i] == '\n') line[i] = ' ';
    line[n] = '\n';
    return elastic_wire_send(wire, line, (size_t)n + 1);
}

bool elastic_wire_token(char token[ELASTIC_TOKEN_BYTES])
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool elastic_wire_same_token(const char *a, const char *b)
{
    unsigned char differ = 0;
    if (strlen(a) != ELASTIC_TOKEN_BYTES - 1 || strlen(b) != ELASTIC_TOKEN_BYTES - 1) return false;
    for (size_t i = 0; i + 1 < ELASTIC_TOKEN_BYTES; i++) differ |= (unsigned char)(a[i] ^ b[i]);
    return differ == 0;
}
