// The parts of docent-extension-host, in the order in which main() uses them.
#ifndef DOCENT_EXTENSION_HOST_H
#define DOCENT_EXTENSION_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Exit codes of the host itself. Every other code is the plugin's return value, and 128 + n stands for signal n.
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
    // Bytes of memory, processes including their threads, and the reduction in priority; 0 for none.
    long long memory;
    long processes;
    int nice;
    struct path_list read_write;
    struct path_list read_only;
    struct path_list spawn;
    // The only process that this one may end with kill; 0 in the plugin's own process, which may end none.
    pid_t plugin;
};

// Writes "docent-extension-host: <sentence>" to stderr and exits.
_Noreturn void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Sends one line to the daemon on the lifeline; does nothing if nobody reads it.
void report(int lifeline, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct host_options parse_arguments(int count, char **arguments);

// Resets signals, descriptors, environment, limits and, in a sandbox, keys and priority, as if the process had
// inherited nothing.
void clean_process(const struct host_options *options);

// Sets the kernel's own limits for the plugin and everything that it starts: a lower priority, memory, processes.
void limit_plugin(const struct host_options *options);

// Checks the resource use of all processes in the pid namespace; called regularly by its first process. Returns the
// name of the limit that they exceed, or NULL. Checks at most once in USAGE_INTERVAL milliseconds.
const char *exceeded_limit(const struct host_options *options);
enum { USAGE_INTERVAL = 250 };

// Enters a control group and executes another program: `--enter GROUP -- PROGRAM ...`.
_Noreturn void enter_group(char **arguments);

// Forks the process that will hold the plugin and returns in it. The calling process stays behind as its supervisor,
// watches the lifeline, and never returns.
void start_supervised(const struct host_options *options);

// Creates the only socket that listens on 127.0.0.1, on a port that the kernel chooses, and stores its descriptor in
// the environment as DOCENT_LOOPBACK_LISTENER. Inside the active sandbox nothing can bind or listen.
void open_loopback_listener(void);

// Activates Landlock for the calling thread. Returns the version of the kernel's interface, 0 if there is none.
int close_landlock(const struct host_options *options);

// Activates seccomp for the calling thread; exits with EXIT_MISSING_LAYER if that fails. With `watch`, some calls are
// answered only after the supervisor has reported them; where the kernel does not support that, they are refused
// without a report.
void close_seccomp(const struct host_options *options);

// Watching, in three steps: before the processes are separated; in the plugin's process, with the kernel's listener, or
// -1 if there is none; in the supervisor, the descriptor to poll (-1: none any more) and the function to call when it
// is readable.
void prepare_watch(void);
void give_watch(int descriptor);
void begin_watch(void);
int watched_descriptor(void);
void serve_watch(const struct host_options *options);

// Loads the library, calls its entry point and exits with its return value.
_Noreturn void run_plugin(const struct host_options *options);

#endif
