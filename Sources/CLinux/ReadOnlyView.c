// The read-only view of a file or directory. Its helper process is forked without exec, because a new user namespace
// requires a single thread, and it makes only system calls.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif

enum {
    TREE_CLONE = 1,
    TREE_RECURSIVE = 0x8000,
    ATTRIBUTE_READ_ONLY = 0x1,
    ATTRIBUTE_NO_SETUID = 0x2,
    ATTRIBUTE_NO_DEVICES = 0x4,
};

struct mount_attributes {
    uint64_t set;
    uint64_t clear;
    uint64_t propagation;
    uint64_t user_namespace;
};

static int make_view(const char *path, int follows_links) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
        return -errno;
    }
    // Opened in the new mount namespace: only its own mounts can be cloned.
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = follows_links ? 0 : RESOLVE_NO_SYMLINKS};
    long place = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (place < 0) {
        return -errno;
    }
    long tree = syscall(SYS_open_tree, (int)place, "", AT_EMPTY_PATH | TREE_CLONE | TREE_RECURSIVE | O_CLOEXEC);
    if (tree < 0) {
        return -errno;
    }
    struct mount_attributes attributes = {
        .set = ATTRIBUTE_READ_ONLY | ATTRIBUTE_NO_SETUID | ATTRIBUTE_NO_DEVICES};
    if (syscall(SYS_mount_setattr, (int)tree, "", AT_EMPTY_PATH | TREE_RECURSIVE, &attributes, sizeof attributes) != 0) {
        return -errno;
    }
    return (int)tree;
}

// Sends one message: an error number, or 0 with the descriptor attached.
static void tell(int socket, int result) {
    int error = result < 0 ? -result : 0;
    struct iovec part = {.iov_base = &error, .iov_len = sizeof error};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (result >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &result, sizeof result);
    }
    (void)!sendmsg(socket, &message, MSG_NOSIGNAL);
}

static int hear(int socket) {
    int error = EPIPE;
    struct iovec part = {.iov_base = &error, .iov_len = sizeof error};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t received;
    do {
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -errno;
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (received != sizeof error || error != 0 || header == NULL || header->cmsg_type != SCM_RIGHTS) {
        return error != 0 ? -error : -EPIPE;
    }
    int view;
    memcpy(&view, CMSG_DATA(header), sizeof view);
    return view;
}

int clinux_read_only_view(const char *path, int follows_links) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return -errno;
    }
    pid_t helper = _Fork();
    if (helper == 0) {
        tell(ends[1], make_view(path, follows_links));
        _exit(0);
    }
    int failure = errno;
    close(ends[1]);
    if (helper < 0) {
        close(ends[0]);
        return -failure;
    }
    int view = hear(ends[0]);
    close(ends[0]);
    while (waitpid(helper, NULL, 0) < 0 && errno == EINTR) {
    }
    return view;
}

// A write lease is granted only if no one else has the file open.
int clinux_is_open_elsewhere(int descriptor) {
    if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0) {
        return 1;
    }
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}
