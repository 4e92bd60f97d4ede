// What a child inherits from its parent besides descriptors and memory.
#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int confinement_leave_session_keyring(void) {
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) >= 0) {
        return 0;
    }
    int error = errno;
    if (error == ENOSYS) {
        return 0;
    }
    // The kernel itself never answers this way: the error comes from a filter around this process, which also applies
    // to everything that it starts.
    if (error == EPERM && syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) < 0 && errno == EPERM) {
        return 0;
    }
    return -error;
}

// For ioprio_set; the C library's headers do not define them.
enum { DISK_PROCESS = 1, DISK_CLASS_SHIFT = 13, DISK_CLASS_REAL_TIME = 1 };

void confinement_reset_thread(void) {
    (void)personality(PER_LINUX);
    int policy = sched_getscheduler(0);
    if (policy >= 0) {
        policy &= ~SCHED_RESET_ON_FORK;
        if (policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_DEADLINE) {
            struct sched_param none = {.sched_priority = 0};
            (void)sched_setscheduler(0, SCHED_OTHER, &none);
        }
    }
    errno = 0;
    if (getpriority(PRIO_PROCESS, 0) < 0 && errno == 0) {
        (void)setpriority(PRIO_PROCESS, 0, 0);
    }
    long disk = syscall(SYS_ioprio_get, DISK_PROCESS, 0);
    if (disk >= 0 && disk >> DISK_CLASS_SHIFT == DISK_CLASS_REAL_TIME) {
        (void)syscall(SYS_ioprio_set, DISK_PROCESS, 0, 0);
    }
}

void confinement_limit_process(pid_t process) {
    struct rlimit none = {.rlim_cur = 0, .rlim_max = 0};
    (void)prlimit(process, RLIMIT_RTPRIO, &none, NULL);
    (void)prlimit(process, RLIMIT_NICE, &none, NULL);

    char path[64];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", process == 0 ? (int)getpid() : (int)process);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    char first = 0;
    if (read(file, &first, 1) == 1 && first == '-') {
        (void)!pwrite(file, "0", 1, 0);
    }
    close(file);
}
