// A hostile provider: the setting `mode` of its domain selects the fault of every call after Initialize and Connect.
// For the tests of the validator; it implements only as much of the message protocol as that needs.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "docent_extension.h"

enum { LONGEST = 1 << 20 };

static char mode[32];
static char storage[4096];

// MARK: Messages

static int send_all(int socket, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent <= 0) {
            return -1;
        }
        bytes += sent;
        count -= (size_t)sent;
    }
    return 0;
}

static int say(int socket, const char *text) { return send_all(socket, text, strlen(text) + 1); }

static int send_descriptors(int socket, const char *text, int count) {
    int descriptors[200];
    char control[CMSG_SPACE(sizeof descriptors)];
    memset(control, 0, sizeof control);
    for (int index = 0; index < count; index++) {
        descriptors[index] = STDERR_FILENO;
    }
    struct iovec part = {.iov_base = (void *)text, .iov_len = strlen(text) + 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
    memcpy(CMSG_DATA(header), descriptors, sizeof(int) * (size_t)count);
    return sendmsg(socket, &message, MSG_NOSIGNAL) < 0 ? -1 : 0;
}

// Reads one message; its last descriptor is stored in `passed`, or -1.
static int hear(int socket, char *text, int *passed) {
    size_t length = 0;
    *passed = -1;
    while (length < LONGEST) {
        char control[CMSG_SPACE(sizeof(int) * 8)];
        struct iovec part = {.iov_base = text + length, .iov_len = 1};
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return -1;
        }
        for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header != NULL; header = CMSG_NXTHDR(&message, header)) {
            if (header->cmsg_type == SCM_RIGHTS) {
                memcpy(passed, CMSG_DATA(header), sizeof(int));
            }
        }
        if (text[length++] == 0) {
            return 0;
        }
    }
    return -1;
}

static void copy_value(const char *message, const char *key, char *value, size_t size) {
    const char *found = strstr(message, key);
    value[0] = 0;
    if (found == NULL) {
        return;
    }
    found += strlen(key);
    size_t length = 0;
    while (found[length] != '"' && found[length] != 0 && length + 1 < size) {
        // The host escapes a slash as \/ or not at all.
        value[length] = found[length];
        length++;
    }
    value[length] = 0;
}

// MARK: Misdeeds

static void long_text(int socket, size_t count) {
    char piece[1 << 16];
    memset(piece, 'x', sizeof piece);
    send_all(socket, "{\"parameters\":{\"item\":\"", 23);
    while (count > 0 && send_all(socket, piece, sizeof piece) == 0) {
        count -= count < sizeof piece ? count : sizeof piece;
    }
    say(socket, "\"}}");
}

static void fill_memory(void) {
    for (;;) {
        size_t count = 64 << 20;
        char *memory = malloc(count);
        if (memory == NULL) {
            usleep(1000);
            continue;
        }
        memset(memory, 0x55, count);
        usleep(2000);
    }
}

static void fill_disk(void) {
    static char piece[1 << 20];
    char path[4200];
    snprintf(path, sizeof path, "%s/hog", storage);
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    memset(piece, 0x55, sizeof piece);
    while (file >= 0 && write(file, piece, sizeof piece) > 0) {
    }
    for (;;) {
        pause();
    }
}

static void breed(void) {
    for (int count = 0; count < 60; count++) {
        if (fork() == 0) {
            sigset_t all;
            sigfillset(&all);
            sigprocmask(SIG_SETMASK, &all, NULL);
            setsid();
            for (;;) {
                pause();
            }
        }
    }
}

static void *drown(void *unused) {
    char piece[4096];
    memset(piece, 'e', sizeof piece);
    while (write(STDERR_FILENO, piece, sizeof piece) != 0) {
    }
    return unused;
}

static int recurse(volatile int depth) {
    volatile char frame[4096];
    frame[0] = (char)depth;
    return depth < 0 ? 0 : recurse(depth + 1) + frame[0];
}

static int is(const char *name) { return strcmp(mode, name) == 0; }

// Answers any request; -1 ends the connection.
static int answer(int socket, const char *message) {
    static _Atomic int counter;
    char text[512];
    if (is("long")) {
        long_text(socket, 100 << 20);
    } else if (is("deep")) {
        char *nest = malloc(900000);
        memset(nest, '[', 899999);
        nest[899999] = 0;
        int result = say(socket, nest);
        free(nest);
        return result;
    } else if (is("name")) {
        char *name = malloc(LONGEST);
        int length = snprintf(name, LONGEST, "{\"parameters\":{\"items\":[{\"identifier\":\"i\",\"parent\":\".root\",\"name\":\"");
        memset(name + length, 'n', 900000);
        snprintf(name + length + 900000, 64, "\",\"isFolder\":false}]}}");
        int result = say(socket, name);
        free(name);
        return result;
    } else if (is("stream")) {
        while (say(socket, "{\"parameters\":{\"completedBytes\":1,\"totalBytes\":2},\"continues\":true}") == 0) {
        }
        return -1;
    } else if (is("pages")) {
        snprintf(text, sizeof text, "{\"parameters\":{\"items\":[],\"nextPage\":\"%d\"}}", counter++);
        return say(socket, text);
    } else if (is("uncalled")) {
        for (int count = 0; count < 1000; count++) {
            say(socket, "{\"parameters\":{}}");
        }
        return 0;
    } else if (is("descriptors")) {
        for (int count = 0; count < 50; count++) {
            if (send_descriptors(socket, "{\"parameters\":{}}", 200) != 0) {
                return -1;
            }
        }
        return 0;
    } else if (is("stop")) {
        // In a sandbox no process can signal it, so it does not wake up either way.
        raise(SIGSTOP);
        for (;;) {
            pause();
        }
    } else if (is("memory")) {
        fill_memory();
    } else if (is("disk")) {
        fill_disk();
    } else if (is("breed")) {
        breed();
    } else if (is("overflow")) {
        return recurse(0);
    } else if (is("abort")) {
        abort();
    } else if (is("exit")) {
        _exit(3);
    } else if (is("mute")) {
        close(STDOUT_FILENO);
        close(STDERR_FILENO);
        return -1;
    } else if (is("drown")) {
        pthread_t thread;
        pthread_create(&thread, NULL, drown, NULL);
        drown(NULL);
    } else if (is("undying")) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (;;) {
            pause();
        }
    }
    (void)message;
    return say(socket, "{\"error\":\"org.docent.FileProvider.Failed\",\"parameters\":{\"message\":\"Not today.\"}}");
}

// MARK: Serving

static void serve(int socket);

static void *serve_thread(void *argument) {
    serve((int)(long)argument);
    return NULL;
}

static void serve(int socket) {
    char *message = malloc(LONGEST + 1);
    int passed;
    while (message != NULL && hear(socket, message, &passed) == 0) {
        if (strstr(message, "FileProvider.Initialize\"") != NULL) {
            copy_value(message, "\"mode\":\"", mode, sizeof mode);
            copy_value(message, "\"storage\":\"", storage, sizeof storage);
            if (is("init")) {
                say(socket, "{\"parameters\":{\"sdk\":1}}");
                continue;
            }
            say(socket, "{\"parameters\":{\"sdk\":\"hostile\",\"features\":[\"write\",\"delete\",\"changes\"]}}");
        } else if (strstr(message, "FileProvider.Connect\"") != NULL && passed >= 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, serve_thread, (void *)(long)passed);
            pthread_detach(thread);
            say(socket, "{\"parameters\":{}}");
        } else if (answer(socket, message) != 0) {
            break;
        }
    }
    free(message);
    shutdown(socket, SHUT_RDWR);
    close(socket);
}

int32_t docent_extension_main_v1(const struct docent_extension_context_v1 *context) {
    serve(context->socket);
    if (is("undying") || is("breed")) {
        // A closed connection is ignored.
        for (;;) {
            pause();
        }
    }
    return 0;
}
