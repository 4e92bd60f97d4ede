// Packages: folders that are replaced as a whole, with a separate call for each element.
#include <stdlib.h>
#include <string.h>

#include "server.h"

// The number of remembered operations; beyond it, the oldest one is forgotten and has to be begun again.
#define MOST_OPERATIONS 1000

struct operation {
    struct operation *next;
    size_t domain_length, name_length;
    char bytes[]; // the domain and the identifier of the operation
};

// MARK: The domain of an operation

static struct docent_text domain_of(const struct operation *operation) {
    return (struct docent_text){.bytes = operation->bytes, .length = operation->domain_length};
}

static bool is_named(const struct operation *operation, struct docent_text name) {
    struct docent_text own = {.bytes = operation->bytes + operation->domain_length, .length = operation->name_length};
    return docent_text_equal(own, name);
}

static bool remember(struct server *server, struct docent_text domain, struct docent_text name) {
    struct operation *operation = malloc(sizeof *operation + domain.length + name.length);
    if (operation == NULL) {
        return false;
    }
    operation->domain_length = domain.length;
    operation->name_length = name.length;
    memcpy(operation->bytes, domain.bytes, domain.length);
    memcpy(operation->bytes + domain.length, name.bytes, name.length);
    pthread_mutex_lock(&server->lock);
    size_t count = 0;
    for (struct operation **place = &server->operations; *place != NULL;) {
        struct operation *known = *place;
        if (is_named(known, name) || ++count >= MOST_OPERATIONS) {
            *place = known->next;
            free(known);
        } else {
            place = &known->next;
        }
    }
    operation->next = server->operations;
    server->operations = operation;
    pthread_mutex_unlock(&server->lock);
    return true;
}

// Finds the domain of an operation. Has to be left. NULL: the call has failed.
static struct domain *enter(struct server *server, struct docent_call *call, struct docent_text name) {
    struct docent_text domain = {.bytes = NULL, .length = 0};
    pthread_mutex_lock(&server->lock);
    for (const struct operation *known = server->operations; known != NULL; known = known->next) {
        if (is_named(known, name)) {
            domain = call_keep(call, domain_of(known));
            break;
        }
    }
    pthread_mutex_unlock(&server->lock);
    if (domain.bytes == NULL) {
        docent_fail(call, DOCENT_NO_SUCH_ITEM, "The operation has no unfinished package.");
        return NULL;
    }
    return domains_enter(&server->domains, call, domain);
}

void operations_end(struct server *server) {
    while (server->operations != NULL) {
        struct operation *next = server->operations->next;
        free(server->operations);
        server->operations = next;
    }
}

// MARK: Elements

static bool read_optional(const struct json *part, const char *key, struct docent_text *value) {
    const struct json *given = json_member(part, key);
    *value = (struct docent_text){.bytes = NULL, .length = 0};
    if (given != NULL && given->kind == JSON_STRING) {
        *value = given->string;
    }
    return given == NULL || given->kind == JSON_STRING;
}

// Whether a path stays below the package: no part of it is empty, "." or "..".
static bool is_beneath(struct docent_text path) {
    size_t start = 0;
    for (size_t index = 0; index <= path.length; index++) {
        if (index < path.length && path.bytes[index] == 0) {
            return false;
        }
        if (index == path.length || path.bytes[index] == '/') {
            size_t length = index - start;
            bool is_dots = length > 0 && length <= 2 && path.bytes[start] == '.' && path.bytes[index - 1] == '.';
            if (length == 0 || length > 255 || is_dots) {
                return false;
            }
            start = index + 1;
        }
    }
    return true;
}

static bool read_element(const struct json *part, struct docent_element *element) {
    const struct json *is_folder = json_member(part, "isFolder");
    const struct json *size = json_member(part, "size");
    element->is_folder = is_folder != NULL && is_folder->kind == JSON_TRUE;
    element->size = size != NULL ? size->integer : -1;
    return read_optional(part, "path", &element->path) && read_optional(part, "digest", &element->digest) &&
           read_optional(part, "version", &element->version) && read_optional(part, "from", &element->from) &&
           (element->is_folder || (is_folder != NULL && is_folder->kind == JSON_FALSE)) &&
           (size == NULL || (size->kind == JSON_INTEGER && size->integer >= 0)) && element->path.bytes != NULL &&
           is_beneath(element->path) && (element->from.bytes == NULL || is_beneath(element->from));
}

// Reads the whole list; NULL: the call has failed.
static struct docent_element *read_elements(struct docent_call *call, size_t *count) {
    const struct json *list = call_list(call, "elements");
    *count = 0;
    for (const struct json *part = list != NULL ? list->first : NULL; part != NULL; part = part->next) {
        (*count)++;
    }
    if (list == NULL) {
        return NULL;
    }
    struct docent_element *elements = arena_take(call->arena, (*count + 1) * sizeof *elements);
    if (elements == NULL) {
        docent_fail(call, DOCENT_FAILED, "There is not enough memory.");
        return NULL;
    }
    size_t index = 0;
    for (const struct json *part = list->first; part != NULL; part = part->next) {
        if (!read_element(part, &elements[index++])) {
            docent_fail(call, DOCENT_INVALID_ARGUMENT, "An element of the package is invalid.");
            return NULL;
        }
    }
    return elements;
}

// MARK: Methods

static bool has_packages(const struct docent_provider *provider) {
    return provider->begin_package != NULL && provider->stage_element != NULL && provider->commit_package != NULL;
}

bool begin_package(struct server *server, struct docent_call *call) {
    struct docent_text domain;
    struct docent_package package = {.base = docent_text_of("")};
    struct docent_operation operation;
    size_t count;
    if (!has_packages(call->provider)) {
        return method_is_missing(call, "BeginPackage");
    }
    struct docent_element *elements = read_elements(call, &count);
    if (elements == NULL || !call_text(call, "domain", true, &domain) ||
        !call_text(call, "identifier", false, &package.identifier) ||
        !call_text(call, "baseVersion", false, &package.base) || !call_text(call, "parent", false, &package.parent) ||
        !call_text(call, "name", false, &package.name) || !call_text(call, "operation", true, &operation.name) ||
        !call_text(call, "digest", true, &operation.digest)) {
        return false;
    }
    bool is_new = package.identifier.bytes == NULL;
    if (is_new ? package.parent.bytes == NULL || package.name.bytes == NULL
               : docent_text_equal(package.identifier, docent_text_of(DOCENT_ROOT))) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "A package has an identifier, or a folder and a name.");
    }
    if (!remember(server, domain, operation.name)) {
        return docent_fail(call, DOCENT_FAILED, "There is not enough memory.");
    }
    return call->provider->begin_package(call, call->state, package, elements, count, operation);
}

bool stage_element(struct server *server, struct docent_call *call) {
    struct docent_text operation, path, digest;
    int64_t size;
    if (!has_packages(call->provider)) {
        return method_is_missing(call, "StageElement");
    }
    if (!call_text(call, "operation", true, &operation) || !call_text(call, "path", true, &path) ||
        !call_integer(call, "size", true, &size) || !call_text(call, "digest", true, &digest) ||
        !call_opens_content(call, size)) {
        return false;
    }
    if (size < 0 || !is_beneath(path)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "This is not an element of a package.");
    }
    struct domain *domain = enter(server, call, operation);
    bool is_done =
        domain != NULL && call->provider->stage_element(call, call->state, operation, path, size, digest);
    if (domain != NULL) {
        domains_leave(&server->domains, domain);
    }
    return is_done;
}

bool commit_package(struct server *server, struct docent_call *call) {
    struct docent_text operation;
    if (!has_packages(call->provider)) {
        return method_is_missing(call, "CommitPackage");
    }
    if (!call_text(call, "operation", true, &operation)) {
        return false;
    }
    call->metadata = json_member(call->parameters, "metadata");
    struct domain *domain = enter(server, call, operation);
    bool is_done = domain != NULL && call->provider->commit_package(call, call->state, operation);
    if (domain != NULL) {
        domains_leave(&server->domains, domain);
    }
    return is_done;
}

void add_needed(struct docent_call *call, struct buffer *message) {
    json_open(message, "needed", '[');
    buffer_add(message, call->needed.bytes, call->needed.length);
    json_close(message, ']');
    if (call->item_count > 0) {
        json_add_written(message, "item", &call->items);
    }
}
