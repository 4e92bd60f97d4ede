#include "host.h"

#include <CConfinement.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

static const char *const allowed_variables[] = {
    "PATH", "LANG", "LANGUAGE", "TZ", "HOME", "TMPDIR", "SWIFT_BACKTRACE", "XDG_DOCUMENTS_DIR",
};

static const char *const proxy_variables[] = {
    "ALL_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy", "http_proxy", "https_proxy", "no_proxy",
};

static bool is_named(const char *entry, const char *name) {
    size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

static bool is_allowed(const char *entry, bool network) {
    for (size_t index = 0; index < sizeof allowed_variables / sizeof *allowed_variables; index++) {
        if (is_named(entry, allowed_variables[index])) {
            return true;
        }
    }
    for (size_t index = 0; network && index < sizeof proxy_variables / sizeof *proxy_variables; index++) {
        if (is_named(entry, proxy_variables[index])) {
            return true;
        }
    }
    return strncmp(entry, "LC_", 3) == 0;
}

static void reset_signals(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) {
        // SIGKILL, SIGSTOP and the two signals that the C library reserves cannot be set, and need no reset.
        (void)sigaction(number, &standard, NULL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_range_or_fail(unsigned first, unsigned last) {
    if (first <= last && syscall(SYS_close_range, first, last, 0) != 0) {
        fail(EXIT_MISSING_LAYER, "close_range is not available (%s); Linux 5.9 or newer is needed", strerror(errno));
    }
}

static void close_other_descriptors(int one, int other) {
    unsigned lower = (unsigned)(one < other ? one : other);
    unsigned upper = (unsigned)(one < other ? other : one);
    close_range_or_fail(3, lower - 1);
    close_range_or_fail(lower + 1, upper - 1);
    close_range_or_fail(upper + 1, ~0U);
}

static void limit(int resource, rlim_t most, const char *name) {
    struct rlimit current;
    if (getrlimit((__rlimit_resource_t)resource, &current) == 0 && current.rlim_max != RLIM_INFINITY &&
        current.rlim_max < most) {
        most = current.rlim_max;
    }
    struct rlimit wanted = {.rlim_cur = most, .rlim_max = most};
    if (setrlimit((__rlimit_resource_t)resource, &wanted) != 0) {
        fail(EXIT_SYSTEM, "the limit for %s cannot be set: %s", name, strerror(errno));
    }
}

static void leave_the_daemons_session(void) {
    int result = confinement_leave_session_keyring();
    if (result != 0) {
        fail(EXIT_MISSING_LAYER, "the keys of the daemon's session cannot be left behind: %s", strerror(-result));
    }
    confinement_reset_thread();
    confinement_limit_process(0);
}

void clean_process(const struct host_options *options) {
    reset_signals();
    if (!options->unsandboxed) {
        leave_the_daemons_session();
    }
    // The plugin's standard output goes to the daemon's log, too.
    dup2(STDERR_FILENO, STDOUT_FILENO);
    close_other_descriptors(options->socket, options->lifeline);
    char **kept = environ;
    for (char **entry = environ; *entry != NULL; entry++) {
        if (is_allowed(*entry, options->network)) {
            *kept++ = *entry;
        }
    }
    *kept = NULL;
    limit(RLIMIT_NOFILE, 256, "open files");
    limit(RLIMIT_CORE, 0, "core files");
}
