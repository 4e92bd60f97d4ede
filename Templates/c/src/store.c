#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char folder_name[] = ".@NAME@";
static const char welcome_name[] = "Welcome.txt";
static const char welcome_text[] = "This document comes from @NAME@, a provider that was written in C.\n";

// MARK: Content

struct content *content_make(size_t size) {
    struct content *content = malloc(sizeof *content + size);
    if (content != NULL) {
        content->users = 1;
        content->size = size;
    }
    return content;
}

void content_release(struct content *content) {
    if (content != NULL && --content->users == 0) {
        free(content);
    }
}

static bool copy_text(struct docent_text from, struct docent_text *to) {
    char *copy = malloc(from.length + 1);
    if (copy == NULL) {
        return false;
    }
    if (from.length > 0) {
        memcpy(copy, from.bytes, from.length);
    }
    copy[from.length] = 0;
    *to = (struct docent_text){.bytes = copy, .length = from.length};
    return true;
}

static void free_text(struct docent_text text) { free((char *)(uintptr_t)text.bytes); }

// MARK: Opening

// Waits for a process that had the store open and is just ending.
static bool lock_folder(int folder) {
    for (int attempt = 0; attempt < 500; attempt++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

static int open_folder(struct docent_text storage) {
    char *path = malloc(storage.length + sizeof folder_name + 1);
    if (path == NULL) {
        return -1;
    }
    memcpy(path, storage.bytes, storage.length);
    path[storage.length] = '/';
    memcpy(path + storage.length + 1, folder_name, sizeof folder_name);
    int folder = -1;
    if (mkdir(path, 0700) == 0 || errno == EEXIST) {
        folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    }
    free(path);
    if (folder >= 0 && !lock_folder(folder)) {
        int problem = errno;
        close(folder);
        errno = problem;
        return -1;
    }
    return folder;
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool fill(struct store *store) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    store->epoch = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
    struct content *content = content_make(sizeof welcome_text - 1);
    if (content == NULL) {
        return false;
    }
    memcpy(content->bytes, welcome_text, sizeof welcome_text - 1);
    int64_t date = now();
    struct document document = {
        .id = 1, .name = docent_text_of(welcome_name), .content = content, .version = 1, .modified = date,
        .created = date, .changed = 1};
    struct docent_operation none = {.name = docent_text_of(""), .digest = docent_text_of("")};
    return store_apply_put(store, document, none) && log_rewrite(store);
}

struct store *store_open(struct docent_text storage) {
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL) {
        return NULL;
    }
    pthread_mutex_init(&store->lock, NULL);
    store->log = -1;
    store->folder = open_folder(storage);
    if (store->folder >= 0 && log_open(store) && (store->epoch != 0 || fill(store))) {
        return store;
    }
    int problem = errno;
    store_close(store);
    errno = problem;
    return NULL;
}

void store_close(struct store *store) {
    for (size_t index = 0; index < store->count; index++) {
        content_release(store->documents[index].content);
        free_text(store->documents[index].name);
    }
    free(store->documents);
    for (size_t index = 0; index < STORE_MEMORIES; index++) {
        free_text(store->memories[index].operation.name);
        free_text(store->memories[index].operation.digest);
        free_text(store->memories[index].document.name);
    }
    if (store->log >= 0) {
        close(store->log);
    }
    if (store->folder >= 0) {
        close(store->folder);
    }
    pthread_mutex_destroy(&store->lock);
    free(store);
}

// MARK: Looking

// The index of a document, or where it would be.
static size_t place_of(const struct store *store, uint64_t id) {
    size_t low = 0, high = store->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (store->documents[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

struct document *store_find(struct store *store, uint64_t id) {
    size_t place = place_of(store, id);
    return place < store->count && store->documents[place].id == id ? &store->documents[place] : NULL;
}

struct document *store_child(struct store *store, uint64_t parent, struct docent_text name) {
    for (size_t index = 0; index < store->count; index++) {
        struct document *document = &store->documents[index];
        if (document->parent == parent && docent_text_equal(document->name, name)) {
            return document;
        }
    }
    return NULL;
}

bool store_is_folder(struct store *store, uint64_t id) {
    const struct document *document = store_find(store, id);
    return id == 0 || (document != NULL && document->is_folder);
}

bool store_is_below(struct store *store, uint64_t id, uint64_t folder) {
    while (id != 0 && id != folder) {
        const struct document *document = store_find(store, id);
        id = document != NULL ? document->parent : 0;
    }
    return id == folder;
}

const struct memory *store_recall(const struct store *store, struct docent_operation operation) {
    for (size_t index = 0; index < STORE_MEMORIES && operation.name.length > 0; index++) {
        const struct memory *memory = &store->memories[index];
        if (memory->operation.name.bytes != NULL && docent_text_equal(memory->operation.name, operation.name) &&
            docent_text_equal(memory->operation.digest, operation.digest)) {
            return memory;
        }
    }
    return NULL;
}

// MARK: Changing

bool store_put(struct store *store, struct document document, struct docent_operation operation) {
    document.changed = store->sequence + 1;
    if (document.content != NULL) {
        document.version = document.changed;
    }
    // A long log is rewritten now: afterwards the change could not be undone.
    if (store->log_size > store->log_limit && !log_rewrite(store)) {
        return false;
    }
    int64_t size = store->log_size;
    if (!log_append(store, &document, 1, false, operation)) {
        return false;
    }
    if (!store_apply_put(store, document, operation)) {
        log_cut(store, size);
        errno = ENOMEM;
        return false;
    }
    return true;
}

bool store_delete(struct store *store, uint64_t id) {
    struct document *gone = calloc(store->count, sizeof *gone);
    if (gone == NULL) {
        return false;
    }
    size_t count = 0;
    for (size_t index = 0; index < store->count; index++) {
        if (store_is_below(store, store->documents[index].id, id)) {
            gone[count] = store->documents[index];
            gone[count].changed = store->sequence + 1 + count;
            count++;
        }
    }
    struct docent_operation none = {.name = docent_text_of(""), .digest = docent_text_of("")};
    bool is_done = log_append(store, gone, count, true, none);
    for (size_t index = 0; index < count && is_done; index++) {
        store_apply_delete(store, gone[index].id, gone[index].changed);
    }
    free(gone);
    return is_done;
}

bool store_remember(
    struct store *store, const struct document *document, int64_t size, struct docent_operation operation) {
    if (operation.name.length == 0) {
        return true;
    }
    struct memory memory = {.document = *document, .size = size};
    memory.document.content = NULL;
    if (!copy_text(operation.name, &memory.operation.name) || !copy_text(operation.digest, &memory.operation.digest) ||
        !copy_text(document->name, &memory.document.name)) {
        free_text(memory.operation.name);
        free_text(memory.operation.digest);
        return false;
    }
    struct memory *place = &store->memories[store->memory_next];
    free_text(place->operation.name);
    free_text(place->operation.digest);
    free_text(place->document.name);
    *place = memory;
    store->memory_next = (store->memory_next + 1) % STORE_MEMORIES;
    return true;
}

static bool make_room(struct store *store) {
    if (store->count < store->capacity) {
        return true;
    }
    size_t capacity = store->capacity * 2 + 64;
    struct document *larger = realloc(store->documents, capacity * sizeof *larger);
    if (larger != NULL) {
        store->documents = larger;
        store->capacity = capacity;
    }
    return larger != NULL;
}

bool store_apply_put(struct store *store, struct document document, struct docent_operation operation) {
    struct docent_text name;
    if (!make_room(store) || !copy_text(document.name, &name)) {
        return false;
    }
    struct document *old = store_find(store, document.id);
    const struct content *content = document.content != NULL || old == NULL ? document.content : old->content;
    if (!store_remember(store, &document, content != NULL ? (int64_t)content->size : -1, operation)) {
        free_text(name);
        return false;
    }
    bool has_content = document.content != NULL;
    document.name = name;
    if (old == NULL) {
        size_t place = place_of(store, document.id);
        old = store->documents + place;
        memmove(old + 1, old, (store->count - place) * sizeof *old);
        store->count++;
    } else {
        free_text(old->name);
        if (!has_content) {
            document.content = old->content;
        } else if (old->content != NULL) {
            store->bytes -= old->content->size;
            content_release(old->content);
        }
    }
    store->bytes += has_content ? document.content->size : 0;
    *old = document;
    store->sequence = document.changed > store->sequence ? document.changed : store->sequence;
    store->last_id = document.id > store->last_id ? document.id : store->last_id;
    return true;
}

void store_apply_delete(struct store *store, uint64_t id, uint64_t changed) {
    struct document *document = store_find(store, id);
    if (document != NULL) {
        store->bytes -= document->content != NULL ? document->content->size : 0;
        content_release(document->content);
        free_text(document->name);
        size_t behind = store->count - (size_t)(document - store->documents) - 1;
        memmove(document, document + 1, behind * sizeof *document);
        store->count--;
    }
    if (store->grave_count == STORE_GRAVES) {
        store->horizon = store->graves[0].changed;
        memmove(store->graves, store->graves + 1, (STORE_GRAVES - 1) * sizeof *store->graves);
        store->grave_count--;
    }
    store->graves[store->grave_count++] = (struct grave){.id = id, .changed = changed};
    store->sequence = changed > store->sequence ? changed : store->sequence;
    store->last_id = id > store->last_id ? id : store->last_id;
}
