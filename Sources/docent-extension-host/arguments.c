#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>

enum option_key {
    OPTION_LIBRARY = 1,
    OPTION_SOCKET,
    OPTION_LIFELINE,
    OPTION_NETWORK,
    OPTION_CHANGE_MODES,
    OPTION_READ_WRITE,
    OPTION_READ_ONLY,
    OPTION_SPAWN,
    OPTION_LOOPBACK_LISTENER,
    OPTION_UNSANDBOXED,
    OPTION_CHECK,
    OPTION_WATCH,
    OPTION_MEMORY,
    OPTION_PROCESSES,
    OPTION_NICE,
};

static const struct option known_options[] = {
    {"library", required_argument, NULL, OPTION_LIBRARY},
    {"socket", required_argument, NULL, OPTION_SOCKET},
    {"lifeline", required_argument, NULL, OPTION_LIFELINE},
    {"network", no_argument, NULL, OPTION_NETWORK},
    {"change-modes", no_argument, NULL, OPTION_CHANGE_MODES},
    {"read-write", required_argument, NULL, OPTION_READ_WRITE},
    {"read-only", required_argument, NULL, OPTION_READ_ONLY},
    {"spawn", required_argument, NULL, OPTION_SPAWN},
    {"loopback-listener", no_argument, NULL, OPTION_LOOPBACK_LISTENER},
    {"unsandboxed", no_argument, NULL, OPTION_UNSANDBOXED},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"watch", no_argument, NULL, OPTION_WATCH},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"processes", required_argument, NULL, OPTION_PROCESSES},
    {"nice", required_argument, NULL, OPTION_NICE},
    {NULL, 0, NULL, 0},
};

static const char *absolute_path(const char *text) {
    if (text[0] != '/') {
        fail(EXIT_USAGE, "the path '%s' is not absolute", text);
    }
    return text;
}

static void append(struct path_list *list, const char *path, int capacity) {
    if (list->paths == NULL) {
        list->paths = calloc((size_t)capacity, sizeof *list->paths);
        if (list->paths == NULL) {
            fail(EXIT_SYSTEM, "out of memory");
        }
    }
    list->paths[list->count++] = absolute_path(path);
}

static int open_descriptor(const char *name, const char *text) {
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 3 || value > INT_MAX) {
        fail(EXIT_USAGE, "--%s wants the number of an open descriptor above 2, not '%s'", name, text);
    }
    if (fcntl((int)value, F_GETFD) < 0) {
        fail(EXIT_USAGE, "--%s names the descriptor %ld, which is not open", name, value);
    }
    return (int)value;
}

static long long number(const char *name, const char *text, long long most) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || value < 1 || value > most) {
        fail(EXIT_USAGE, "--%s wants a number from 1 to %lld, not '%s'", name, most, text);
    }
    return value;
}

struct host_options parse_arguments(int count, char **arguments) {
    struct host_options options = {.socket = -1, .lifeline = -1};
    opterr = 0;
    int key;
    // The leading + stops at the first argument that is not an option.
    while ((key = getopt_long(count, arguments, "+", known_options, NULL)) != -1) {
        switch (key) {
        case OPTION_LIBRARY: options.library = absolute_path(optarg); break;
        case OPTION_SOCKET: options.socket = open_descriptor("socket", optarg); break;
        case OPTION_LIFELINE: options.lifeline = open_descriptor("lifeline", optarg); break;
        case OPTION_NETWORK: options.network = true; break;
        case OPTION_CHANGE_MODES: options.change_modes = true; break;
        case OPTION_READ_WRITE: append(&options.read_write, optarg, count); break;
        case OPTION_READ_ONLY: append(&options.read_only, optarg, count); break;
        case OPTION_SPAWN: append(&options.spawn, optarg, count); break;
        case OPTION_LOOPBACK_LISTENER: options.loopback_listener = true; break;
        case OPTION_UNSANDBOXED: options.unsandboxed = true; break;
        case OPTION_CHECK: options.check = true; break;
        case OPTION_WATCH: options.watch = true; break;
        case OPTION_MEMORY: options.memory = number("memory", optarg, LLONG_MAX / 4); break;
        case OPTION_PROCESSES: options.processes = (long)number("processes", optarg, 1 << 22); break;
        case OPTION_NICE: options.nice = (int)number("nice", optarg, 19); break;
        default: fail(EXIT_USAGE, "unknown option or missing value: '%s'", arguments[optind - 1]);
        }
    }
    if (optind != count) {
        fail(EXIT_USAGE, "unexpected argument '%s'", arguments[optind]);
    }
    if (options.lifeline < 0 || options.socket < 0 || options.socket == options.lifeline) {
        fail(EXIT_USAGE, "--socket and --lifeline must name two descriptors");
    }
    if (options.library == NULL && !options.check) {
        fail(EXIT_USAGE, "--library is missing");
    }
    return options;
}
