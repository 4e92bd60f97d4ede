// One call on its way through: what it asks for, and the answer so far.
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
    struct buffer items; // objects with commas between them
    int item_count;
    struct buffer deleted;
    struct docent_text next;
    struct docent_text anchor;
    bool has_more;
    struct buffer needed; // paths, with commas between them
    struct docent_text conflict;
    struct docent_text account;
    struct buffer error; // a whole message, if the call failed

    // What comes with content.
    int thumbnail; // less than 0: none
    const struct json *metadata;

    // Of an attempt to sign in; NULL in other calls.
    struct attempt *attempt;

    // Content on its way in or out.
    int content; // less than 0: none
    bool has_begun;
    int64_t beginning;
    int64_t position;
    int64_t total;     // less than 0: not known
    int64_t told;      // of which the host was told
    int64_t resumable; // bytes that are there
};

// A message that says that the call failed, other than in the words of the interface.
bool call_refuse(struct docent_call *call, const char *error, const char *key, struct docent_text value);

// Parameters. False: it is not as it should be, and the call has failed. Absent optional ones are left as they are.
bool call_text(struct docent_call *call, const char *key, bool is_required, struct docent_text *value);
bool call_integer(struct docent_call *call, const char *key, bool is_required, int64_t *value);
bool call_flag(struct docent_call *call, const char *key, bool *value);

// The list of objects or texts of that name; NULL: there is none, and the call has failed.
const struct json *call_list(struct docent_call *call, const char *key);
// A copy for as long as the call lasts, with a NUL behind it; an empty text where there is no memory, and the call has
// failed.
struct docent_text call_keep(struct docent_call *call, struct docent_text text);
// Sends a reply that is not the last: what `parameters` has is its parameters. False: nobody waits for the call any
// more.
bool call_tell(struct docent_call *call, const struct buffer *parameters);

// Checks that the content is a regular file that is open for reading and has `size` bytes (less than 0: whatever it
// has).
bool call_opens_content(struct docent_call *call, int64_t size);
// Checks that the destination is open for writing.
bool call_opens_destination(struct docent_call *call);
// The destination has all that was announced.
bool call_ends_content(struct docent_call *call);
// Adds how far the content is to the parameters of a reply.
void call_add_progress(const struct docent_call *call, struct buffer *message);

void call_end(struct docent_call *call);

#endif
