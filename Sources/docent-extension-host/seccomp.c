// Closes what namespaces and Landlock leave open: kernel interfaces that reach around both. The default is to allow,
// since plugins are ordinary programs; every rule below refuses one way out.
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

// The kernel reads these arguments as 32-bit values: higher bits would get past a comparison of all 64.
static const uint64_t low_word = 0xffffffffU;

// F_SETDELEG, newer than the C library: a lease on a directory.
static const uint64_t set_delegation = 1040;

static const char *const refused_always[] = {
    // Other processes.
    "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "kcmp", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "sched_setscheduler",
    "sched_setattr", "migrate_pages", "move_pages",
    // Mounts and namespaces.
    "mount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr", "move_mount", "fsopen", "fsconfig",
    "fsmount", "fspick", "mount_setattr", "setns", "unshare",
    // Large kernel interfaces that a provider does not need.
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "add_key",
    "request_key", "keyctl", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
    "swapon", "swapoff", "quotactl", "quotactl_fd", "acct", "syslog", "iopl", "ioperm", "modify_ldt", "personality",
    "fanotify_init", "lookup_dcookie", "uselib", "vhangup", "sethostname", "setdomainname", "settimeofday",
    "clock_settime", "clock_adjtime", "adjtimex",
    // Files by handle, which bypasses every path rule.
    "name_to_handle_at", "open_by_handle_at",
    // Executing a descriptor would bypass the list of programs.
    "execveat",
    // Memory that belongs to no process, so that it is not counted (limits.c).
    "memfd_create", "memfd_secret", "shmget",
};

static const char *const refused_without_spawn[] = {"fork", "vfork", "execve"};
static const char *const refused_without_network[] = {"connect", "bind"};
static const char *const mode_changes_by_path[] = {"chmod", "fchmod"};
static const char *const mode_changes_in_directory[] = {"fchmodat", "fchmodat2"};
static const char *const owner_changes[] = {"chown", "fchown", "lchown", "fchownat"};

struct filter {
    scmp_filter_ctx context;
    // Whether the supervisor reports refused calls and answers them.
    bool watched;
};

static void check(int result, const char *name) {
    if (result != 0) {
        fail(EXIT_MISSING_LAYER, "seccomp refuses the rule for %s: %s", name, strerror(-result));
    }
}

// Calls newer than the distribution's libseccomp. From 424 on, every architecture uses the same numbers.
static const struct {
    const char *name;
    int number;
} young_calls[] = {
    {"process_madvise", 440}, {"mount_setattr", 442}, {"quotactl_fd", 443},
    {"memfd_secret", 447},    {"process_mrelease", 448}, {"fchmodat2", 452},    {"open_tree_attr", 467},
};

static int number(const char *name) {
    int known = seccomp_syscall_resolve_name(name);
    for (size_t index = 0; known == __NR_SCMP_ERROR && index < sizeof young_calls / sizeof *young_calls; index++) {
        if (strcmp(young_calls[index].name, name) == 0) {
            known = young_calls[index].number;
        }
    }
    return known;
}

static void refuse(const struct filter *filter, const char *name, int error) {
    int call = number(name);
    if (call != __NR_SCMP_ERROR) {
        check(seccomp_rule_add(filter->context, SCMP_ACT_ERRNO((uint32_t)error), call, 0), name);
    }
}

static void refuse_if(const struct filter *filter, const char *name, int error, struct scmp_arg_cmp condition) {
    int call = number(name);
    if (call != __NR_SCMP_ERROR) {
        check(seccomp_rule_add(filter->context, SCMP_ACT_ERRNO((uint32_t)error), call, 1, condition), name);
    }
}

// The action for calls that the supervisor reports if it watches; it answers them with the same error.
static uint32_t refusal(const struct filter *filter, int error) {
    return filter->watched ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO((uint32_t)error);
}

static void tell_if(const struct filter *filter, const char *name, int error, struct scmp_arg_cmp condition) {
    int call = number(name);
    if (call != __NR_SCMP_ERROR) {
        check(seccomp_rule_add(filter->context, refusal(filter, error), call, 1, condition), name);
    }
}

static void tell(const struct filter *filter, const char *name, uint32_t action) {
    int call = number(name);
    if (call != __NR_SCMP_ERROR) {
        check(seccomp_rule_add(filter->context, action, call, 0), name);
    }
}

static void refuse_each(const struct filter *filter, const char *const *names, size_t count, int error) {
    for (size_t index = 0; index < count; index++) {
        refuse(filter, names[index], error);
    }
}

static struct scmp_arg_cmp compares(unsigned argument, enum scmp_compare how, uint64_t value) {
    return (struct scmp_arg_cmp){.arg = argument, .op = how, .datum_a = value, .datum_b = 0};
}

static struct scmp_arg_cmp has_bits(unsigned argument, uint64_t bits) {
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, bits, bits);
}

static struct scmp_arg_cmp equals(unsigned argument, uint64_t mask, uint64_t value) {
    return SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, mask, value);
}

// Only for the network families: the C library itself tries local sockets, to look up user names.
static void tell_of_sockets(const struct filter *filter) {
    for (uint64_t family = 0; family <= AF_INET6; family++) {
        if (family == AF_INET || family == AF_INET6) {
            tell_if(filter, "socket", EACCES, equals(0, low_word, family));
        } else {
            refuse_if(filter, "socket", EACCES, equals(0, low_word, family));
        }
    }
    refuse_if(filter, "socket", EACCES, compares(0, SCMP_CMP_GT, AF_INET6));
}

static void refuse_sockets(const struct filter *filter, const struct host_options *options) {
    if (!options->network) {
        if (filter->watched) {
            tell_of_sockets(filter);
        } else {
            refuse(filter, "socket", EACCES);
        }
        refuse_each(filter, refused_without_network, sizeof refused_without_network / sizeof(char *), EACCES);
        // The flags that connect while sending, which would bypass both the connect rules and Landlock.
        refuse_if(filter, "sendto", EACCES, has_bits(3, MSG_FASTOPEN));
        refuse_if(filter, "sendmsg", EACCES, has_bits(2, MSG_FASTOPEN));
        refuse_if(filter, "sendmmsg", EACCES, has_bits(3, MSG_FASTOPEN));
    } else {
        // Everything but AF_INET (2) and AF_INET6 (10).
        for (uint64_t family = 0; family <= AF_INET6; family++) {
            if (family != AF_INET && family != AF_INET6) {
                refuse_if(filter, "socket", EACCES, equals(0, low_word, family));
            }
        }
        refuse_if(filter, "socket", EACCES, compares(0, SCMP_CMP_GT, AF_INET6));
    }
    refuse(filter, "listen", EACCES);
    // An unconnected or datagram pair can be sent or connected to any name; stream and packet pairs cannot.
    for (uint64_t type = 0; type <= 0xf; type++) {
        if (type != SOCK_STREAM && type != SOCK_SEQPACKET) {
            refuse_if(filter, "socketpair", EACCES, equals(1, 0xf, type));
        }
    }
}

static void refuse_processes(const struct filter *filter, const struct host_options *options) {
#if defined(__s390__) || defined(__s390x__)
    const unsigned flags = 1;
#else
    const unsigned flags = 0;
#endif
    // clone3 hides its flags behind a pointer. On ENOSYS the C library falls back to clone.
    refuse(filter, "clone3", ENOSYS);
    if (options->spawn.count == 0) {
        for (size_t index = 0; index < sizeof refused_without_spawn / sizeof(char *); index++) {
            tell(filter, refused_without_spawn[index], refusal(filter, EPERM));
        }
        tell_if(filter, "clone", EPERM, equals(flags, CLONE_THREAD, 0));
        if (options->plugin > 0) {
            refuse_if(filter, "kill", EPERM, compares(0, SCMP_CMP_NE, (uint64_t)options->plugin));
        } else {
            refuse(filter, "kill", EPERM);
        }
        // abort and raise use tgkill on the process itself.
        refuse_if(filter, "tgkill", EPERM, compares(0, SCMP_CMP_NE, (uint64_t)getpid()));
    } else {
        static const uint64_t namespaces[] = {CLONE_NEWNS,  CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                              CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
        for (size_t index = 0; index < sizeof namespaces / sizeof *namespaces; index++) {
            refuse_if(filter, "clone", EPERM, has_bits(flags, namespaces[index]));
        }
    }
    // The daemon looks for deleted files that it still holds open (UnlinkedFiles).
    refuse_if(filter, "prctl", EPERM, equals(0, low_word, PR_SET_DUMPABLE));
    refuse_if(filter, "prlimit64", EPERM, compares(0, SCMP_CMP_NE, 0));
    // A lease, which needs only a descriptor for reading, makes every process that opens the file for writing wait 45
    // seconds. A provider that writes in the user's folders needs one briefly, to see whether another program still
    // writes to a file that it replaces.
    if (!options->change_modes) {
        refuse_if(filter, "fcntl", EPERM, equals(1, low_word, F_SETLEASE));
    }
    refuse_if(filter, "fcntl", EPERM, equals(1, low_word, set_delegation));
    refuse_if(filter, "ioctl", EPERM, equals(1, low_word, TIOCSTI));
    refuse_if(filter, "ioctl", EPERM, equals(1, low_word, TIOCLINUX));
}

static void refuse_mode_change(const struct filter *filter, const char *name, unsigned mode, bool ordinary_allowed) {
    if (!ordinary_allowed) {
        refuse(filter, name, EPERM);
        return;
    }
    refuse_if(filter, name, EPERM, has_bits(mode, S_ISUID));
    refuse_if(filter, name, EPERM, has_bits(mode, S_ISGID));
}

static void refuse_mode_changes(const struct filter *filter, bool ordinary_allowed) {
    for (size_t index = 0; index < 2; index++) {
        refuse_mode_change(filter, mode_changes_by_path[index], 1, ordinary_allowed);
        refuse_mode_change(filter, mode_changes_in_directory[index], 2, ordinary_allowed);
    }
    if (!ordinary_allowed) {
        refuse_each(filter, owner_changes, sizeof owner_changes / sizeof(char *), EPERM);
    }
}

// Landlock and the mounts decide about these calls.
static void watch_files(const struct filter *filter) {
    static const char *const calls[] = {"mkdir",    "mkdirat",   "unlink",  "unlinkat",  "rmdir", "rename", "renameat",
                                        "renameat2", "symlink", "symlinkat", "link",  "linkat", "truncate", "creat"};
    static const uint64_t writing[] = {O_WRONLY, O_RDWR, O_CREAT};
    for (size_t index = 0; index < sizeof calls / sizeof *calls; index++) {
        tell(filter, calls[index], SCMP_ACT_NOTIFY);
    }
    for (size_t index = 0; index < sizeof writing / sizeof *writing; index++) {
        tell_if(filter, "open", 0, has_bits(1, writing[index]));
        tell_if(filter, "openat", 0, has_bits(2, writing[index]));
    }
}

static int load(const struct host_options *options, bool watched) {
    struct filter filter = {.context = seccomp_init(SCMP_ACT_ALLOW), .watched = watched};
    if (filter.context == NULL) {
        fail(EXIT_MISSING_LAYER, "seccomp is not available");
    }
    check(seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS), "foreign architectures");
    check(seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_NNP, 1), "no_new_privs");
    refuse_each(&filter, refused_always, sizeof refused_always / sizeof(char *), EPERM);
    refuse_sockets(&filter, options);
    refuse_processes(&filter, options);
    refuse_mode_changes(&filter, options->change_modes);
    if (watched) {
        watch_files(&filter);
    }
    int result = seccomp_load(filter.context);
    if (result == 0 && watched) {
        give_watch(seccomp_notify_fd(filter.context));
    }
    seccomp_release(filter.context);
    return result;
}

void close_seccomp(const struct host_options *options) {
    // The kernel allows only one watcher per process: in a container that has one already, there can be no other.
    int result = options->watch ? load(options, true) : -EOPNOTSUPP;
    if (result != 0) {
        if (options->watch) {
            give_watch(-1);
        }
        result = load(options, false);
    }
    if (result != 0) {
        fail(EXIT_MISSING_LAYER, "seccomp cannot be closed: %s", strerror(-result));
    }
}
