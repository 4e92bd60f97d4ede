// The changes that Docent requests. Each is checked and made under the lock of the store.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "provider.h"

// MARK: Checks. Those that return false have called docent_fail.

static bool is_name(struct docent_text name) {
    return name.length > 0 && name.length <= 255 && memchr(name.bytes, '/', name.length) == NULL &&
           memchr(name.bytes, 0, name.length) == NULL && !docent_text_equal(name, docent_text_of(".")) &&
           !docent_text_equal(name, docent_text_of(".."));
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static bool require_base(struct docent_call *call, const struct document *document, struct docent_text base) {
    char version[32];
    snprintf(version, sizeof version, "%" PRIu64, document->version);
    if (base.length == 0 || document->is_folder || docent_text_equal(base, docent_text_of(version))) {
        return true;
    }
    return docent_fail(call, DOCENT_VERSION_OUT_OF_DATE, "The document was changed meanwhile.");
}

static bool require_free(
    struct docent_call *call, struct store *store, uint64_t parent, struct docent_text name, uint64_t but) {
    if (!is_name(name)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "No document can have that name.");
    }
    const struct document *there = store_child(store, parent, name);
    return there == NULL || there->id == but || docent_fail(call, DOCENT_COLLISION, "There is an item with that name.");
}

static bool fail_to_save(struct docent_call *call) {
    bool is_full = errno == ENOSPC || errno == EDQUOT;
    return docent_fail(
        call, is_full ? DOCENT_INSUFFICIENT_QUOTA : DOCENT_FAILED, "It cannot be saved: %s", strerror(errno));
}

// MARK: Content

// Reads all of the new content; NULL: the call has failed.
static struct content *read_content(struct docent_call *call) {
    struct content *content = content_make(64 << 10);
    size_t length = 0;
    while (content != NULL) {
        ptrdiff_t count = docent_read(call, content->bytes + length, content->size - length);
        if (count < 0 || (count > 0 && length + (size_t)count > STORE_BYTES)) {
            free(content);
            if (count > 0) {
                docent_fail(call, DOCENT_INSUFFICIENT_QUOTA, "The document does not fit into memory.");
            }
            return NULL;
        }
        if (count == 0) {
            // Frees the unused rest of the buffer.
            struct content *exact = realloc(content, sizeof *content + length);
            content = exact != NULL ? exact : content;
            content->size = length;
            return content;
        }
        length += (size_t)count;
        if (length == content->size) {
            struct content *larger = realloc(content, sizeof *content + length * 2);
            if (larger == NULL) {
                free(content);
            } else {
                larger->size = length * 2;
            }
            content = larger;
        }
    }
    docent_fail(call, DOCENT_INSUFFICIENT_QUOTA, "There is not enough memory.");
    return NULL;
}

// MARK: Changing

// Makes a change that was checked, and gives the result.
static bool save(
    struct docent_call *call, struct store *store, struct document document, struct docent_operation operation) {
    if (document.content != NULL && store->bytes + document.content->size > STORE_BYTES) {
        return docent_fail(call, DOCENT_INSUFFICIENT_QUOTA, "There is no space for more.");
    }
    if (!store_put(store, document, operation)) {
        return fail_to_save(call);
    }
    const struct document *now = store_find(store, document.id);
    provider_give(call, now, now->content != NULL ? (int64_t)now->content->size : -1);
    return true;
}

// Answers an operation that was carried out before.
static bool recall(struct docent_call *call, struct store *store, struct docent_operation operation) {
    const struct memory *memory = store_recall(store, operation);
    if (memory == NULL) {
        return false;
    }
    provider_give(call, &memory->document, memory->size);
    return true;
}

static bool create_with_lock(
    struct docent_call *call, struct store *store, struct docent_text parent, struct docent_text name,
    struct content *content, struct docent_operation operation) {
    uint64_t folder;
    if (recall(call, store, operation)) {
        content_release(content);
        return true;
    }
    int64_t date = now();
    bool is_done = provider_require_folder(call, store, parent, &folder) && require_free(call, store, folder, name, 0);
    struct document document = {
        .id = store->last_id + 1, .parent = is_done ? folder : 0, .name = name, .is_folder = content == NULL,
        .content = content, .modified = date, .created = date};
    is_done = is_done && save(call, store, document, operation);
    if (!is_done) {
        content_release(content);
    }
    return is_done;
}

bool provider_create(
    struct docent_call *call, void *state, struct docent_text parent, struct docent_text name, bool is_folder,
    int64_t size, struct docent_operation operation) {
    (void)size;
    struct store *store = state;
    struct content *content = is_folder ? NULL : read_content(call);
    if (!is_folder && content == NULL) {
        return false;
    }
    pthread_mutex_lock(&store->lock);
    bool is_done = create_with_lock(call, store, parent, name, content, operation);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

static bool modify_with_lock(
    struct docent_call *call, struct store *store, struct docent_text identifier, struct docent_text base,
    struct content *content, struct docent_operation operation) {
    if (recall(call, store, operation)) {
        content_release(content);
        return true;
    }
    const struct document *old = provider_require(call, store, identifier);
    bool is_done = old != NULL;
    if (is_done && old->is_folder) {
        is_done = docent_fail(call, DOCENT_INVALID_ARGUMENT, "A folder has no content.");
    }
    is_done = is_done && require_base(call, old, base);
    if (is_done) {
        struct document document = *old;
        document.content = content;
        document.modified = now();
        is_done = save(call, store, document, operation);
    }
    if (!is_done) {
        content_release(content);
    }
    return is_done;
}

bool provider_modify(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, int64_t size,
    struct docent_operation operation) {
    (void)size;
    struct store *store = state;
    struct content *content = read_content(call);
    if (content == NULL) {
        return false;
    }
    pthread_mutex_lock(&store->lock);
    bool is_done = modify_with_lock(call, store, identifier, base, content, operation);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

static bool remove_with_lock(
    struct docent_call *call, struct store *store, struct docent_text identifier, struct docent_text base,
    bool recursive) {
    const struct document *document = provider_require(call, store, identifier);
    if (document == NULL || !require_base(call, document, base)) {
        return false;
    }
    for (size_t index = 0; index < store->count && !recursive; index++) {
        if (store->documents[index].parent == document->id) {
            return docent_fail(call, DOCENT_NOT_PERMITTED, "The folder is not empty.");
        }
    }
    return store_delete(store, document->id) || fail_to_save(call);
}

bool provider_remove(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, bool recursive) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = remove_with_lock(call, store, identifier, base, recursive);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

static bool move_with_lock(
    struct docent_call *call, struct store *store, struct docent_text identifier, struct docent_text base,
    struct docent_text parent, struct docent_text name, struct docent_operation operation) {
    uint64_t folder;
    if (recall(call, store, operation)) {
        return true;
    }
    const struct document *old = provider_require(call, store, identifier);
    if (old == NULL || !require_base(call, old, base) || !provider_require_folder(call, store, parent, &folder) ||
        !require_free(call, store, folder, name, old->id)) {
        return false;
    }
    if (store_is_below(store, folder, old->id)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "A folder cannot be moved into itself.");
    }
    struct document document = *old;
    document.parent = folder;
    document.name = name;
    document.content = NULL;
    return save(call, store, document, operation);
}

bool provider_move(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base,
    struct docent_text parent, struct docent_text name, struct docent_operation operation) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = move_with_lock(call, store, identifier, base, parent, name, operation);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}
