// The log: one record for each change, a line of JSON followed by the content. A record that a kill cut short belongs
// to a change that was never confirmed, and is dropped.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "json.h"
#include "store.h"

static const char log_name[] = "log";
static const char new_name[] = "log.new";

// MARK: Writing

static void add_document(struct buffer *line, const struct document *document) {
    json_add_integer(line, "parent", (int64_t)document->parent);
    json_add_text(line, "name", document->name);
    json_add_flag(line, "folder", document->is_folder);
    json_add_integer(line, "version", (int64_t)document->version);
    json_add_integer(line, "modified", document->modified);
    json_add_integer(line, "created", document->created);
    json_add_integer(line, "sequence", (int64_t)document->changed);
}

static void add_operation(struct buffer *line, struct docent_operation operation) {
    if (operation.name.length > 0) {
        json_add_text(line, "operation", operation.name);
        json_add_text(line, "digest", operation.digest);
    }
}

static bool write_all(int file, const void *bytes, size_t count, int64_t *position) {
    for (size_t done = 0; done < count;) {
        ssize_t written = pwrite(file, (const char *)bytes + done, count - done, *position);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? (size_t)written : 0;
        *position += written > 0 ? written : 0;
    }
    return true;
}

// Completes a line that starts with a bracket, and writes it with the content after it. Empties the line.
static bool write_record(int file, struct buffer *line, const struct content *content, int64_t *position) {
    if (content != NULL) {
        json_add_integer(line, "size", (int64_t)content->size);
    }
    json_close(line, '}');
    buffer_add(line, "\n", 1);
    bool is_written = !line->failed && write_all(file, line->bytes, line->length, position) &&
                      (content == NULL || (write_all(file, content->bytes, content->size, position) &&
                                           write_all(file, "\n", 1, position)));
    line->length = 0;
    return is_written;
}

static bool write_document(
    int file, const struct document *document, const char *kind, int64_t length, struct docent_operation operation,
    int64_t *position) {
    struct buffer line = {0};
    json_open(&line, NULL, '{');
    json_add_integer(&line, kind, (int64_t)document->id);
    if (strcmp(kind, "gone") == 0) {
        json_add_integer(&line, "sequence", (int64_t)document->changed);
    } else {
        add_document(&line, document);
    }
    add_operation(&line, operation);
    if (length >= 0) {
        json_add_integer(&line, "length", length);
    }
    bool has_content = strcmp(kind, "put") == 0;
    bool is_written = write_record(file, &line, has_content ? document->content : NULL, position);
    buffer_end(&line);
    return is_written;
}

void log_cut(struct store *store, int64_t size) {
    store->log_size = size;
    if (ftruncate(store->log, size) != 0) {
        // A partial record would hide what follows it, so no more changes are accepted.
        close(store->log);
        store->log = -1;
    }
}

bool log_append(
    struct store *store, const struct document *documents, size_t count, bool is_gone, struct docent_operation operation) {
    int64_t position = store->log_size;
    bool is_written = true;
    for (size_t index = 0; index < count && is_written; index++) {
        is_written = write_document(store->log, &documents[index], is_gone ? "gone" : "put", -1, operation, &position);
    }
    // The change must be durable: the caller discards its content once the change is confirmed.
    if (!is_written || fdatasync(store->log) != 0) {
        int problem = errno;
        log_cut(store, store->log_size);
        errno = problem;
        return false;
    }
    store->log_size = position;
    return true;
}

static bool write_state(struct store *store, int file, int64_t *position) {
    struct docent_operation none = {.name = docent_text_of(""), .digest = docent_text_of("")};
    struct buffer line = {0};
    json_open(&line, NULL, '{');
    json_add_integer(&line, "epoch", (int64_t)store->epoch);
    json_add_integer(&line, "sequence", (int64_t)store->sequence);
    json_add_integer(&line, "last", (int64_t)store->last_id);
    json_add_integer(&line, "horizon", (int64_t)store->horizon);
    bool is_written = write_record(file, &line, NULL, position);
    buffer_end(&line);
    for (size_t index = 0; index < store->grave_count && is_written; index++) {
        struct document gone = {.id = store->graves[index].id, .changed = store->graves[index].changed};
        is_written = write_document(file, &gone, "gone", -1, none, position);
    }
    for (size_t index = 0; index < store->count && is_written; index++) {
        is_written = write_document(file, &store->documents[index], "put", -1, none, position);
    }
    for (size_t step = 0; step < STORE_MEMORIES && is_written; step++) {
        const struct memory *memory = &store->memories[(store->memory_next + step) % STORE_MEMORIES];
        if (memory->operation.name.bytes != NULL) {
            is_written = write_document(file, &memory->document, "done", memory->size, memory->operation, position);
        }
    }
    return is_written;
}

bool log_rewrite(struct store *store) {
    int file = openat(store->folder, new_name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) {
        return false;
    }
    int64_t position = 0;
    if (!write_state(store, file, &position) || fdatasync(file) != 0 ||
        renameat(store->folder, new_name, store->folder, log_name) != 0 || fsync(store->folder) != 0) {
        int problem = errno;
        close(file);
        errno = problem;
        return false;
    }
    if (store->log >= 0) {
        close(store->log);
    }
    store->log = file;
    store->log_size = position;
    store->log_limit = position * 2 + (4 << 20);
    return true;
}

// MARK: Reading

static uint64_t number(const struct json *record, const char *key) {
    const struct json *member = json_member(record, key);
    return member != NULL && member->kind == JSON_INTEGER ? (uint64_t)member->integer : 0;
}

static struct docent_text text(const struct json *record, const char *key) {
    const struct json *member = json_member(record, key);
    return member != NULL && member->kind == JSON_STRING ? member->string : docent_text_of("");
}

// Applies one record. False: there is no memory.
static bool replay(struct store *store, const struct json *record, const char *bytes, size_t size) {
    struct docent_operation operation = {.name = text(record, "operation"), .digest = text(record, "digest")};
    const struct json *folder = json_member(record, "folder");
    struct document document = {
        .parent = number(record, "parent"),
        .name = text(record, "name"),
        .is_folder = folder != NULL && folder->kind == JSON_TRUE,
        .version = number(record, "version"),
        .modified = (int64_t)number(record, "modified"),
        .created = (int64_t)number(record, "created"),
        .changed = number(record, "sequence"),
    };
    if (json_member(record, "epoch") != NULL) {
        store->epoch = number(record, "epoch");
        store->sequence = number(record, "sequence");
        store->last_id = number(record, "last");
        store->horizon = number(record, "horizon");
    } else if (json_member(record, "gone") != NULL) {
        store_apply_delete(store, number(record, "gone"), document.changed);
    } else if (json_member(record, "done") != NULL) {
        document.id = number(record, "done");
        const struct json *length = json_member(record, "length");
        return store_remember(store, &document, length != NULL ? length->integer : -1, operation);
    } else {
        document.id = number(record, "put");
        if (bytes != NULL) {
            document.content = content_make(size);
            if (document.content == NULL) {
                return false;
            }
            memcpy(document.content->bytes, bytes, size);
        }
        if (!store_apply_put(store, document, operation)) {
            content_release(document.content);
            return false;
        }
    }
    return true;
}

// Applies the record at a position and advances the position. False: it is incomplete, or there is no memory (errno).
static bool read_record(struct store *store, const char *bytes, size_t length, size_t *position) {
    const char *line = bytes + *position;
    const char *end = memchr(line, '\n', length - *position);
    if (end == NULL) {
        return false;
    }
    struct arena arena = {.block = NULL};
    const struct json *record = json_read(&arena, line, (size_t)(end - line));
    size_t behind = (size_t)(end - bytes) + 1;
    const struct json *size = json_member(record, "size");
    bool is_whole = record != NULL && record->kind == JSON_OBJECT;
    const char *content = NULL;
    if (is_whole && size != NULL) {
        size_t count = size->integer < 0 ? SIZE_MAX : (size_t)size->integer;
        is_whole = count < length - behind && bytes[behind + count] == '\n';
        content = bytes + behind;
        behind += is_whole ? count + 1 : 0;
    }
    bool is_read = is_whole && replay(store, record, content, size != NULL ? (size_t)size->integer : 0);
    arena_end(&arena);
    if (is_read) {
        *position = behind;
    } else if (is_whole) {
        errno = ENOMEM;
    }
    return is_read;
}

static bool read_log(struct store *store) {
    struct stat status;
    if (fstat(store->log, &status) != 0) {
        return false;
    }
    size_t length = (size_t)status.st_size, position = 0;
    if (length == 0) {
        return true;
    }
    char *bytes = mmap(NULL, length, PROT_READ, MAP_PRIVATE, store->log, 0);
    if (bytes == MAP_FAILED) {
        return false;
    }
    errno = 0;
    while (position < length && read_record(store, bytes, length, &position)) {
    }
    munmap(bytes, length);
    if (errno == ENOMEM) {
        return false;
    }
    log_cut(store, (int64_t)position);
    store->log_limit = store->log_size * 2 + (4 << 20);
    return true;
}

bool log_open(struct store *store) {
    store->log = openat(store->folder, log_name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (store->log < 0) {
        return errno == ENOENT;
    }
    return read_log(store);
}
