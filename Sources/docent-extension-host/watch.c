// Reports what a plugin tried, not only that the sandbox stopped it, because a validator needs to know. seccomp holds
// the calls in question until the supervisor has reported them on the lifeline. Watching never grants anything: what is
// refused to every plugin is refused here, and decisions of Landlock and the mounts are left to them.
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// The supervisor's end and the plugin's. The listener is sent over it once.
static int channel[2] = {-1, -1};
static int listener = -1;
// A few attempts are enough; a flood of them must not fill the lifeline.
static int reports_left = 20;

// Calls that create or change files, and the indexes of their arguments for the directory (-1: none) and the path.
static const struct {
    int call;
    int directory;
    int path;
} file_calls[] = {
    {SYS_openat, 0, 1},    {SYS_mkdirat, 0, 1}, {SYS_unlinkat, 0, 1},  {SYS_renameat2, 2, 3},
    {SYS_symlinkat, 1, 2}, {SYS_linkat, 2, 3},  {SYS_truncate, -1, 0},
#ifdef SYS_renameat
    {SYS_renameat, 2, 3},
#endif
#ifdef SYS_open
    {SYS_open, -1, 0},     {SYS_creat, -1, 0},  {SYS_mkdir, -1, 0},    {SYS_unlink, -1, 0},
    {SYS_rmdir, -1, 0},    {SYS_rename, -1, 1}, {SYS_symlink, -1, 1},  {SYS_link, -1, 1},
#endif
};

void prepare_watch(void) {
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0) {
        fail(EXIT_SYSTEM, "no socket can be made for watching the plugin: %s", strerror(errno));
    }
}

void give_watch(int descriptor) {
    close(channel[0]);
    char byte = 0;
    struct iovec content = {.iov_base = &byte, .iov_len = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    ssize_t sent = descriptor >= 0 ? sendmsg(channel[1], &message, MSG_NOSIGNAL) : 0;
    if (sent < 0) {
        fail(EXIT_SYSTEM, "the supervisor cannot receive what to watch: %s", strerror(errno));
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    close(channel[1]);
}

void begin_watch(void) {
    if (channel[1] >= 0) {
        close(channel[1]);
        channel[1] = -1;
    }
}

int watched_descriptor(void) { return listener >= 0 ? listener : channel[0]; }

static void end_watch(void) {
    close(watched_descriptor());
    channel[0] = -1;
    listener = -1;
}

static void receive_listener(int lifeline) {
    char byte;
    struct iovec content = {.iov_base = &byte, .iov_len = 1};
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {0};
    struct msghdr message = {
        .msg_iov = &content, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    ssize_t count = recvmsg(channel[0], &message, MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    int received = -1;
    if (header != NULL && header->cmsg_type == SCM_RIGHTS) {
        memcpy(&received, CMSG_DATA(header), sizeof received);
    }
    end_watch();
    listener = received;
    if (listener >= 0) {
        report(lifeline, "watching\n");
    }
}

// The text at an address in the plugin's memory; empty if there is none.
static void read_text(uint32_t process, uint64_t address, char *text, size_t size) {
    char name[64];
    snprintf(name, sizeof name, "/proc/%u/mem", process);
    text[0] = '\0';
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    if (memory < 0) {
        return;
    }
    ssize_t count = pread(memory, text, size - 1, (off_t)address);
    close(memory);
    text[count > 0 ? count : 0] = '\0';
}

static void complete(uint32_t process, int directory, char *path, size_t size) {
    char name[64], rest[PATH_MAX], base[PATH_MAX];
    if (path[0] == '/' || path[0] == '\0') {
        return;
    }
    if (directory < 0) {
        snprintf(name, sizeof name, "/proc/%u/cwd", process);
    } else {
        snprintf(name, sizeof name, "/proc/%u/fd/%d", process, directory);
    }
    ssize_t count = readlink(name, base, sizeof base - 1);
    base[count > 0 ? count : 0] = '\0';
    snprintf(rest, sizeof rest, "%.*s", (int)sizeof rest - 1, path);
    snprintf(path, size, "%s/%s", base, rest);
}

static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

static bool is_own(const struct host_options *options, const char *path) {
    // A validator's home may be in /tmp, which inside the sandbox is the plugin's own memory.
    const char *home = getenv("HOME");
    bool at_home = home != NULL && is_below(path, home);
    for (size_t index = 0; index < options->read_write.count; index++) {
        const char *folder = options->read_write.paths[index];
        if (at_home && strcmp(folder, "/tmp") == 0) {
            continue;
        }
        // Creating a folder with all its parents also tries to create the existing ones above it.
        if (is_below(folder, path) || (is_below(path, folder) && strstr(path, "/../") == NULL)) {
            return true;
        }
    }
    return is_below(path, "/dev") || is_below(path, "/proc");
}

static void tell(const struct host_options *options, const char *what, char *path) {
    // A path must not add lines of its own.
    for (char *byte = path; *byte != '\0'; byte++) {
        if ((unsigned char)*byte <= ' ' || *byte == 0x7f) {
            *byte = '?';
        }
    }
    if (reports_left > 0) {
        reports_left--;
        report(options->lifeline, "attempted %s %.300s\n", what, path);
    }
}

// Returns whether the call concerns files, in which case it continues.
static bool tell_of_file(const struct host_options *options, const struct seccomp_notif *request) {
    for (size_t index = 0; index < sizeof file_calls / sizeof *file_calls; index++) {
        if (file_calls[index].call != request->data.nr) {
            continue;
        }
        char path[2 * PATH_MAX];
        int place = file_calls[index].directory;
        read_text(request->pid, request->data.args[file_calls[index].path], path, PATH_MAX);
        complete(request->pid, place < 0 ? -1 : (int)request->data.args[place], path, sizeof path);
        if (path[0] != '\0' && !is_own(options, path)) {
            tell(options, "write", path);
        }
        return true;
    }
    return false;
}

void serve_watch(const struct host_options *options) {
    if (listener < 0) {
        receive_listener(options->lifeline);
        return;
    }
    struct seccomp_notif request = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) {
        if (errno != EINTR && errno != ENOENT) {
            end_watch();
        }
        return;
    }
    struct seccomp_notif_resp answer = {.id = request.id};
    if (tell_of_file(options, &request)) {
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    } else if (request.data.nr == SYS_socket) {
        char family[16];
        snprintf(family, sizeof family, "%s", request.data.args[0] == AF_INET6 ? "IPv6" : "IPv4");
        tell(options, "socket", family);
        answer.error = -EACCES;
    } else {
        char program[PATH_MAX] = "-";
        if (request.data.nr == SYS_execve) {
            read_text(request.pid, request.data.args[0], program, sizeof program);
        }
        tell(options, "process", program);
        answer.error = -EPERM;
    }
    // ENOENT: the process that made the call has been killed meanwhile.
    (void)!ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}
