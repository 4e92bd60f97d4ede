#include "host.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "docent_extension.h"

typedef int32_t (*entry_point)(const struct docent_extension_context_v1 *context);

static const char *loader_message(void) {
    const char *message = dlerror();
    return message != NULL ? message : "no reason given";
}

void run_plugin(const struct host_options *options) {
    // The host closes a pipe when it needs no more of some content. That must not end the extension.
    (void)signal(SIGPIPE, SIG_IGN);
    void *library = dlopen(options->library, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail(EXIT_LIBRARY, "the library cannot be loaded: %s", loader_message());
    }
    // POSIX's way to turn an object pointer into a function pointer.
    entry_point entry = NULL;
    *(void **)&entry = dlsym(library, "docent_extension_main_v1");
    if (entry == NULL) {
        fail(EXIT_SYMBOL, "the library is not an extension: %s", loader_message());
    }
    struct docent_extension_context_v1 context = {.size = sizeof context, .socket = options->socket};
    int32_t code = entry(&context);
    fflush(NULL);
    // Not exit: other threads of the plugin may still be running, and the library is never unloaded.
    _exit(code);
}
