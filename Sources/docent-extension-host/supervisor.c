// The supervisor is process 1 of the sandbox's pid namespace: when it ends, the kernel kills everything else in it. It
// is separate from the plugin's process, so a plugin that hangs, is stopped or lies can neither miss the end of the
// lifeline nor forge the report of how it ended.
#define _GNU_SOURCE
#include "host.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void kill_children_of_this_process(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "re");
    if (children == NULL) {
        return;
    }
    int child;
    while (fscanf(children, "%d", &child) == 1) {
        kill(child, SIGKILL);
    }
    fclose(children);
}

// Only used without a pid namespace. As a subreaper this process inherits orphans, so the loop ends with the last of
// them.
static void kill_descendants(pid_t plugin) {
    kill(-plugin, SIGKILL);
    do {
        kill_children_of_this_process();
        while (waitpid(-1, NULL, WNOHANG) > 0) {
        }
        poll(NULL, 0, 1);
    } while (waitpid(-1, NULL, WNOHANG) == 0 || errno != ECHILD);
}

static _Noreturn void end(const struct host_options *options, pid_t plugin, int code) {
    if (options->unsandboxed) {
        kill_descendants(plugin);
    }
    _exit(code);
}

static _Noreturn void end_as_plugin(const struct host_options *options, pid_t plugin, int status) {
    if (WIFSIGNALED(status)) {
        report(options->lifeline, "signalled %d\n", WTERMSIG(status));
        end(options, plugin, 128 + WTERMSIG(status));
    }
    report(options->lifeline, "exited %d\n", WEXITSTATUS(status));
    end(options, plugin, WEXITSTATUS(status));
}

static void reap(const struct host_options *options, pid_t plugin) {
    int status;
    pid_t child;
    while ((child = waitpid(-1, &status, WNOHANG)) > 0) {
        if (child == plugin) {
            end_as_plugin(options, plugin, status);
        }
    }
}

// A dying process closes its sockets first, so the daemon may hang up before there is a status to collect. This kill
// only affects processes that are still alive; any other cause of the plugin's end is reported as such.
static _Noreturn void end_with_lifeline(const struct host_options *options, pid_t plugin) {
    int status;
    pid_t ended = 0;
    reap(options, plugin);
    if (kill(plugin, SIGKILL) == 0) {
        while ((ended = waitpid(plugin, &status, 0)) < 0 && errno == EINTR) {
        }
    }
    if (ended == plugin && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)) {
        end_as_plugin(options, plugin, status);
    }
    end(options, plugin, 0);
}

static bool lifeline_ended(int lifeline, short events) {
    if (events & (POLLHUP | POLLERR | POLLNVAL)) {
        return true;
    }
    char ignored[64];
    ssize_t count = (events & POLLIN) ? read(lifeline, ignored, sizeof ignored) : 1;
    return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

// Without a pid namespace, /proc shows the processes of all users.
static bool limits_are_watched(const struct host_options *options) {
    return !options->unsandboxed && (options->memory > 0 || options->processes > 0);
}

static _Noreturn void supervise(const struct host_options *options, pid_t plugin, int signals) {
    struct pollfd watched[] = {
        {.fd = options->lifeline, .events = POLLIN},
        {.fd = signals, .events = POLLIN},
        {.fd = -1, .events = POLLIN},
    };
    for (;;) {
        watched[2].fd = watched_descriptor();
        if (poll(watched, 3, limits_are_watched(options) ? USAGE_INTERVAL : -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            end(options, plugin, EXIT_SYSTEM);
        }
        if (watched[1].revents & POLLIN) {
            struct signalfd_siginfo ignored;
            (void)!read(signals, &ignored, sizeof ignored);
            reap(options, plugin);
        }
        if (watched[2].revents != 0) {
            serve_watch(options);
        }
        const char *limit = limits_are_watched(options) ? exceeded_limit(options) : NULL;
        if (limit != NULL) {
            report(options->lifeline, "exceeded %s\n", limit);
            end(options, plugin, 128 + SIGKILL);
        }
        if (watched[0].revents != 0 && lifeline_ended(options->lifeline, watched[0].revents)) {
            end_with_lifeline(options, plugin);
        }
    }
}

static void become_plugin_process(const struct host_options *options, pid_t supervisor, const sigset_t *signals) {
    sigprocmask(SIG_UNBLOCK, signals, NULL);
    // The signal is sent when the parent's thread ends, not its process; the supervisor has only one thread.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) {
        _exit(EXIT_SYSTEM);
    }
    if (options->unsandboxed) {
        setpgid(0, 0);
    }
}

void start_supervised(const struct host_options *options) {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ended, NULL);
    int signals = signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) {
        fail(EXIT_SYSTEM, "signals cannot be watched: %s", strerror(errno));
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t supervisor = getpid();
    if (options->watch) {
        prepare_watch();
    }
    pid_t plugin = fork();
    if (plugin < 0) {
        fail(EXIT_SYSTEM, "the process for the plugin cannot be started: %s", strerror(errno));
    }
    if (plugin == 0) {
        close(signals);
        become_plugin_process(options, supervisor, &child_ended);
        return;
    }
    close(options->socket);
    begin_watch();
    // The kernel tells the daemon who sent this, and thereby which process to watch and to end.
    report(options->lifeline, "supervised\n");
    if (options->unsandboxed) {
        setpgid(plugin, plugin);
    } else {
        // Not dumpable: the plugin, which has the same user, cannot open this process's memory in /proc.
        prctl(PR_SET_DUMPABLE, 0);
        struct host_options own = *options;
        own.watch = false;
        own.plugin = plugin;
        close_seccomp(&own);
    }
    supervise(options, plugin, signals);
}
