/// C programs of the escape tests.
enum SandboxEscapeSources {
    /// The targets outside the sandbox: sockets of every kind, and the process itself.
    static let outside = #"""
        #define _GNU_SOURCE
        #include <arpa/inet.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/un.h>
        #include <unistd.h>
        static void local(const char *name, int type, int abstract) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            strncpy(address.sun_path + abstract, name, sizeof address.sun_path - 2);
            int s = socket(AF_UNIX, type, 0);
            if (bind(s, (void *)&address, sizeof(sa_family_t) + abstract + strlen(name)) != 0) { perror(name); _exit(1); }
            if (type == SOCK_STREAM) listen(s, 16);
        }
        static int inet(int type) {
            struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
            socklen_t length = sizeof address;
            int s = socket(AF_INET, type, 0);
            if (bind(s, (void *)&address, length) != 0) { perror("inet"); _exit(1); }
            if (type == SOCK_STREAM) {
                int queue = 16;
                setsockopt(s, IPPROTO_TCP, 23, &queue, sizeof queue);
                listen(s, 16);
            }
            getsockname(s, (void *)&address, &length);
            return ntohs(address.sin_port);
        }
        int main(int count, char **arguments) {
            if (count < 2 || chdir(arguments[1]) != 0) return 1;
            char name[64], datagrams[64];
            snprintf(name, sizeof name, "docent-test-stream-%d", getpid());
            snprintf(datagrams, sizeof datagrams, "docent-test-datagram-%d", getpid());
            local("bus", SOCK_STREAM, 0);
            local("daemon", SOCK_STREAM, 0);
            local(name, SOCK_STREAM, 1);
            local(datagrams, SOCK_DGRAM, 1);
            printf("pid %d\ntcp %d\nudp %d\nabstract %s\ndatagrams %s\n", getpid(), inet(SOCK_STREAM), inet(SOCK_DGRAM),
                   name, datagrams);
            fflush(stdout);
            char ignored;
            while (read(0, &ignored, 1) > 0) {}
            return 0;
        }
        """#

    /// Tries every escape and reports each error, 0 for success.
    static let plugin =
        prelude + #"""
            static int files_and_processes(void) {
                tell("read-home", descriptor(open(value("secret"), O_RDONLY)));
                tell("list-home", descriptor(open(value("home"), O_RDONLY | O_DIRECTORY)));
                tell("read-shadow", descriptor(open("/etc/shadow", O_RDONLY)));
                tell("read-passwd", descriptor(open("/etc/passwd", O_RDONLY)));
                tell("read-other-container", descriptor(open(value("other"), O_RDONLY)));
                tell("write-outside", descriptor(open(value("outside"), O_CREAT | O_WRONLY, 0600)));
                tell("write-root", descriptor(open("/docent-test-file", O_CREAT | O_WRONLY, 0600)));
                tell("write-library", descriptor(open(value("library"), O_WRONLY)));
                tell("replace-library", result(rename(value("inside"), value("library"))));
                tell("write-usr", descriptor(open("/usr/lib/docent-test-file", O_CREAT | O_WRONLY, 0600)));
                tell("make-device", result(mknod(value("device"), S_IFCHR | 0600, makedev(1, 3))));
                tell("make-fifo", result(mknod(value("device"), S_IFIFO | 0600, 0)));
                tell("read-init-environment", descriptor(open("/proc/1/environ", O_RDONLY)));
                tell("write-init-memory", descriptor(open("/proc/1/mem", O_RDWR)));
                tell("init-root", descriptor(open("/proc/1/root/etc", O_RDONLY)));
                tell("core-pattern", descriptor(open("/proc/sys/kernel/core_pattern", O_WRONLY)));
                tell("chmod-other", result(chmod(value("secret"), 0644)));
                tell("chmod-own", result(chmod(value("inside"), 0644)));
                tell("fchmodat2-own", result(syscall(452, AT_FDCWD, value("inside"), 0644, 0)));
                tell("chown-own", result(chown(value("inside"), getuid(), getgid())));
                tell("setuid-own", result(chmod(value("inside"), 04755)));
                tell("kill-other", result(kill(number("pid"), 0)));
                tell("kill-init", result(kill(1, 0)));
                tell("tgkill-init", result(syscall(SYS_tgkill, 1, 1, 0)));
                tell("queue-signal", result(syscall(SYS_rt_sigqueueinfo, getpid(), 0, NULL)));
                struct rlimit limit;
                tell("prlimit-other", result(prlimit(number("pid"), RLIMIT_NOFILE, NULL, &limit)));
                tell("prlimit-init", result(prlimit(1, RLIMIT_NOFILE, NULL, &limit)));
                struct rlimit more = {4096, 4096};
                tell("raise-limit", result(setrlimit(RLIMIT_NOFILE, &more)));
                return 0;
            }

            static int kernel(void) {
                char from[8] = "", to[8];
                struct iovec local = {to, 8}, remote = {from, 8};
                tell("process-vm-readv", result(syscall(SYS_process_vm_readv, getpid(), &local, 1, &remote, 1, 0)));
                tell("process-vm-writev", result(syscall(SYS_process_vm_writev, getpid(), &local, 1, &remote, 1, 0)));
                tell("ptrace", result(syscall(SYS_ptrace, 2, getpid(), 0, &to)));
                tell("pidfd-open", descriptor(syscall(434, getpid(), 0)));
                tell("pidfd-getfd", result(syscall(438, -1, 0, 0)));
                tell("io-uring-setup", result(syscall(425, 0, NULL)));
                tell("userfaultfd", result(syscall(SYS_userfaultfd, 1 | 0x10000000)));
                tell("bpf", result(syscall(SYS_bpf, 9999, NULL, 0)));
                int leased = open(value("inside"), O_RDONLY);
                tell("lease", result(fcntl(leased, F_SETLEASE, F_RDLCK)));
                fcntl(leased, F_SETLEASE, F_UNLCK);
                tell("lease-high-bits", result(syscall(SYS_fcntl, leased, F_SETLEASE | 1UL << 32, F_RDLCK)));
                fcntl(leased, F_SETLEASE, F_UNLCK);
                tell("delegation", result(fcntl(leased, 1040, NULL)));
                close(leased);
                tell("keyctl", result(syscall(SYS_keyctl, 9999, 0, 0, 0, 0)));
                tell("add-key", result(syscall(SYS_add_key, NULL, NULL, NULL, 0, 0)));
                tell("list-keys", descriptor(open("/proc/keys", O_RDONLY)));
                tell("list-key-users", descriptor(open("/proc/key-users", O_RDONLY)));
                tell("perf-event-open", result(syscall(SYS_perf_event_open, NULL, 0, -1, -1, ~0UL)));
                tell("mount", result(syscall(SYS_mount, 1, 1, 1, 0, 0)));
                tell("open-tree", result(syscall(428, -1, "", ~0U)));
                tell("mount-setattr", result(syscall(442, -1, "", ~0U, NULL, 0)));
                tell("open-tree-attr", result(syscall(467, -1, "", ~0U, NULL, 0)));
                tell("unshare", result(syscall(SYS_unshare, 1)));
                tell("setns", result(syscall(SYS_setns, -1, 0)));
                tell("clone-user-namespace", child(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)));
                tell("clone3", result(syscall(435, NULL, 0)));
                tell("personality", result(syscall(SYS_personality, 0xffffffff)));
                tell("open-by-handle", result(syscall(SYS_open_by_handle_at, -1, NULL, 0)));
                tell("tiocsti", result(ioctl(0, TIOCSTI, "x")));
                tell("tiocsti-high-bits", result(syscall(SYS_ioctl, 0, TIOCSTI | 1UL << 32, "x")));
                tell("tioclinux", result(ioctl(0, TIOCLINUX, "x")));
                tell("fork", child(syscall(SYS_fork)));
                tell("clone-process", child(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)));
                tell("execve", result(syscall(SYS_execve, "/nonexistent", NULL, NULL)));
                tell("execveat", result(syscall(SYS_execveat, -1, "nonexistent", NULL, NULL, 0)));
                return 0;
            }

            static int sockets(void) {
                tell("connect-bus", reach_local(value("bus"), 0));
                tell("connect-daemon", reach_local(value("daemon"), 0));
                tell("connect-abstract", reach_local(value("abstract"), 1));
                tell("datagram-pair-abstract", reach_by_pair(value("datagrams")));
                tell("tcp-connect", reach_inet(SOCK_STREAM, number("tcp"), 0));
                tell("tcp-fastopen", reach_inet(SOCK_STREAM, number("tcp"), 1));
                tell("tcp-fastopen-message", reach_inet(SOCK_STREAM, number("tcp"), 2));
                tell("udp-send", reach_inet(SOCK_DGRAM, number("udp"), 1));
                tell("netlink", descriptor(socket(AF_NETLINK, SOCK_RAW, 0)));
                tell("socket-high-bits", descriptor(syscall(SYS_socket, AF_UNIX | 1UL << 32, SOCK_STREAM, 0)));
                tell("vsock", descriptor(socket(40, SOCK_STREAM, 0)));
                tell("packet", descriptor(socket(AF_PACKET, SOCK_DGRAM, 0)));
                int pair[2] = {-1, -1};
                tell("fastopen-flag-send", socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ? -1
                                               : result(sendto(pair[0], "", 1, MSG_FASTOPEN, NULL, 0)));
                tell("listen", result(listen(-1, 1)));
                return 0;
            }

            int32_t docent_extension_main_v1(const struct docent_extension_context_v1 *context) {
                begin(context->socket);
                close(open(value("inside"), O_CREAT | O_WRONLY, 0600));
                files_and_processes();
                kernel();
                sockets();
                finish();
                return 0;
            }
            """#

    private static let prelude = #"""
        #define _GNU_SOURCE
        #include <arpa/inet.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/ioctl.h>
        #include <sys/resource.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/sysmacros.h>
        #include <sys/syscall.h>
        #include <sys/uio.h>
        #include <sys/un.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #include "docent_extension.h"

        static char request[8192];
        static FILE *answer;

        static void begin(int s) {
            size_t length = 0;
            while (length < sizeof request - 1 && strstr(request, "\n\n") == NULL) {
                ssize_t count = read(s, request + length, sizeof request - 1 - length);
                if (count <= 0) _exit(99);
                length += count;
            }
            answer = fdopen(s, "w");
        }
        static void finish(void) { fputs("end\n", answer); fflush(answer); }
        static const char *value(const char *key) {
            static char text[512];
            char pattern[64];
            snprintf(pattern, sizeof pattern, "\n%s ", key);
            const char *start = strstr(request, pattern);
            if (start == NULL) return "";
            start += strlen(pattern);
            snprintf(text, sizeof text, "%.*s", (int)strcspn(start, "\n"), start);
            return strdup(text);
        }
        static int number(const char *key) { return atoi(value(key)); }
        static void tell(const char *name, int error) { fprintf(answer, "%s %d\n", name, error); }
        static int result(long code) { return code < 0 ? errno : 0; }
        static int descriptor(long code) {
            int error = result(code);
            if (code >= 0) close(code);
            return error;
        }
        static int child(long code) {
            if (code == 0) _exit(0);
            int error = result(code);
            if (code > 0) waitpid(code, NULL, 0);
            return error;
        }
        static int reach_local(const char *name, int abstract) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            strncpy(address.sun_path + abstract, name, sizeof address.sun_path - 2);
            int s = socket(AF_UNIX, SOCK_STREAM, 0);
            if (s < 0) return errno;
            int error = result(connect(s, (void *)&address, sizeof(sa_family_t) + abstract + strlen(name)));
            close(s);
            return error;
        }
        static int reach_by_pair(const char *name) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
            int pair[2];
            if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return errno;
            return result(sendto(pair[0], "x", 1, 0, (void *)&address, sizeof(sa_family_t) + 1 + strlen(name)));
        }
        static int reach_inet(int type, int port, int how) {
            struct sockaddr_in to = {
                .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
            int s = socket(AF_INET, type, 0);
            if (s < 0) return errno;
            int flags = type == SOCK_STREAM ? MSG_FASTOPEN : 0;
            struct iovec data = {"x", 1};
            struct msghdr message = {.msg_name = &to, .msg_namelen = sizeof to, .msg_iov = &data, .msg_iovlen = 1};
            long code = how == 0   ? connect(s, (void *)&to, sizeof to)
                        : how == 1 ? sendto(s, "x", 1, flags, (void *)&to, sizeof to)
                                   : sendmsg(s, &message, flags);
            int error = result(code);
            close(s);
            return error;
        }

        """#
}
