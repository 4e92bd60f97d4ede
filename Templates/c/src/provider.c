// The provider: answers Docent's calls from the store. Start here when you write your own.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "provider.h"

static const size_t page_size = 100;

// MARK: Names and numbers

// The public names of a document. The texts are stored in the structure.
struct label {
    char identifier[32], parent[32], version[32];
};

static struct docent_text print_identifier(char *text, size_t size, uint64_t id) {
    snprintf(text, size, "item-%" PRIu64, id);
    return docent_text_of(id == 0 ? DOCENT_ROOT : text);
}

// Reads a number with a prefix, in exactly the form in which it was printed.
static bool read_number(struct docent_text text, const char *prefix, uint64_t *number) {
    char copy[64], again[64];
    if (text.length >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = 0;
    size_t length = strlen(prefix);
    if (strncmp(copy, prefix, length) != 0) {
        return false;
    }
    *number = strtoull(copy + length, NULL, 10);
    snprintf(again, sizeof again, "%s%" PRIu64, prefix, *number);
    return docent_text_equal(text, docent_text_of(again));
}

static bool read_identifier(struct docent_text text, uint64_t *id) {
    *id = 0;
    return docent_text_equal(text, docent_text_of(DOCENT_ROOT)) || (read_number(text, "item-", id) && *id != 0);
}

void provider_give(struct docent_call *call, const struct document *document, int64_t size) {
    struct label label;
    snprintf(label.version, sizeof label.version, "%" PRIu64, document->version);
    struct docent_item item = {
        .identifier = print_identifier(label.identifier, sizeof label.identifier, document->id),
        .parent = print_identifier(label.parent, sizeof label.parent, document->parent),
        .name = document->name,
        .version = docent_text_of(document->is_folder ? "" : label.version),
        .is_folder = document->is_folder,
        .size = size,
        .modification_time = document->modified,
        .creation_time = document->created,
        .capabilities = DOCENT_CAN_READ | DOCENT_CAN_RENAME | DOCENT_CAN_DELETE |
                        (document->is_folder ? DOCENT_CAN_ADD_ITEMS : DOCENT_CAN_WRITE),
    };
    docent_give_item(call, &item);
}

static void give(struct docent_call *call, const struct document *document) {
    provider_give(call, document, document->content != NULL ? (int64_t)document->content->size : -1);
}

static void give_root(struct docent_call *call) {
    struct docent_item item = {
        .identifier = docent_text_of(DOCENT_ROOT),
        .parent = docent_text_of(DOCENT_ROOT),
        .name = docent_text_of("@DISPLAY@"),
        .version = docent_text_of(""),
        .is_folder = true,
        .size = -1,
        .capabilities = DOCENT_CAN_READ | DOCENT_CAN_ADD_ITEMS,
    };
    docent_give_item(call, &item);
}

// MARK: Checks. All are called with the lock; those that return false have called docent_fail.

struct document *provider_require(struct docent_call *call, struct store *store, struct docent_text identifier) {
    uint64_t id;
    struct document *document = read_identifier(identifier, &id) ? store_find(store, id) : NULL;
    if (document == NULL) {
        docent_fail(call, DOCENT_NO_SUCH_ITEM, "There is no such item.");
    }
    return document;
}

bool provider_require_folder(
    struct docent_call *call, struct store *store, struct docent_text identifier, uint64_t *id) {
    if (!read_identifier(identifier, id) || (*id != 0 && store_find(store, *id) == NULL)) {
        return docent_fail(call, DOCENT_NO_SUCH_ITEM, "There is no such folder.");
    }
    return store_is_folder(store, *id) || docent_fail(call, DOCENT_INVALID_ARGUMENT, "That is not a folder.");
}

// MARK: Life cycle

static bool open_domain(struct docent_call *call, const struct docent_domain *domain, void **state) {
    struct store *store = store_open(domain->storage);
    *state = store;
    enum docent_error error = errno == EWOULDBLOCK ? DOCENT_BUSY : DOCENT_FAILED;
    return store != NULL || docent_fail(call, error, "The store cannot be opened: %s", strerror(errno));
}

static void close_domain(void *state) { store_close(state); }

// MARK: Looking

static bool item_with_lock(struct docent_call *call, struct store *store, struct docent_text identifier) {
    if (docent_text_equal(identifier, docent_text_of(DOCENT_ROOT))) {
        give_root(call);
        return true;
    }
    const struct document *document = provider_require(call, store, identifier);
    if (document != NULL) {
        give(call, document);
    }
    return document != NULL;
}

static bool item(struct docent_call *call, void *state, struct docent_text identifier) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = item_with_lock(call, store, identifier);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

static bool child_with_lock(
    struct docent_call *call, struct store *store, struct docent_text parent, struct docent_text name) {
    uint64_t id;
    if (!provider_require_folder(call, store, parent, &id)) {
        return false;
    }
    const struct document *document = store_child(store, id, name);
    if (document == NULL) {
        return docent_fail(call, DOCENT_NO_SUCH_ITEM, "There is nothing with that name in the folder.");
    }
    give(call, document);
    return true;
}

static bool child(struct docent_call *call, void *state, struct docent_text parent, struct docent_text name) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = child_with_lock(call, store, parent, name);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

// A page begins after an item and not at an index, so items that come or go between two pages neither hide others nor
// repeat them.
static bool children_with_lock(
    struct docent_call *call, struct store *store, struct docent_text parent, struct docent_text page) {
    uint64_t folder, behind = 0;
    if (!provider_require_folder(call, store, parent, &folder)) {
        return false;
    }
    if (page.bytes != NULL && !read_number(page, "after-", &behind)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "This is not a page of this folder.");
    }
    size_t given = 0;
    for (size_t index = 0; index < store->count; index++) {
        const struct document *document = &store->documents[index];
        if (document->parent != folder || document->id <= behind) {
            continue;
        }
        if (given == page_size) {
            char token[32];
            snprintf(token, sizeof token, "after-%" PRIu64, behind);
            docent_give_next_page(call, docent_text_of(token));
            return true;
        }
        give(call, document);
        behind = document->id;
        given++;
    }
    return true;
}

static bool children(struct docent_call *call, void *state, struct docent_text parent, struct docent_text page) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = children_with_lock(call, store, parent, page);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

// The next change after a number: a document or a deletion.
static bool give_next_change(struct docent_call *call, const struct store *store, uint64_t *since) {
    const struct document *document = NULL;
    const struct grave *grave = NULL;
    for (size_t index = 0; index < store->count; index++) {
        const struct document *other = &store->documents[index];
        if (other->changed > *since && (document == NULL || other->changed < document->changed)) {
            document = other;
        }
    }
    for (size_t index = 0; index < store->grave_count && grave == NULL; index++) {
        grave = store->graves[index].changed > *since ? &store->graves[index] : NULL;
    }
    if (grave != NULL && (document == NULL || grave->changed < document->changed)) {
        char identifier[32];
        docent_give_deleted(call, print_identifier(identifier, sizeof identifier, grave->id));
        *since = grave->changed;
        return true;
    }
    if (document != NULL) {
        give(call, document);
        *since = document->changed;
    }
    return document != NULL;
}

static bool changes_with_lock(struct docent_call *call, struct store *store, struct docent_text given) {
    char prefix[32], anchor[64];
    uint64_t since = store->sequence;
    snprintf(prefix, sizeof prefix, "%" PRIu64 "-", store->epoch);
    if (given.bytes != NULL && (!read_number(given, prefix, &since) || since > store->sequence || since < store->horizon)) {
        return docent_fail(call, DOCENT_ANCHOR_EXPIRED, "The changes since then are no longer known.");
    }
    size_t count = 0;
    while (count < page_size && give_next_change(call, store, &since)) {
        count++;
    }
    snprintf(anchor, sizeof anchor, "%s%" PRIu64, prefix, since);
    docent_give_anchor(call, docent_text_of(anchor), since < store->sequence && count == page_size);
    return true;
}

static bool changes(struct docent_call *call, void *state, struct docent_text anchor) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    bool is_done = changes_with_lock(call, store, anchor);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

// MARK: Content

static struct content *find_content(
    struct docent_call *call, struct store *store, struct docent_text identifier, struct docent_resume *resume) {
    const struct document *document = provider_require(call, store, identifier);
    if (document == NULL) {
        return NULL;
    }
    if (document->content == NULL) {
        docent_fail(call, DOCENT_INVALID_ARGUMENT, "A folder has no content.");
        return NULL;
    }
    char version[32];
    snprintf(version, sizeof version, "%" PRIu64, document->version);
    bool goes_on = resume->offset <= (int64_t)document->content->size &&
                   docent_text_equal(resume->version, docent_text_of(version));
    resume->offset = goes_on ? resume->offset : 0;
    give(call, document);
    document->content->users++;
    return document->content;
}

static bool fetch(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_resume resume) {
    struct store *store = state;
    pthread_mutex_lock(&store->lock);
    struct content *content = find_content(call, store, identifier, &resume);
    pthread_mutex_unlock(&store->lock);
    if (content == NULL) {
        return false;
    }
    // Without the lock: the host may be slow, and content never changes.
    bool is_done = docent_begin_content(call, resume.offset, (int64_t)content->size) &&
                   docent_write(call, content->bytes + resume.offset, content->size - (size_t)resume.offset);
    pthread_mutex_lock(&store->lock);
    content_release(content);
    pthread_mutex_unlock(&store->lock);
    return is_done;
}

// MARK: The exported symbol

static const struct docent_provider provider = {
    .name = "@NAME@",
    .version = "1",
    .open = open_domain,
    .close = close_domain,
    .item = item,
    .child = child,
    .children = children,
    .fetch = fetch,
    .changes = changes,
    .create = provider_create,
    .modify = provider_modify,
    .remove = provider_remove,
    .move = provider_move,
    .resumes = true,
};

int32_t docent_extension_main_v1(const struct docent_extension_context_v1 *context) {
    return docent_serve(context, &provider);
}
