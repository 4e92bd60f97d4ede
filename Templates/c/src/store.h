// The service of this provider: documents in memory, with a log on disk from which they come back after a restart.
//
// This is what you replace by your own service. Whoever calls a function here holds the store's lock, but for
// store_open, store_close, and where it says otherwise.
#ifndef STORE_H
#define STORE_H

#include <pthread.h>

#include "docent.h"

// Content never changes: a document gets another one. Counted, so that one can be read without the lock.
struct content {
    int users;
    size_t size;
    char bytes[];
};

struct document {
    uint64_t id;     // never used again; 0 is the top folder
    uint64_t parent;
    struct docent_text name; // owned
    bool is_folder;
    struct content *content; // NULL: of a folder
    uint64_t version;        // the sequence number of the change that brought the content
    int64_t modified;        // milliseconds since 1970
    int64_t created;
    uint64_t changed; // the sequence number of its last change
};

// A document that is gone.
struct grave {
    uint64_t id;
    uint64_t changed;
};

// A change that was made, and what it was answered with.
struct memory {
    struct docent_operation operation; // owned
    struct document document;          // without content
    int64_t size;                      // of its content; less than 0: a folder
};

#define STORE_GRAVES 1000
#define STORE_MEMORIES 1000
#define STORE_BYTES ((size_t)256 << 20) // of all content

struct store {
    pthread_mutex_t lock;
    int folder; // holds the log; locked as long as the store is open
    int log;
    int64_t log_size;
    int64_t log_limit; // when it is written anew
    uint64_t epoch;    // tells this store from one that was here before
    uint64_t sequence; // number of the last change
    uint64_t last_id;
    uint64_t horizon; // deletions up to this one are forgotten
    struct document *documents; // by ascending id
    size_t count, capacity;
    size_t bytes; // of all content
    struct grave graves[STORE_GRAVES];
    size_t grave_count; // oldest first
    struct memory memories[STORE_MEMORIES];
    size_t memory_next;
};

// Opens the store in a folder below `storage`, which has a Welcome.txt when it is new. NULL: errno says why not.
struct store *store_open(struct docent_text storage);
void store_close(struct store *store);

struct document *store_find(struct store *store, uint64_t id); // not the top folder
struct document *store_child(struct store *store, uint64_t parent, struct docent_text name);
bool store_is_folder(struct store *store, uint64_t id); // the top folder is one
bool store_is_below(struct store *store, uint64_t id, uint64_t folder);
const struct memory *store_recall(const struct store *store, struct docent_operation operation);

// What follows changes the store: in the log first, then in memory. False: nothing has changed, errno says why.

// Puts a document in: a new one, or one in place of that with the same id, whose content it shares if it has none of
// its own. Copies the name; takes over the content. Sets `changed`.
bool store_put(struct store *store, struct document document, struct docent_operation operation);
bool store_delete(struct store *store, uint64_t id); // with all that is below it

struct content *content_make(size_t size); // NULL without memory
void content_release(struct content *content);

// Between store.c and log.c.
bool log_open(struct store *store);    // reads what is there; the store is new if `epoch` still is 0
bool log_rewrite(struct store *store); // all of it, by way of another file
// One record for each of `count` documents; `is_gone`: of their deletion.
bool log_append(
    struct store *store, const struct document *documents, size_t count, bool is_gone, struct docent_operation operation);
void log_cut(struct store *store, int64_t size); // takes back what is behind it
bool store_apply_put(struct store *store, struct document document, struct docent_operation operation);
void store_apply_delete(struct store *store, uint64_t id, uint64_t changed);
bool store_remember(
    struct store *store, const struct document *document, int64_t size, struct docent_operation operation);

#endif
