#include "host.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void check(bool holds, const char *text, const char *file, int line) {
    if (!holds) {
        fprintf(stderr, "%s:%d: this does not hold: %s\n", file, line, text);
        _exit(1);
    }
}

static void *run_extension(void *argument) {
    struct host *host = argument;
    struct docent_extension_context_v1 context = {.size = sizeof context, .socket = host->theirs};
    return (void *)(intptr_t)docent_extension_main_v1(&context);
}

void host_start(struct host *host, const char *storage) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    if (storage != NULL) {
        snprintf(host->storage, sizeof host->storage, "%s", storage);
    } else {
        strcpy(host->storage, "/tmp/docent-template-XXXXXX");
        CHECK(mkdtemp(host->storage) != NULL);
    }
    host->wire = wire_make(ends[0]);
    host->theirs = ends[1];
    CHECK(pthread_create(&host->thread, NULL, run_extension, host) == 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void host_end(struct host *host, bool keeps_storage) {
    void *result;
    wire_end(&host->wire);
    CHECK(pthread_join(host->thread, &result) == 0);
    CHECK(result == NULL);
    if (!keeps_storage) {
        CHECK(nftw(host->storage, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0);
    }
}

void host_introduce(struct host *host) {
    struct reply reply = call(
        &host->wire, "Initialize",
        "'version': 1, 'provider': '@IDENTIFIER@', 'point': 'com.apple.fileprovider-nonui', 'principalClass': '@NAME@.Provider', "
        "'displayName': 'Test', 'domains': [{'identifier': '', 'displayName': 'Test', 'storage': '%s'}]",
        host->storage);
    CHECK(json_member(reply.parameters, "features") != NULL);
    reply_end(&reply);
}

struct wire host_connect(struct host *host) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    struct reply reply = call_with(&host->wire, ends[1], "Connect", "'socket': 0");
    CHECK(reply.parameters != NULL);
    reply_end(&reply);
    close(ends[1]);
    return wire_make(ends[0]);
}

void send_message(struct wire *wire, const char *message, size_t length, const int *descriptors, size_t count) {
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int) * 64)] = {0};
    char *bytes = malloc(length + 1);
    CHECK(bytes != NULL && count <= 64);
    memcpy(bytes, message, length);
    bytes[length] = 0;
    struct iovec part = {.iov_base = bytes, .iov_len = length + 1};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        header.msg_control = control;
        header.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(rights), descriptors, sizeof(int) * count);
    }
    // If the peer has closed the connection, this is not a failure of the test.
    ssize_t sent = sendmsg(wire->socket, &header, MSG_NOSIGNAL);
    while (sent >= 0 && (size_t)sent < length + 1) {
        ssize_t more = send(wire->socket, bytes + sent, length + 1 - (size_t)sent, MSG_NOSIGNAL);
        sent = more < 0 ? -1 : sent + more;
    }
    free(bytes);
}

void send_call(
    struct wire *wire, const char *method, bool more, const int *descriptors, size_t count, const char *parameters) {
    struct buffer message = {0};
    char head[200];
    snprintf(
        head, sizeof head, "{\"method\":\"org.docent.FileProvider.%s\",\"more\":%s,\"parameters\":{", method,
        more ? "true" : "false");
    buffer_add(&message, head, strlen(head));
    for (const char *character = parameters; *character != 0; character++) {
        buffer_add(&message, *character == '\'' ? "\"" : character, 1);
    }
    buffer_add(&message, "}}", 2);
    send_message(wire, message.bytes, message.length, descriptors, count);
    buffer_end(&message);
}

bool next_reply(struct wire *wire, struct reply *reply) {
    struct docent_text bytes;
    *reply = (struct reply){.arena = {.block = NULL}};
    if (!wire_receive(wire, &bytes)) {
        return false;
    }
    reply->message = json_read(&reply->arena, bytes.bytes, bytes.length);
    CHECK(reply->message != NULL);
    reply->parameters = json_member(reply->message, "parameters");
    return true;
}

void reply_end(struct reply *reply) { arena_end(&reply->arena); }

static struct reply call_formatted(
    struct wire *wire, const int *descriptors, size_t count, const char *method, const char *format, va_list arguments) {
    char *parameters;
    struct reply reply;
    CHECK(vasprintf(&parameters, format, arguments) >= 0);
    send_call(wire, method, false, descriptors, count, parameters);
    free(parameters);
    CHECK(next_reply(wire, &reply));
    return reply;
}

struct reply call(struct wire *wire, const char *method, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct reply reply = call_formatted(wire, NULL, 0, method, format, arguments);
    va_end(arguments);
    return reply;
}

struct reply call_with(struct wire *wire, int descriptor, const char *method, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    struct reply reply = call_formatted(wire, &descriptor, 1, method, format, arguments);
    va_end(arguments);
    return reply;
}

bool is_error(const struct reply *reply, const char *error) {
    const struct json *name = json_member(reply->message, "error");
    size_t length = strlen(error);
    return name != NULL && name->string.length > length &&
           memcmp(name->string.bytes + name->string.length - length, error, length) == 0 &&
           name->string.bytes[name->string.length - length - 1] == '.';
}

static const struct json *find(const struct reply *reply, const char *key) {
    const struct json *found = json_member(reply->parameters, key);
    return found != NULL ? found : json_member(json_member(reply->parameters, "item"), key);
}

const char *text_of(const struct reply *reply, const char *key) {
    static char texts[5][1024];
    static int next;
    next = (next + 1) % 5;
    const struct json *found = find(reply, key);
    size_t length = found != NULL && found->kind == JSON_STRING ? found->string.length : 0;
    CHECK(length < sizeof texts[0]);
    if (length > 0) {
        memcpy(texts[next], found->string.bytes, length);
    }
    texts[next][length] = 0;
    return texts[next];
}

int64_t integer_of(const struct reply *reply, const char *key) {
    const struct json *found = find(reply, key);
    return found != NULL && found->kind == JSON_INTEGER ? found->integer : -1;
}

int file_with(const void *bytes, size_t count) {
    int file = memfd_create("content", MFD_CLOEXEC);
    CHECK(file >= 0);
    CHECK(pwrite(file, bytes, count, 0) == (ssize_t)count);
    return file;
}

bool file_has(int file, const void *bytes, size_t count) {
    struct stat status;
    CHECK(fstat(file, &status) == 0);
    char *found = malloc(count + 1);
    CHECK(found != NULL);
    bool is_same = (size_t)status.st_size == count && pread(file, found, count, 0) == (ssize_t)count &&
                   memcmp(found, bytes, count) == 0;
    free(found);
    return is_same;
}
