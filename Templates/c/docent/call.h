// One running call: its parameters, and the answer so far.
#ifndef DOCENT_CALL_H
#define DOCENT_CALL_H

#include "wire.h"

#define DOCENT_INTERFACE "org.docent.FileProvider"

struct attempt;

struct docent_call {
    const struct docent_provider *provider;
    struct server *server;
    struct wire *wire;
    struct arena *arena;
    void *state;                 // of the domain
    const struct json *settings; // of the domain
    const struct json *parameters;
    bool wants_more;
    bool is_cancelled;

    // The answer.
    struct buffer items; // objects, separated by commas
    int item_count;
    struct buffer deleted;
    struct docent_text next;
    struct docent_text anchor;
    bool has_more;
    struct buffer needed; // paths, separated by commas
    struct docent_text conflict;
    struct docent_text account;
    struct buffer error; // a whole message, if the call has failed

    // Data that comes with content.
    int thumbnail; // less than 0: none
    const struct json *metadata;

    // The sign-in attempt; NULL in other calls.
    struct attempt *attempt;

    // Content that is sent or received.
    int content; // less than 0: none
    bool has_begun;
    int64_t beginning;
    int64_t position;
    int64_t total;     // less than 0: unknown
    int64_t told;      // already reported to the host
    int64_t resumable; // bytes that are present already
};

// Makes the call fail with an error other than those of the interface.
bool call_refuse(struct docent_call *call, const char *error, const char *key, struct docent_text value);

// Parameters. False: a parameter is invalid, and the call has failed. Missing optional parameters leave the result
// unchanged.
bool call_text(struct docent_call *call, const char *key, bool is_required, struct docent_text *value);
bool call_integer(struct docent_call *call, const char *key, bool is_required, int64_t *value);
bool call_flag(struct docent_call *call, const char *key, bool *value);

// The list of objects or texts with that name; NULL: there is none, and the call has failed.
const struct json *call_list(struct docent_call *call, const char *key);
// A copy that lives as long as the call, with a NUL after it. If there is no memory, an empty text, and the call has
// failed.
struct docent_text call_keep(struct docent_call *call, struct docent_text text);
// Sends a reply that is not the last, with the given `parameters`. False: the caller has gone.
bool call_tell(struct docent_call *call, const struct buffer *parameters);

// Checks that the content is a regular file that is open for reading and has `size` bytes (less than 0: any size).
bool call_opens_content(struct docent_call *call, int64_t size);
// Checks that the destination is open for writing.
bool call_opens_destination(struct docent_call *call);
// Checks that the destination has all bytes that were announced.
bool call_ends_content(struct docent_call *call);
// Adds the progress of the content to the parameters of a reply.
void call_add_progress(const struct docent_call *call, struct buffer *message);

void call_end(struct docent_call *call);

#endif
