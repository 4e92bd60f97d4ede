// Holds one extension. Everything here runs before the plugin's first instruction, in one thread: Landlock and seccomp
// bind the thread that activates them.
#include "host.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **arguments) {
    if (count > 4 && strcmp(arguments[1], "--enter") == 0 && strcmp(arguments[3], "--") == 0) {
        enter_group(arguments);
    }
    struct host_options options = parse_arguments(count, arguments);
    clean_process(&options);
    if (!options.unsandboxed) {
        // bubblewrap makes this program process 1 of its own pid namespace.
        if (getpid() != 1) {
            fail(EXIT_MISSING_LAYER, "bubblewrap is not around this process; it will not load an extension");
        }
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
            fail(EXIT_MISSING_LAYER, "no_new_privs cannot be set: %s", strerror(errno));
        }
    }
    start_supervised(&options);
    limit_plugin(&options);
    if (options.loopback_listener) {
        open_loopback_listener();
    }
    if (options.unsandboxed) {
        report(options.lifeline, "unsandboxed\n");
    } else {
        int landlock = close_landlock(&options);
        close_seccomp(&options);
        report(options.lifeline, "sandboxed %d\n", landlock);
    }
    close(options.lifeline);
    if (options.check) {
        _exit(0);
    }
    run_plugin(&options);
}
