#define _GNU_SOURCE
#include "CVarlinkSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

_Static_assert(CVARLINK_POLL_HANGUP == POLLRDHUP && CVARLINK_DONT_WAIT == MSG_DONTWAIT, "constants");

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

ptrdiff_t cvarlink_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count,
                      int flags) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * CVARLINK_RECEIVE_DESCRIPTORS)];
    if (descriptor_count > CVARLINK_RECEIVE_DESCRIPTORS) {
        return -EINVAL;
    }
    if (descriptor_count > 0) {
        size_t length = sizeof(int) * descriptor_count;
        memset(control, 0, CMSG_SPACE(length));
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(length);
        struct cmsghdr *message = CMSG_FIRSTHDR(&header);
        message->cmsg_level = SOL_SOCKET;
        message->cmsg_type = SCM_RIGHTS;
        message->cmsg_len = CMSG_LEN(length);
        memcpy(CMSG_DATA(message), descriptors, length);
    }
    ssize_t sent;
    do {
        sent = sendmsg(socket, &header, MSG_NOSIGNAL | flags);
    } while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

void cvarlink_receive(int socket, void *bytes, size_t count, int flags, struct cvarlink_received *result) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * CVARLINK_RECEIVE_DESCRIPTORS)];
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
    result->descriptor_count = 0;
    result->truncated = false;
    result->error = 0;
    do {
        header.msg_controllen = sizeof(control);
        result->bytes = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | flags);
    } while (result->bytes < 0 && errno == EINTR);
    if (result->bytes < 0) {
        result->error = errno;
        return;
    }
    result->truncated = (header.msg_flags & MSG_CTRUNC) != 0;
    for (struct cmsghdr *message = CMSG_FIRSTHDR(&header); message != NULL; message = CMSG_NXTHDR(&header, message)) {
        if (message->cmsg_level != SOL_SOCKET || message->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        size_t number = (message->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t index = 0; index < number; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(message) + index * sizeof(int), sizeof(int));
            if (result->descriptor_count < CVARLINK_RECEIVE_DESCRIPTORS) {
                result->descriptors[result->descriptor_count++] = descriptor;
            } else {
                close(descriptor);
                result->truncated = true;
            }
        }
    }
}

int cvarlink_duplicate(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? -errno : copy;
}

static int address_of(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (strlen(path) == 0 || strlen(path) >= sizeof(address->sun_path)) {
        return -ENAMETOOLONG;
    }
    strcpy(address->sun_path, path);
    return 0;
}

int cvarlink_listen(const char *path, uint32_t mode) {
    struct sockaddr_un address;
    int problem = address_of(path, &address);
    if (problem != 0) {
        return problem;
    }
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) {
        return -errno;
    }
    // No one can connect before listen, so the mode is in effect from the first connection on.
    if (bind(listener, (struct sockaddr *)&address, sizeof(address)) != 0) {
        problem = -errno;
    } else if (chmod(path, mode) != 0 || listen(listener, SOMAXCONN) != 0) {
        problem = -errno;
        unlink(path);
    }
    if (problem != 0) {
        close(listener);
        return problem;
    }
    return listener;
}

int cvarlink_connect(const char *path) {
    struct sockaddr_un address;
    int problem = address_of(path, &address);
    if (problem != 0) {
        return problem;
    }
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) {
        return -errno;
    }
    // An interrupted connect of a Unix stream socket has had no effect and is repeated.
    int result;
    do {
        result = connect(connection, (struct sockaddr *)&address, sizeof(address));
    } while (result != 0 && errno == EINTR);
    if (result != 0) {
        problem = -errno;
        close(connection);
        return problem;
    }
    return connection;
}

int cvarlink_accept(int listener) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    return connection < 0 ? -errno : connection;
}

int cvarlink_set_nonblocking(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != 0) {
        return -errno;
    }
    return 0;
}

int cvarlink_event_create(void) {
    int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return event < 0 ? -errno : event;
}

void cvarlink_event_signal(int event) {
    // This fails only when the counter is full, and the descriptor is then readable anyway.
    eventfd_write(event, 1);
}

void cvarlink_event_clear(int event) {
    eventfd_t count;
    eventfd_read(event, &count);
}

int cvarlink_pair(int *first, int *second) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        return -errno;
    }
    *first = ends[0];
    *second = ends[1];
    return 0;
}

int cvarlink_peer_of(int socket, struct cvarlink_peer *peer) {
    struct ucred credentials;
    socklen_t length = sizeof(credentials);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) {
        return -errno;
    }
    peer->process = credentials.pid;
    peer->user = credentials.uid;
    peer->group = credentials.gid;
    int descriptor = -1;
    length = sizeof(descriptor);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &descriptor, &length) != 0) {
        // Except on a kernel without it, any error means that the process has ended, and its number may have been
        // reused.
        if (errno != ENOPROTOOPT) {
            peer->process = 0;
        }
        descriptor = -1;
    }
    peer->process_descriptor = descriptor;
    return 0;
}

int cvarlink_unreceived(int socket) {
    int bytes = 0;
    return ioctl(socket, SIOCOUTQ, &bytes) != 0 ? -errno : bytes;
}

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

int cvarlink_thread(size_t stack_bytes, const char *name, void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof(*start));
    if (start == NULL) {
        return ENOMEM;
    }
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof(start->name) - 1);
    start->name[sizeof(start->name) - 1] = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    sigset_t blocked, before;
    sigfillset(&blocked);
    int synchronous[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t index = 0; index < sizeof(synchronous) / sizeof(synchronous[0]); index++) {
        sigdelset(&blocked, synchronous[index]);
    }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int problem = pthread_create(&thread, &attributes, run, start);
    if (problem != 0) {
        free(start);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return problem;
}

int cvarlink_cpu_count(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return (int)sysconf(_SC_NPROCESSORS_ONLN);
    }
    return CPU_COUNT(&set);
}

int64_t cvarlink_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct cvarlink_turn {
    sem_t semaphore;
};

cvarlink_turn *cvarlink_turn_create(void) {
    cvarlink_turn *turn = malloc(sizeof(*turn));
    if (turn == NULL) {
        abort();
    }
    sem_init(&turn->semaphore, 0, 1);
    return turn;
}

void cvarlink_turn_destroy(cvarlink_turn *turn) {
    sem_destroy(&turn->semaphore);
    free(turn);
}

int cvarlink_turn_take(cvarlink_turn *turn, int64_t deadline) {
    int result;
    if (deadline < 0) {
        do {
            result = sem_wait(&turn->semaphore);
        } while (result != 0 && errno == EINTR);
        return result == 0 ? 0 : errno;
    }
    struct timespec time = {.tv_sec = deadline / 1000000000, .tv_nsec = deadline % 1000000000};
    do {
        result = sem_clockwait(&turn->semaphore, CLOCK_MONOTONIC, &time);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

void cvarlink_turn_give(cvarlink_turn *turn) { sem_post(&turn->semaphore); }

void cvarlink_wipe(const void *bytes, size_t count) {
    if (count > 0) {
        explicit_bzero((void *)(uintptr_t)bytes, count);
    }
}
