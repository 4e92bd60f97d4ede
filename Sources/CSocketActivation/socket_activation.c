#define _GNU_SOURCE
#include "socket_activation.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FIRST_PASSED = 3, REPORT = 4, WAITING_CONNECTIONS = 64 };

static const char process_key[] = "LISTEN_PID=";

struct plan {
    const char *program;
    char *const *arguments;
    char **environment;
    char *process_entry;
    int listener;
    int null_device;
    int report;
    pid_t parent;
    unsigned long memory;
};

// Runs between fork and exec in a process with threads, so only async-signal-safe functions are allowed.
static void write_number(char *text, unsigned value) {
    char digits[16];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) {
        *text++ = digits[--count];
    }
    *text = '\0';
}

static void reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < 65; number++) {
        (void)sigaction(number, &standard, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// All are first moved to high numbers, because each may have the target number of another.
static int place_descriptors(const struct plan *plan) {
    int listener = fcntl(plan->listener, F_DUPFD, 16);
    int report = fcntl(plan->report, F_DUPFD, 16);
    int null_device = fcntl(plan->null_device, F_DUPFD, 16);
    if (listener < 0 || report < 0 || null_device < 0) {
        return -1;
    }
    for (int standard = 0; standard < FIRST_PASSED; standard++) {
        if (dup2(null_device, standard) < 0) {
            return -1;
        }
    }
    if (dup2(listener, FIRST_PASSED) < 0 || dup3(report, REPORT, O_CLOEXEC) < 0) {
        return -1;
    }
    return (int)syscall(SYS_close_range, REPORT + 1, ~0U, 0);
}

static _Noreturn void become(const struct plan *plan) {
    reset_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct rlimit memory = {.rlim_cur = plan->memory, .rlim_max = plan->memory};
    int report = plan->report;
    if (getppid() == plan->parent && setrlimit(RLIMIT_DATA, &memory) == 0 && place_descriptors(plan) == 0) {
        report = REPORT;
        write_number(plan->process_entry + sizeof process_key - 1, (unsigned)getpid());
        execve(plan->program, plan->arguments, plan->environment);
    }
    int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
}

static int run(struct plan *plan, pid_t *process) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return errno;
    }
    plan->report = ends[1];
    plan->parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        become(plan);
    }
    int error = child < 0 ? errno : 0;
    close(ends[1]);
    if (child > 0) {
        ssize_t count;
        do {
            count = read(ends[0], &error, sizeof error);
        } while (count < 0 && errno == EINTR);
        if (count > 0) {
            waitpid(child, NULL, 0);
        } else {
            error = 0;
            *process = child;
        }
    }
    close(ends[0]);
    return error;
}

int csocket_activation_start(const char *program, char *const arguments[], char *const environment[], int listener,
                             unsigned long memory, pid_t *process) {
    size_t count = 0;
    while (environment[count] != NULL) {
        count++;
    }
    char entry[sizeof process_key + 16];
    memcpy(entry, process_key, sizeof process_key);
    char **entries = calloc(count + 3, sizeof *entries);
    int null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
    int error = entries == NULL || null_device < 0 ? errno : 0;
    if (error == 0) {
        memcpy(entries, environment, count * sizeof *entries);
        entries[count] = "LISTEN_FDS=1";
        entries[count + 1] = entry;
        struct plan plan = {
            .program = program, .arguments = arguments, .environment = entries, .process_entry = entry,
            .listener = listener, .null_device = null_device, .memory = memory,
        };
        error = run(&plan, process);
    }
    if (null_device >= 0) {
        close(null_device);
    }
    free(entries);
    return error;
}

int csocket_activation_listen(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener >= 0 && bind(listener, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(listener, WAITING_CONNECTIONS) == 0) {
        return listener;
    }
    int error = errno;
    if (listener >= 0) {
        close(listener);
    }
    return -error;
}

int csocket_activation_port(int listener) {
    struct sockaddr_in address = {0};
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        return -errno;
    }
    return address.sin_family == AF_INET ? ntohs(address.sin_port) : -EAFNOSUPPORT;
}
