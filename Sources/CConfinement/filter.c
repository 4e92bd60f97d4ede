// Closes the ways around namespaces for a client, which may be any program. The default is to allow; every rule refuses
// one way, with an error that programs know from kernels that lack the feature.
#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// The kernel reads these arguments as 32-bit values: higher bits would get past a comparison of all 64.
static const uint64_t low_word = 0xffffffffU;

struct refusal {
    const char *name;
    int error;
};

static const struct refusal refused_always[] = {
    // Keys belong to the user, in every namespace.
    {"add_key", EPERM},
    {"request_key", EPERM},
    {"keyctl", EPERM},
    // Creates sockets and does much else, invisible to every filter.
    {"io_uring_setup", ENOSYS},
    {"io_uring_enter", ENOSYS},
    {"io_uring_register", ENOSYS},
    // The log of the whole machine.
    {"syslog", EPERM},
    // Large parts of the kernel that an ordinary program does not need.
    {"bpf", EPERM},
    {"perf_event_open", EPERM},
    {"userfaultfd", EPERM},
};

static int refuse(scmp_filter_ctx filter, const char *name, int error) {
    int call = seccomp_syscall_resolve_name(name);
    return call == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)error), call, 0);
}

static int refuse_if(scmp_filter_ctx filter, int call, int error, struct scmp_arg_cmp condition) {
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)error), call, 1, condition);
}

// Where 32-bit programs create sockets through socketcall, whose arguments no filter sees, libseccomp refuses that call
// as a whole.
static int refuse_sockets(scmp_filter_ctx filter, int network) {
    // A family with bits above 32 matches none of the rules below, so it is refused here, although the kernel would
    // ignore those bits.
    int result = refuse_if(filter, SCMP_SYS(socketpair), EAFNOSUPPORT, SCMP_A0_64(SCMP_CMP_NE, AF_UNIX));
    if (!network) {
        return result != 0 ? result : refuse_if(filter, SCMP_SYS(socket), EAFNOSUPPORT, SCMP_A0_64(SCMP_CMP_NE, AF_UNIX));
    }
    // Name service uses netlink to read the addresses of this machine; its other protocols are for administrators.
    for (uint64_t family = 0; result == 0 && family <= AF_NETLINK; family++) {
        if (family != AF_UNIX && family != AF_INET && family != AF_INET6 && family != AF_NETLINK) {
            result = refuse_if(
                filter, SCMP_SYS(socket), EAFNOSUPPORT, SCMP_A0_64(SCMP_CMP_MASKED_EQ, low_word, family));
        }
    }
    if (result == 0) {
        result = refuse_if(filter, SCMP_SYS(socket), EAFNOSUPPORT, SCMP_A0_64(SCMP_CMP_GT, AF_NETLINK));
    }
    return result != 0 ? result
                       : seccomp_rule_add(
                             filter, SCMP_ACT_ERRNO(EPROTONOSUPPORT), SCMP_SYS(socket), 2,
                             SCMP_A0_64(SCMP_CMP_MASKED_EQ, low_word, AF_NETLINK), SCMP_A2_64(SCMP_CMP_NE, 0));
}

// Injecting input into a terminal: the client has none of the user's terminals and does not need this for its own.
static int refuse_typing(scmp_filter_ctx filter) {
    int result =
        refuse_if(filter, SCMP_SYS(ioctl), EPERM, SCMP_A1_64(SCMP_CMP_MASKED_EQ, low_word, (uint64_t)TIOCSTI));
    return result != 0
               ? result
               : refuse_if(filter, SCMP_SYS(ioctl), EPERM, SCMP_A1_64(SCMP_CMP_MASKED_EQ, low_word, TIOCLINUX));
}

// F_SETDELEG, newer than the C library.
enum { SET_DELEGATION = 1024 + 16, SET_LEASE = 1024 };

// A lease, which needs only a descriptor for reading, makes every process that opens the file for writing wait 45
// seconds.
static int refuse_leases(scmp_filter_ctx filter) {
    static const int leases[] = {SET_LEASE, SET_DELEGATION};
    int result = 0;
    for (size_t index = 0; index < sizeof leases / sizeof *leases && result == 0; index++) {
        struct scmp_arg_cmp command = SCMP_A1_64(SCMP_CMP_MASKED_EQ, low_word, (uint64_t)leases[index]);
        result = refuse_if(filter, SCMP_SYS(fcntl), EPERM, command);
        if (result == 0) {
            result = refuse_if(filter, SCMP_SYS(fcntl64), EPERM, command);
        }
    }
    return result;
}

// 32-bit programs can run, and 32-bit calls in a 64-bit program are filtered too.
static int add_narrow_architecture(scmp_filter_ctx filter) {
    int result = 0;
    switch (seccomp_arch_native()) {
    case SCMP_ARCH_X86_64: result = seccomp_arch_add(filter, SCMP_ARCH_X86); break;
    case SCMP_ARCH_AARCH64: result = seccomp_arch_add(filter, SCMP_ARCH_ARM); break;
    default: break;
    }
    return result == -EEXIST ? 0 : result;
}

static int add_rules(scmp_filter_ctx filter, int network) {
    // Calls of every other architecture, including x32.
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0) {
        result = add_narrow_architecture(filter);
    }
    for (size_t index = 0; result == 0 && index < sizeof refused_always / sizeof *refused_always; index++) {
        result = refuse(filter, refused_always[index].name, refused_always[index].error);
    }
    if (result == 0) {
        result = refuse_sockets(filter, network);
    }
    if (result == 0) {
        result = refuse_typing(filter);
    }
    return result != 0 ? result : refuse_leases(filter);
}

int confinement_write_client_filter(int descriptor, int network) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (filter == NULL) {
        return -ENOMEM;
    }
    int result = add_rules(filter, network);
    if (result == 0) {
        result = seccomp_export_bpf(filter, descriptor);
    }
    seccomp_release(filter);
    return result;
}
