// The service of this provider: documents in memory, with a log on disk from which they are restored.
//
// Replace this with your own service. The caller must hold the store's lock, except for store_open, store_close, and
// where a comment says otherwise.
#ifndef STORE_H
#define STORE_H

#include <pthread.h>

#include "docent.h"

// Content never changes: a changed document gets new content. It is reference-counted, so that it can be read without
// the lock.
struct content {
    int users;
    size_t size;
    char bytes[];
};

struct document {
    uint64_t id;     // never reused; 0 is the top folder
    uint64_t parent;
    struct docent_text name; // owned
    bool is_folder;
    struct content *content; // NULL for a folder
    uint64_t version;        // the sequence number of the change that brought the content
    int64_t modified;        // milliseconds since 1970
    int64_t created;
    uint64_t changed; // the sequence number of its last change
};

// A deleted document.
struct grave {
    uint64_t id;
    uint64_t changed;
};

// A change, and the answer to it.
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
    int folder; // contains the log; locked as long as the store is open
    int log;
    int64_t log_size;
    int64_t log_limit; // the size at which it is rewritten
    uint64_t epoch;    // distinguishes this store from an earlier one
    uint64_t sequence; // number of the last change
    uint64_t last_id;
    uint64_t horizon; // deletions up to this number are forgotten
    struct document *documents; // by ascending id
    size_t count, capacity;
    size_t bytes; // of all content
    struct grave graves[STORE_GRAVES];
    size_t grave_count; // oldest first
    struct memory memories[STORE_MEMORIES];
    size_t memory_next;
};

// Opens the store in a folder below `storage`; a new one gets a Welcome.txt. NULL: see errno.
struct store *store_open(struct docent_text storage);
void store_close(struct store *store);

struct document *store_find(struct store *store, uint64_t id); // not the top folder
struct document *store_child(struct store *store, uint64_t parent, struct docent_text name);
bool store_is_folder(struct store *store, uint64_t id); // the top folder is a folder, too
bool store_is_below(struct store *store, uint64_t id, uint64_t folder);
const struct memory *store_recall(const struct store *store, struct docent_operation operation);

// The following functions change the store: first in the log, then in memory. False: nothing has changed; see errno.

// Adds a document, or replaces the one with the same id, whose content it shares if it has none of its own. Copies the
// name; takes over the content. Sets `changed`.
bool store_put(struct store *store, struct document document, struct docent_operation operation);
bool store_delete(struct store *store, uint64_t id); // with everything below it

struct content *content_make(size_t size); // NULL without memory
void content_release(struct content *content);

// Shared by store.c and log.c.
bool log_open(struct store *store);    // reads the log; the store is new if `epoch` is still 0
bool log_rewrite(struct store *store); // rewrites all of it, in a new file
// One record for each of `count` documents; `is_gone`: of their deletion.
bool log_append(
    struct store *store, const struct document *documents, size_t count, bool is_gone, struct docent_operation operation);
void log_cut(struct store *store, int64_t size); // cuts off everything after `size`
bool store_apply_put(struct store *store, struct document document, struct docent_operation operation);
void store_apply_delete(struct store *store, uint64_t id, uint64_t changed);
bool store_remember(
    struct store *store, const struct document *document, int64_t size, struct docent_operation operation);

#endif
