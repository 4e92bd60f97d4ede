// Functions that Swift cannot call directly: control messages, variadic functions, thread attributes, and semaphores
// with a clock.
#ifndef CVARLINKSOCKET_H
#define CVARLINKSOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most descriptors that one receive can return; the kernel truncates and reports any more.
enum { CVARLINK_RECEIVE_DESCRIPTORS = 64 };

// POLLRDHUP, which Swift's Glibc module lacks, and MSG_DONTWAIT as a plain number.
enum { CVARLINK_POLL_HANGUP = 0x2000, CVARLINK_DONT_WAIT = 0x40 };

struct cvarlink_received {
    ptrdiff_t bytes;  // 0 at the end of the stream, -1 with `error` set
    int error;      // errno
    bool truncated;  // MSG_CTRUNC: some descriptors were lost
    size_t descriptor_count;
    int descriptors[CVARLINK_RECEIVE_DESCRIPTORS];
};

// One sendmsg with MSG_NOSIGNAL | flags; returns the bytes sent or -errno.
ptrdiff_t cvarlink_send(int socket, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count,
                      int flags);

// One recvmsg with MSG_CMSG_CLOEXEC | flags.
void cvarlink_receive(int socket, void *bytes, size_t count, int flags, struct cvarlink_received *result);

// F_DUPFD_CLOEXEC. Returns the new descriptor or -errno.
int cvarlink_duplicate(int descriptor);

// A listening or connected SOCK_STREAM socket at a path, or -errno.
int cvarlink_listen(const char *path, uint32_t mode);
int cvarlink_connect(const char *path);

// accept4 with SOCK_CLOEXEC. Returns the descriptor or -errno.
int cvarlink_accept(int listener);

// Sets O_NONBLOCK. Returns 0 or -errno.
int cvarlink_set_nonblocking(int descriptor);

// Creates a non-blocking eventfd (or returns -errno), makes it readable, and makes it unreadable.
int cvarlink_event_create(void);
void cvarlink_event_signal(int event);
void cvarlink_event_clear(int event);

// socketpair of close-on-exec stream sockets. Returns 0 or -errno.
int cvarlink_pair(int *first, int *second);

struct cvarlink_peer {
    int32_t process;
    uint32_t user;
    uint32_t group;
    int process_descriptor;  // -1 if the kernel lacks SO_PEERPIDFD or the process (then 0) has ended
};
int cvarlink_peer_of(int socket, struct cvarlink_peer *peer);

// The number of bytes that the kernel counts as sent but not yet received by the peer, or -errno.
int cvarlink_unreceived(int socket);

// Starts a detached thread with its own stack size and all asynchronous signals blocked. Returns 0 or the error number.
int cvarlink_thread(size_t stack_bytes, const char *name, void (*body)(void *), void *context);

// The number of CPUs that this process may run on.
int cvarlink_cpu_count(void);

// A hint to the CPU inside a spin.
static inline void cvarlink_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Overwrites bytes that contained a secret, even where Swift considers them constant.
void cvarlink_wipe(const void *bytes, size_t count);

// The time on CLOCK_MONOTONIC in nanoseconds.
int64_t cvarlink_now(void);

// A binary semaphore that may be taken on one thread and returned on another.
typedef struct cvarlink_turn cvarlink_turn;
cvarlink_turn *cvarlink_turn_create(void);
void cvarlink_turn_destroy(cvarlink_turn *turn);
// Waits until `deadline` (nanoseconds on CLOCK_MONOTONIC; negative for no limit). Returns 0 or ETIMEDOUT.
int cvarlink_turn_take(cvarlink_turn *turn, int64_t deadline);
void cvarlink_turn_give(cvarlink_turn *turn);

#endif
