#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

void fail(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("docent-extension-host: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    fflush(stderr);
    _exit(code);
}

void report(int lifeline, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < sizeof line) {
        // The daemon may be gone, or may have passed a plain pipe: then the report is lost.
        (void)!send(lifeline, line, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}
