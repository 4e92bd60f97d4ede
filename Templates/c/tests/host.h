// Lets the tests act as the host: the extension runs on a thread, at the other end of a socket pair.
#ifndef HOST_H
#define HOST_H

#include <pthread.h>

#include "wire.h"

// Ends the program if the condition is false.
#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
void check(bool holds, const char *text, const char *file, int line);

struct host {
    struct wire wire;
    pthread_t thread;
    int theirs; // the extension's end
    char storage[64];
};

// Starts the extension with a new storage folder, or with that of an earlier host.
void host_start(struct host *host, const char *storage);
// Closes the connection, waits until the extension has ended, and removes the storage unless it is kept.
void host_end(struct host *host, bool keeps_storage);
// Calls Initialize with the default domain.
void host_introduce(struct host *host);
// Opens another connection with Connect.
struct wire host_connect(struct host *host);

// A reply, valid as long as its arena.
struct reply {
    struct arena arena;
    const struct json *message;
    const struct json *parameters;
};

// Sends a raw message with descriptors; the NUL is added.
void send_message(struct wire *wire, const char *message, size_t length, const int *descriptors, size_t count);
// Calls a method of org.docent.FileProvider. `parameters` is JSON without the outer braces, in which ' stands for ".
// `more`: asks for progress.
void send_call(struct wire *wire, const char *method, bool more, const int *descriptors, size_t count, const char *parameters);
// The next message and its `parameters`. False: the extension closed the connection.
bool next_reply(struct wire *wire, struct reply *reply);
void reply_end(struct reply *reply);

// A call and its one reply.
struct reply call(struct wire *wire, const char *method, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The same with a descriptor.
struct reply call_with(struct wire *wire, int descriptor, const char *method, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// Whether a reply is that error, given without the interface's name.
bool is_error(const struct reply *reply, const char *error);
// A text in the parameters or in their item; "" if there is none. Its buffer is reused by the fifth call.
const char *text_of(const struct reply *reply, const char *key);
int64_t integer_of(const struct reply *reply, const char *key);

// An unnamed file with some content.
int file_with(const void *bytes, size_t count);
// Whether the file has exactly that content.
bool file_has(int file, const void *bytes, size_t count);

#endif
