// The parts of docent-extension-host, in the order in which main() uses them.
#ifndef DOCENT_EXTENSION_HOST_H
#define DOCENT_EXTENSION_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Exit codes of the host itself; every other code is what the plugin returned, and 128 + n stands for signal n.
enum {
    EXIT_MISSING_LAYER = 5,
    EXIT_USAGE = 64,
    EXIT_LIBRARY = 66,
    EXIT_SYMBOL = 67,
    EXIT_SYSTEM = 71,
};

struct path_list {
    const char **paths;
    size_t count;
};

struct host_options {
    const char *library;
    int socket;
    int lifeline;
    bool network;
    bool change_modes;
    bool loopback_listener;
    bool unsandboxed;
    bool check;
    bool watch;
    // Bytes of memory, processes with their threads, and the step down in priority; 0 for none.
    long long memory;
    long processes;
    int nice;
    struct path_list read_write;
    struct path_list read_only;
    struct path_list spawn;
    // The one process that the calling one may end with kill; 0 in the plugin's own process, which may end none.
    pid_t plugin;
};

// Writes "docent-extension-host: <sentence>" to stderr and exits.
_Noreturn void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Sends one line to the daemon on the lifeline; without anybody listening it does nothing.
void report(int lifeline, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct host_options parse_arguments(int count, char **arguments);

// Signals, descriptors, environment, limits and, in a sandbox, keys and priority as if nobody had been here before.
void clean_process(const struct host_options *options);

// The kernel's own limits for the plugin and all that it starts: a lower priority, memory, processes.
void limit_plugin(const struct host_options *options);

// What all processes of the pid namespace use, looked at from time to time by its first one. Returns the name of the
// limit that they exceed, or NULL. Looks at most once in USAGE_INTERVAL milliseconds.
const char *exceeded_limit(const struct host_options *options);
enum { USAGE_INTERVAL = 250 };

// Enters a control group and becomes another program: `--enter GROUP -- PROGRAM ...`.
_Noreturn void enter_group(char **arguments);

// Splits off the process that will hold the plugin and returns in it. The calling process stays behind as its
// supervisor, watches the lifeline, and never returns.
void start_supervised(const struct host_options *options);

// Makes the one socket that listens on 127.0.0.1, on a port that the kernel chooses, and names its descriptor in the
// environment as DOCENT_LOOPBACK_LISTENER. Behind the closed sandbox nothing can bind or listen.
void open_loopback_listener(void);

// Closes Landlock around the calling thread. Returns the version of the kernel's interface, 0 where there is none.
int close_landlock(const struct host_options *options);

// Closes seccomp around the calling thread; refuses to go on (EXIT_MISSING_LAYER) where it cannot. With `watch` some
// calls are not answered before the supervisor has told of them; where the kernel cannot have that they are refused
// without a word.
void close_seccomp(const struct host_options *options);

// Watching, in turn: before the processes part; in the plugin's, with the kernel's listener, or -1 where there is none;
// in the supervisor, what it has to poll (-1: nothing any more) and what it does when something is there to be read.
void prepare_watch(void);
void give_watch(int descriptor);
void begin_watch(void);
int watched_descriptor(void);
void serve_watch(const struct host_options *options);

// Loads the library, calls its entry point and exits with what that returned.
_Noreturn void run_plugin(const struct host_options *options);

#endif
