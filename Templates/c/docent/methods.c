// The methods of org.docent.FileProvider: read the parameters, call the provider, write the answer.
#include <stdio.h>
#include <string.h>

#include "server.h"

// MARK: Methods

bool method_is_missing(struct docent_call *call, const char *name) {
    char method[100];
    snprintf(method, sizeof method, "%s.%s", DOCENT_INTERFACE, name);
    return call_refuse(
        call, "org.varlink.service.MethodNotImplemented", "method", docent_text_of(method));
}

static bool initialize(struct server *server, struct docent_call *call) {
    const struct docent_provider *provider = call->provider;
    int64_t version = 0;
    struct docent_text point;
    const struct json *list = json_member(call->parameters, "domains");
    if (!call_integer(call, "version", true, &version) || !call_text(call, "point", true, &point)) {
        return false;
    }
    if (version != 1 || !docent_text_equal(point, docent_text_of("com.apple.fileprovider-nonui"))) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "This is a file provider for version 1 of the protocol.");
    }
    if (list == NULL || list->kind != JSON_ARRAY) {
        return call_refuse(call, "org.varlink.service.InvalidParameter", "parameter", docent_text_of("domains"));
    }
    if (!domains_replace(&server->domains, call, list)) {
        return false;
    }
    const struct {
        const char *name;
        bool is_there;
    } features[] = {
        {"changes", provider->changes != NULL},
        {"write", provider->create != NULL && provider->modify != NULL},
        {"delete", provider->remove != NULL},
        {"move", provider->move != NULL},
        {"resume", provider->resumes},
        {"metadata", provider->keeps_metadata},
        {"signIn", provider->sign_in != NULL},
        {"authenticate", provider->authenticate != NULL},
        {"packages", provider->begin_package != NULL},
    };
    for (size_t index = 0; index < sizeof features / sizeof *features; index++) {
        if (features[index].is_there) {
            json_add_text(&call->items, NULL, docent_text_of(features[index].name));
        }
    }
    return true;
}

static bool connect_further(struct server *server, struct docent_call *call) {
    int socket = call->content;
    call->content = -1;
    if (socket < 0) {
        return call_refuse(call, "org.varlink.service.InvalidParameter", "parameter", docent_text_of("socket"));
    }
    if (!server_connect(server, socket)) {
        return docent_fail(call, DOCENT_BUSY, "There are too many connections.");
    }
    return true;
}

static bool item(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier;
    return call_text(call, "identifier", true, &identifier) && call->provider->item(call, call->state, identifier);
}

static bool child(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text parent, name;
    return call_text(call, "parent", true, &parent) && call_text(call, "name", true, &name) &&
           call->provider->child(call, call->state, parent, name);
}

static bool children(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text parent, page = {.bytes = NULL, .length = 0};
    return call_text(call, "parent", true, &parent) && call_text(call, "page", false, &page) &&
           call->provider->children(call, call->state, parent, page);
}

static bool changes(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text anchor = {.bytes = NULL, .length = 0};
    if (call->provider->changes == NULL) {
        return method_is_missing(call, "Changes");
    }
    return call_text(call, "anchor", false, &anchor) && call->provider->changes(call, call->state, anchor);
}

static bool fetch(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier;
    struct docent_resume resume = {.offset = 0, .version = {.bytes = "", .length = 0}};
    if (!call_text(call, "identifier", true, &identifier) || !call_integer(call, "offset", false, &resume.offset) ||
        !call_text(call, "version", false, &resume.version) || !call_opens_destination(call)) {
        return false;
    }
    if (resume.offset < 0) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "Content cannot begin before its start.");
    }
    call->resumable = resume.offset;
    if (!call->provider->resumes || resume.version.length == 0) {
        resume.offset = 0;
    }
    return call->provider->fetch(call, call->state, identifier, resume) && call_ends_content(call);
}

static bool read_operation(struct docent_call *call, struct docent_operation *operation) {
    operation->digest = docent_text_of("");
    return call_text(call, "operation", true, &operation->name) &&
           call_text(call, "digest", false, &operation->digest);
}

static bool create(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text parent, name;
    struct docent_operation operation;
    bool is_folder;
    int64_t size = -1;
    if (call->provider->create == NULL) {
        return method_is_missing(call, "Create");
    }
    call->metadata = json_member(call->parameters, "metadata");
    if (!call_text(call, "parent", true, &parent) || !call_text(call, "name", true, &name) ||
        !call_flag(call, "isFolder", &is_folder) || !call_integer(call, "size", false, &size) ||
        !read_operation(call, &operation)) {
        return false;
    }
    if (is_folder != (call->content < 0)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "A document has content, a folder has none.");
    }
    return (is_folder || call_opens_content(call, size)) &&
           call->provider->create(call, call->state, parent, name, is_folder, size, operation);
}

static bool modify(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier, base = {.bytes = "", .length = 0};
    struct docent_operation operation;
    int64_t size;
    if (call->provider->modify == NULL) {
        return method_is_missing(call, "Modify");
    }
    call->metadata = json_member(call->parameters, "metadata");
    return call_text(call, "identifier", true, &identifier) && call_text(call, "baseVersion", false, &base) &&
           call_integer(call, "size", true, &size) && read_operation(call, &operation) &&
           call_opens_content(call, size) &&
           call->provider->modify(call, call->state, identifier, base, size, operation);
}

static bool is_root(struct docent_text identifier) { return docent_text_equal(identifier, docent_text_of(DOCENT_ROOT)); }

static bool delete_item(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier, base = {.bytes = "", .length = 0};
    bool recursive;
    if (call->provider->remove == NULL) {
        return method_is_missing(call, "Delete");
    }
    if (!call_text(call, "identifier", true, &identifier) || !call_text(call, "baseVersion", false, &base) ||
        !call_flag(call, "recursive", &recursive)) {
        return false;
    }
    if (is_root(identifier)) {
        return docent_fail(call, DOCENT_NOT_PERMITTED, "The top folder cannot be deleted.");
    }
    return call->provider->remove(call, call->state, identifier, base, recursive);
}

static bool move(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier, parent, name, base = {.bytes = "", .length = 0};
    struct docent_operation operation;
    if (call->provider->move == NULL) {
        return method_is_missing(call, "Move");
    }
    if (!call_text(call, "identifier", true, &identifier) || !call_text(call, "baseVersion", false, &base) ||
        !call_text(call, "parent", true, &parent) || !call_text(call, "name", true, &name) ||
        !read_operation(call, &operation)) {
        return false;
    }
    if (is_root(identifier)) {
        return docent_fail(call, DOCENT_INVALID_ARGUMENT, "The top folder cannot be moved.");
    }
    return call->provider->move(call, call->state, identifier, base, parent, name, operation);
}

static bool observe(struct server *server, struct docent_call *call) {
    (void)server;
    struct docent_text identifier;
    bool observing;
    if (call->provider->observe == NULL) {
        return method_is_missing(call, "Observe");
    }
    return call_text(call, "identifier", true, &identifier) && call_flag(call, "observing", &observing) &&
           call->provider->observe(call, call->state, identifier, observing);
}

// MARK: Answers

static void add_item(struct docent_call *call, struct buffer *message) {
    if (call->item_count > 0) {
        json_add_written(message, "item", &call->items);
    }
    if (call->conflict.bytes != NULL) {
        json_add_text(message, "conflict", call->conflict);
    }
}

static void add_list(struct docent_call *call, struct buffer *message, const char *key) {
    json_open(message, key, '[');
    buffer_add(message, call->items.bytes, call->items.length);
    json_close(message, ']');
}

static void add_features(struct docent_call *call, struct buffer *message) {
    json_add_text(message, "sdk", docent_text_of("docent-c 1"));
    add_list(call, message, "features");
}

static void add_page(struct docent_call *call, struct buffer *message) {
    add_list(call, message, "items");
    if (call->next.bytes != NULL) {
        json_add_text(message, "nextPage", call->next);
    }
}

static void add_changes(struct docent_call *call, struct buffer *message) {
    add_list(call, message, "changed");
    json_open(message, "deleted", '[');
    buffer_add(message, call->deleted.bytes, call->deleted.length);
    json_close(message, ']');
    json_add_text(message, "anchor", call->anchor);
    json_add_flag(message, "more", call->has_more);
}

static void add_fetched(struct docent_call *call, struct buffer *message) {
    add_item(call, message);
    call_add_progress(call, message);
    json_add_integer(message, "offset", call->beginning);
}

static void add_nothing(struct docent_call *call, struct buffer *message) {
    (void)call;
    (void)message;
}

// MARK: The table

static const struct method methods[] = {
    {"Initialize", initialize, .is_global = true, .add_answer = add_features},
    {"Connect", connect_further, {"socket"}, .is_global = true, .add_answer = add_nothing},
    {"Item", item, .add_answer = add_item},
    {"Child", child, .add_answer = add_item},
    {"Children", children, .add_answer = add_page},
    {"Changes", changes, .add_answer = add_changes},
    {"Fetch", fetch, {"destination"}, .add_answer = add_fetched},
    {"Create", create, {"content", "thumbnail"}, .add_answer = add_item},
    {"Modify", modify, {"content", "thumbnail"}, .add_answer = add_item},
    {"Delete", delete_item, .add_answer = add_nothing},
    {"Move", move, .add_answer = add_item},
    {"SignIn", sign_in, .has_secrets = true, .add_answer = add_account},
    {"SignOut", sign_out, .add_answer = add_nothing},
    {"SignInForms", sign_in_forms, .is_global = true, .add_answer = add_forms},
    {"Authenticate", authenticate, .is_global = true, .has_secrets = true, .add_answer = add_signed_in},
    {"AnswerAuthentication", answer_question, .is_global = true, .has_secrets = true, .add_answer = add_nothing},
    {"ContinueAuthentication", continue_attempt, .is_global = true, .has_secrets = true, .add_answer = add_nothing},
    {"Events", events, .is_global = true, .add_answer = add_last_event},
    {"Observe", observe, .add_answer = add_nothing},
    {"BeginPackage", begin_package, .add_answer = add_needed},
    {"StageElement", stage_element, {"content"}, .is_global = true, .add_answer = add_nothing},
    {"CommitPackage", commit_package, {"thumbnail"}, .is_global = true, .add_answer = add_item},
    // Other methods of the interface. The host calls them only if a feature declares them, or can do without them.
    {"ClaimAnswered", .answer = NULL},
    {"Claims", .answer = NULL},
    {"DeleteTrashed", .answer = NULL},
    {"FetchRange", .answer = NULL, .descriptors = {"destination"}},
    {"FetchVersion", .answer = NULL, .descriptors = {"destination"}},
    {"ItemChanged", .answer = NULL},
    {"Keychain", .answer = NULL},
    {"KeychainAnswered", .answer = NULL, .has_secrets = true},
    {"ListTrash", .answer = NULL},
    {"ListVersions", .answer = NULL},
    {"OpenInPlace", .answer = NULL},
    {"Perform", .answer = NULL, .has_secrets = true},
    {"PersistentIdentifier", .answer = NULL},
    {"Provide", .answer = NULL},
    {"ProvidePlaceholder", .answer = NULL},
    {"RestoreItem", .answer = NULL},
    {"RestoreVersion", .answer = NULL},
    {"StopProviding", .answer = NULL},
    {"Thumbnail", .answer = NULL, .descriptors = {"destination"}},
    {"TrashItem", .answer = NULL},
    {"URLForItem", .answer = NULL},
    {"Usage", .answer = NULL},
};

// Whether a successful call has everything that the answer of its method needs.
static bool is_answered(const struct docent_call *call, const struct method *method) {
    bool has_item = method->add_answer == add_item || method->add_answer == add_fetched;
    if (has_item) {
        return call->item_count == 1;
    }
    return method->answer != changes || call->anchor.bytes != NULL;
}

bool method_send_answer(struct docent_call *call, const struct method *method) {
    struct buffer message = {0};
    if (call->error.length == 0) {
        json_open(&message, NULL, '{');
        json_open(&message, "parameters", '{');
        method->add_answer(call, &message);
        json_close(&message, '}');
        json_close(&message, '}');
        if (message.failed || call->items.failed || call->deleted.failed || call->needed.failed ||
            message.length > WIRE_MESSAGE_BYTES) {
            docent_fail(call, DOCENT_FAILED, "The answer is too long: split it into pages.");
        }
    }
    bool is_sent = wire_send(call->wire, call->error.length > 0 ? &call->error : &message);
    if (method->has_secrets && message.bytes != NULL) {
        explicit_bzero(message.bytes, message.length);
    }
    buffer_end(&message);
    return is_sent;
}

// Answers a method of the interface. False: the caller has gone.
bool method_answer(struct server *server, struct docent_call *call, const struct method *method) {
    struct domain *domain = NULL;
    bool needs_domain = !method->is_global;
    if (method->answer == NULL) {
        method_is_missing(call, method->name);
        return method_send_answer(call, method);
    }
    struct docent_text identifier;
    bool is_good = true;
    if (needs_domain) {
        is_good = call_text(call, "domain", true, &identifier);
        domain = is_good ? domains_enter(&server->domains, call, identifier) : NULL;
        is_good = domain != NULL;
    }
    is_good = is_good && method->answer(server, call);
    if (domain != NULL) {
        domains_leave(&server->domains, domain);
    }
    if (call->is_cancelled) {
        return false;
    }
    if (call->error.length == 0 && (!is_good || !is_answered(call, method))) {
        docent_fail(call, DOCENT_FAILED, "The provider gave neither a complete answer nor an error.");
    }
    return method_send_answer(call, method);
}

const struct method *method_find(struct docent_text name) {
    for (size_t index = 0; index < sizeof methods / sizeof *methods; index++) {
        char full[100];
        snprintf(full, sizeof full, "%s.%s", DOCENT_INTERFACE, methods[index].name);
        if (docent_text_equal(name, docent_text_of(full))) {
            return &methods[index];
        }
    }
    return NULL;
}
