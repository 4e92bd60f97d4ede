// The resource limits of a plugin. Where the daemon has a control group for it, that is the first line of defence and
// this is the second.
//
// RLIMIT_DATA, not RLIMIT_AS: runtimes reserve address space that they never use. RLIMIT_DATA counts the private
// writable memory of one process, used or not, including stacks, so it is set to twice the limit; actual use is
// watched. RLIMIT_NPROC only counts the processes and threads in the sandbox's own user namespace. RLIMIT_FSIZE would
// stop downloads into the daemon's files.
#define _GNU_SOURCE
#include "host.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

// The supervisor also counts as a process of its namespace.
enum { OWN_PROCESSES = 1, BYTES_PER_FILE = 1024 };

static void set_limit(int resource, rlim_t most, const char *name) {
    struct rlimit current;
    if (getrlimit((__rlimit_resource_t)resource, &current) == 0 && current.rlim_max < most) {
        most = current.rlim_max;
    }
    struct rlimit wanted = {.rlim_cur = most, .rlim_max = most};
    if (setrlimit((__rlimit_resource_t)resource, &wanted) != 0) {
        fail(EXIT_SYSTEM, "the limit for %s cannot be set: %s", name, strerror(errno));
    }
}

static void lower_priority(int nice) {
    errno = 0;
    int current = getpriority(PRIO_PROCESS, 0);
    if (errno == 0 && current < nice && setpriority(PRIO_PROCESS, 0, nice) != 0) {
        fail(EXIT_SYSTEM, "the priority cannot be lowered: %s", strerror(errno));
    }
    // Where the kernel gives each session an equal share, a process's own priority only counts within its session.
    int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (group >= 0) {
        char text[16];
        int length = snprintf(text, sizeof text, "%d", nice);
        (void)!write(group, text, (size_t)length);
        close(group);
    }
}

void limit_plugin(const struct host_options *options) {
    if (options->nice > 0) {
        lower_priority(options->nice);
    }
    if (options->memory > 0) {
        set_limit(RLIMIT_DATA, 2 * (rlim_t)options->memory, "memory");
    }
    // Without a separate user namespace, the kernel would count all processes of the user.
    if (options->processes > 0 && !options->unsandboxed) {
        set_limit(RLIMIT_NPROC, (rlim_t)options->processes + OWN_PROCESSES, "processes");
    }
}

// The number after a name in /proc/PID/status; 0 if it is missing.
static long long value_of(const char *status, const char *name) {
    const char *found = strstr(status, name);
    return found != NULL ? atoll(found + strlen(name)) : 0;
}

static void add_process(const char *process, long long *memory, long *processes) {
    char path[64], status[4096];
    snprintf(path, sizeof path, "/proc/%.20s/status", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return;
    }
    ssize_t length = read(file, status, sizeof status - 1);
    close(file);
    status[length > 0 ? length : 0] = '\0';
    *memory += 1024 * (value_of(status, "\nRssAnon:") + value_of(status, "\nRssShmem:") + value_of(status, "\nVmSwap:"));
    *processes += (long)value_of(status, "\nThreads:");
}

// Files there are in memory, and so are their names.
static long long temporary_memory(void) {
    struct statvfs facts;
    if (statvfs("/tmp", &facts) != 0) {
        return 0;
    }
    return (long long)(facts.f_blocks - facts.f_bfree) * (long long)facts.f_frsize +
           (long long)(facts.f_files - facts.f_ffree) * BYTES_PER_FILE;
}

const char *exceeded_limit(const struct host_options *options) {
    static long long last;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long milliseconds = now.tv_sec * 1000LL + now.tv_nsec / 1000000;
    if (last != 0 && milliseconds - last < USAGE_INTERVAL) {
        return NULL;
    }
    last = milliseconds;
    DIR *directory = opendir("/proc");
    if (directory == NULL) {
        return NULL;
    }
    long long memory = temporary_memory();
    long processes = -OWN_PROCESSES;
    for (struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (isdigit((unsigned char)entry->d_name[0])) {
            add_process(entry->d_name, &memory, &processes);
        }
    }
    closedir(directory);
    if (options->memory > 0 && memory > options->memory) {
        return "memory";
    }
    // Only matters for users whom the kernel does not hold to RLIMIT_NPROC, such as root.
    return options->processes > 0 && processes > options->processes + OWN_PROCESSES ? "processes" : NULL;
}

void enter_group(char **arguments) {
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/cgroup.procs", arguments[2]);
    int group = length < (int)sizeof path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    if (group < 0 || write(group, "0", 1) != 1) {
        fail(EXIT_SYSTEM, "the control group %s cannot be entered: %s", arguments[2], strerror(errno));
    }
    close(group);
    execv(arguments[4], &arguments[4]);
    fail(EXIT_SYSTEM, "%s cannot be started: %s", arguments[4], strerror(errno));
}
