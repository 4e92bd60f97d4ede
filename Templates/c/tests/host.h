// What the tests need to play the host: the extension on a thread, at the other end of a socket pair.
#ifndef HOST_H
#define HOST_H

#include <pthread.h>

#include "wire.h"

// Ends the program unless it holds.
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
void check(bool holds, const char *text, const char *file, int line);

struct host {
    struct wire wire;
    pthread_t thread;
    int theirs; // the extension's end
    char storage[64];
};

// Starts the extension with a fresh storage folder, or with that of an earlier host.
void host_start(struct host *host, const char *storage);
// Hangs up, waits until the extension has ended, and removes the storage unless it is kept.
void host_end(struct host *host, bool keeps_storage);
// Says Initialize, with the default domain.
void host_introduce(struct host *host);
// A further connection, by Connect.
struct wire host_connect(struct host *host);

// A reply, for as long as its arena lives.
struct reply {
    struct arena arena;
    const struct json *message;
    const struct json *parameters;
};

// Sends a whole message, with descriptors beside its first byte; the NUL is added.
void send_message(struct wire *wire, const char *message, size_t length, const int *descriptors, size_t count);
// Calls a method of org.docent.FileProvider. `parameters` is JSON without the outer braces, in which ' stands for ".
// `more`: asks for progress.
void send_call(struct wire *wire, const char *method, bool more, const int *descriptors, size_t count, const char *parameters);
// The next message; `parameters` of it. False: the extension hung up.
bool next_reply(struct wire *wire, struct reply *reply);
void reply_end(struct reply *reply);

// A call and its one reply.
struct reply call(struct wire *wire, const char *method, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same with a descriptor.
struct reply call_with(struct wire *wire, int descriptor, const char *method, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Whether a reply is that error, without the interface's name.
bool is_error(const struct reply *reply, const char *error);
// A text of the parameters, or of the item in them; "" if it has none. In a buffer that four more calls leave alone.
const char *text_of(const struct reply *reply, const char *key);
int64_t integer_of(const struct reply *reply, const char *key);

// An unnamed file with some content.
int file_with(const void *bytes, size_t count);
// Whether the file has just that content.
bool file_has(int file, const void *bytes, size_t count);

#endif
