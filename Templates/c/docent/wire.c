#include "wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const int patience = 30000; // milliseconds

struct wire wire_make(int socket) { return (struct wire){.socket = socket}; }

void wire_end(struct wire *wire) {
    wire_drop_descriptors(wire);
    free(wire->bytes);
    if (wire->socket >= 0) {
        close(wire->socket);
    }
    *wire = wire_make(-1);
}

void wire_drop_descriptors(struct wire *wire) {
    while (wire->descriptor_count > 0) {
        close(wire->descriptors[--wire->descriptor_count]);
    }
}

void wire_wipe(struct wire *wire, struct docent_text message) {
    // Nothing was received since, so the message is still in the buffer.
    if (message.bytes >= wire->bytes && message.bytes < wire->bytes + wire->capacity) {
        explicit_bzero(wire->bytes + (message.bytes - wire->bytes), message.length);
    }
}

bool wire_take_descriptors(struct wire *wire, int *descriptors, size_t count) {
    if (count > wire->descriptor_count) {
        return false;
    }
    // If nothing follows it in the buffer, all received descriptors belong to this message.
    if (wire->start == wire->end && count != wire->descriptor_count) {
        return false;
    }
    memcpy(descriptors, wire->descriptors, count * sizeof(int));
    wire->descriptor_count -= count;
    memmove(wire->descriptors, wire->descriptors + count, wire->descriptor_count * sizeof(int));
    return true;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits until the socket is readable or writable; until `deadline`, or forever if it is less than 0.
static bool wait_for(int socket, short events, int64_t deadline) {
    while (true) {
        int64_t left = deadline < 0 ? -1 : deadline - now();
        if (deadline >= 0 && left <= 0) {
            return false;
        }
        struct pollfd entry = {.fd = socket, .events = events, .revents = 0};
        int result = poll(&entry, 1, (int)left);
        if (result > 0) {
            return true;
        }
        if (result < 0 && errno != EINTR) {
            return false;
        }
    }
}

// Keeps the received descriptors; false if there are too many of them.
static bool keep_descriptors(struct wire *wire, struct msghdr *header) {
    bool fits = (header->msg_flags & MSG_CTRUNC) == 0;
    for (struct cmsghdr *part = CMSG_FIRSTHDR(header); part != NULL; part = CMSG_NXTHDR(header, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < count; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(part) + index * sizeof(int), sizeof(int));
            if (wire->descriptor_count < WIRE_DESCRIPTORS) {
                wire->descriptors[wire->descriptor_count++] = descriptor;
            } else {
                close(descriptor);
                fits = false;
            }
        }
    }
    return fits;
}

static bool receive_some(struct wire *wire) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * WIRE_DESCRIPTORS)];
    struct iovec part = {.iov_base = wire->bytes + wire->end, .iov_len = wire->capacity - wire->end};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t count;
    do {
        header.msg_control = control;
        header.msg_controllen = sizeof control;
        count = recvmsg(wire->socket, &header, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
        return false;
    }
    wire->end += (size_t)count;
    return keep_descriptors(wire, &header);
}

static bool make_room(struct wire *wire) {
    if (wire->start > 0) {
        memmove(wire->bytes, wire->bytes + wire->start, wire->end - wire->start);
        wire->end -= wire->start;
        wire->searched -= wire->start;
        wire->start = 0;
    }
    if (wire->capacity - wire->end >= 4096) {
        return true;
    }
    size_t capacity = wire->capacity == 0 ? 16384 : wire->capacity * 2;
    char *larger = realloc(wire->bytes, capacity);
    if (larger == NULL) {
        return false;
    }
    wire->bytes = larger;
    wire->capacity = capacity;
    return true;
}

bool wire_receive(struct wire *wire, struct docent_text *message) {
    int64_t deadline = -1;
    while (true) {
        char *end = wire->searched < wire->end
                        ? memchr(wire->bytes + wire->searched, 0, wire->end - wire->searched)
                        : NULL;
        size_t length = end != NULL ? (size_t)(end - wire->bytes) - wire->start : wire->end - wire->start;
        if (length > WIRE_MESSAGE_BYTES) {
            return false;
        }
        if (end != NULL) {
            *message = (struct docent_text){.bytes = wire->bytes + wire->start, .length = length};
            wire->start += length + 1;
            wire->searched = wire->start;
            return true;
        }
        wire->searched = wire->end;
        if (deadline < 0 && wire->end > wire->start) {
            deadline = now() + patience;
        }
        if (!make_room(wire) || !wait_for(wire->socket, POLLIN, deadline) || !receive_some(wire)) {
            return false;
        }
    }
}

bool wire_send(struct wire *wire, struct buffer *message) {
    buffer_add(message, "", 1);
    if (message->failed) {
        return false;
    }
    int64_t deadline = now() + patience;
    for (size_t sent = 0; sent < message->length;) {
        ssize_t count = send(wire->socket, message->bytes + sent, message->length - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count >= 0) {
            sent += (size_t)count;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            if (!wait_for(wire->socket, POLLOUT, deadline)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool wire_is_abandoned(const struct wire *wire) {
    struct pollfd entry = {.fd = wire->socket, .events = POLLRDHUP, .revents = 0};
    return poll(&entry, 1, 0) > 0;
}
