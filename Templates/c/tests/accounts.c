// Signing in, events, observing, domains that show a folder, metadata, packages, and names that are not UTF-8, with a
// special provider.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"

// MARK: A provider that records its calls

static char noted[1024];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(const char *what, struct docent_text text) {
    pthread_mutex_lock(&lock);
    size_t length = strlen(noted);
    snprintf(noted + length, sizeof noted - length, "%s %.*s;", what, (int)text.length, text.bytes != NULL ? text.bytes : "");
    pthread_mutex_unlock(&lock);
}

static bool was_noted(const char *what) {
    pthread_mutex_lock(&lock);
    bool is_noted = strstr(noted, what) != NULL;
    noted[0] = 0;
    pthread_mutex_unlock(&lock);
    return is_noted;
}

static bool open_domain(struct docent_call *call, const struct docent_domain *domain, void **state) {
    (void)call;
    note("folder", domain->folder);
    *state = NULL;
    return true;
}

static void give(struct docent_call *call, const char *identifier, bool is_folder) {
    struct docent_item item = {
        .identifier = docent_text_of(identifier), .parent = docent_text_of(DOCENT_ROOT),
        .name = docent_text_of(identifier), .version = docent_text_of("1"), .is_folder = is_folder, .size = -1};
    docent_give_item(call, &item);
}

static bool item(struct docent_call *call, void *state, struct docent_text identifier) {
    (void)state;
    (void)identifier;
    give(call, DOCENT_ROOT, true);
    return true;
}

static bool child(struct docent_call *call, void *state, struct docent_text parent, struct docent_text name) {
    (void)state;
    (void)parent;
    (void)name;
    return docent_fail(call, DOCENT_NO_SUCH_ITEM, "There is none.");
}

static bool children(struct docent_call *call, void *state, struct docent_text parent, struct docent_text page) {
    (void)call;
    (void)state;
    (void)parent;
    (void)page;
    return true;
}

static bool fetch(struct docent_call *call, void *state, struct docent_text identifier, struct docent_resume resume) {
    (void)state;
    (void)identifier;
    (void)resume;
    return docent_fail(call, DOCENT_NO_SUCH_ITEM, "There is none.");
}

static bool create(
    struct docent_call *call, void *state, struct docent_text parent, struct docent_text name, bool is_folder,
    int64_t size, struct docent_operation operation) {
    (void)state;
    (void)parent;
    (void)name;
    (void)is_folder;
    (void)size;
    (void)operation;
    struct docent_metadata metadata = docent_metadata(call);
    char text[200] = "";
    for (size_t index = 0; index < metadata.attribute_count; index++) {
        struct docent_text key, value;
        if (!docent_attribute(call, index, &key, &value)) {
            return false;
        }
        note("attribute", key);
        note("value", value);
    }
    char first = 0;
    if (metadata.thumbnail >= 0) {
        CHECK(pread(metadata.thumbnail, &first, 1, 0) == 1);
    }
    snprintf(
        text, sizeof text, "%lld %lld %d %c", (long long)metadata.creation_time, (long long)metadata.modification_time,
        metadata.hidden_extension, first != 0 ? first : '-');
    note("dates", docent_text_of(text));
    give(call, "new", false);
    return true;
}

static bool modify(
    struct docent_call *call, void *state, struct docent_text identifier, struct docent_text base, int64_t size,
    struct docent_operation operation) {
    (void)state;
    (void)identifier;
    (void)base;
    (void)size;
    (void)operation;
    docent_give_conflict(call, docent_text_of("kept"));
    give(call, "new", false);
    return true;
}

static bool take_credential(struct docent_call *call, void *state, struct docent_credential credential) {
    (void)state;
    note("kind", credential.kind);
    note("user", credential.username);
    if (credential.secret.bytes != NULL && !docent_text_equal(credential.secret, docent_text_of("right"))) {
        return docent_fail(call, DOCENT_NOT_AUTHENTICATED, "The service does not know it.");
    }
    docent_give_account(call, docent_text_of("Ada"));
    return true;
}

static void forget_credential(void *state) {
    (void)state;
    note("signed out", docent_text_of(""));
}

static const struct docent_choice regions[] = {{"eu", "Europe"}, {"us", "America"}};
static const struct docent_field host_key = {.key = "hostKey", .label = "Right key?", .kind = DOCENT_FIELD_CONFIRM};
static const struct docent_field code = {
    .key = "code", .label = "Code", .kind = DOCENT_FIELD_SECRET, .is_multiline = true};
static const struct docent_field fields[] = {
    {.key = "url", .label = "Address", .kind = DOCENT_FIELD_URL, .value = "https://h/"},
    {.key = "region", .label = "Region", .kind = DOCENT_FIELD_CHOICE, .is_optional = true, .choices = regions, .choice_count = 2},
    {.key = "password", .label = "Password", .kind = DOCENT_FIELD_SECRET, .value = "never"},
    {.key = "play", .label = "Play", .is_optional = true},
};
static const struct docent_form forms[] = {
    {.identifier = "key", .title = "Key", .fields = fields, .field_count = 4, .questions = &host_key, .question_count = 1,
     .uses_browser = true, .uses_code = true},
};

static bool is_play(struct docent_call *call, const char *name) {
    return docent_text_equal(docent_answer(call, "play"), docent_text_of(name));
}

static bool ask(struct docent_call *call) {
    struct docent_text answer;
    if (!docent_show_message(call, "A moment.") || !docent_ask(call, &host_key, 60, &answer)) {
        return false;
    }
    if (!docent_text_equal(answer, docent_text_of("yes"))) {
        return docent_fail(call, DOCENT_NOT_AUTHENTICATED, "The key was not accepted.");
    }
    if (!docent_ask(call, &code, 60, &answer)) {
        return false;
    }
    docent_give_setting(call, "region", docent_text_of("moon"));
    struct docent_credential credential = {.kind = docent_text_of("token"), .secret = answer};
    docent_give_credential(call, credential);
    return true;
}

static bool try_answers(struct docent_call *call, const struct docent_domain *domain, const struct docent_form *form) {
    struct docent_credential credential = {
        .kind = docent_text_of("password"), .username = docent_text_of("ada"), .secret = docent_answer(call, "password")};
    struct docent_text answer;
    CHECK(form == &forms[0]);
    note("domain", domain->identifier);
    if (is_play(call, "ask")) {
        return ask(call);
    }
    if (is_play(call, "many")) {
        for (int index = 0; index < 100; index++) {
            if (!docent_ask(call, &host_key, 60, &answer)) {
                return false;
            }
        }
    }
    if (is_play(call, "soon")) {
        return docent_ask(call, &host_key, 1, &answer);
    }
    if (is_play(call, "recover") && !docent_ask(call, &host_key, 60, &answer)) {
        docent_recover(call);
    }
    if (is_play(call, "browser")) {
        if (!docent_show_code(call, "ABCD", "https://id/", 1500) || !docent_open(call, "https://id/") ||
            !docent_await_browser(call, 60, &answer)) {
            return false;
        }
        credential.secret = answer;
    }
    if (is_play(call, "nothing")) {
        return true;
    }
    docent_give_credential(call, credential);
    return true;
}

static bool observe(struct docent_call *call, void *state, struct docent_text identifier, bool observing) {
    (void)call;
    (void)state;
    note(observing ? "observing" : "leaving", identifier);
    return true;
}

static bool begin(
    struct docent_call *call, void *state, struct docent_package package, const struct docent_element *elements,
    size_t count, struct docent_operation operation) {
    (void)state;
    (void)operation;
    note("package", package.identifier.bytes != NULL ? package.identifier : package.name);
    for (size_t index = 0; index < count; index++) {
        if (!elements[index].is_folder && elements[index].version.bytes == NULL) {
            docent_give_needed(call, elements[index].path);
        }
    }
    return true;
}

static bool stage(
    struct docent_call *call, void *state, struct docent_text operation, struct docent_text path, int64_t size,
    struct docent_text digest) {
    (void)state;
    (void)operation;
    (void)digest;
    char bytes[64];
    ptrdiff_t count = docent_read(call, bytes, sizeof bytes);
    CHECK(count == size);
    note("staged", path);
    note("content", (struct docent_text){.bytes = bytes, .length = (size_t)count});
    return true;
}

static bool commit(struct docent_call *call, void *state, struct docent_text operation) {
    (void)state;
    note("committed", operation);
    docent_give_conflict(call, docent_text_of("kept"));
    give(call, "package", true);
    return true;
}

static const struct docent_provider provider = {
    .name = "Test", .version = "1", .open = open_domain, .item = item, .child = child, .children = children, .fetch = fetch,
    .create = create, .modify = modify, .keeps_metadata = true, .sign_in = take_credential, .sign_out = forget_credential,
    .forms = forms, .form_count = 1, .authenticate = try_answers, .observe = observe, .begin_package = begin,
    .stage_element = stage, .commit_package = commit,
};

static void *serve(void *argument) {
    struct host *host = argument;
    struct docent_extension_context_v1 context = {.size = sizeof context, .socket = host->theirs};
    return (void *)(intptr_t)docent_serve(&context, &provider);
}

static void start(struct host *host) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    host->wire = wire_make(ends[0]);
    host->theirs = ends[1];
    CHECK(pthread_create(&host->thread, NULL, serve, host) == 0);
    struct reply reply = call(
        &host->wire, "Initialize",
        "'version': 1, 'provider': 'p', 'point': 'com.apple.fileprovider-nonui', 'principalClass': 'P', "
        "'displayName': 'Test', 'domains': [{'identifier': '', 'displayName': 'T', 'storage': '/s'}, "
        "{'identifier': 'd', 'displayName': 'T', 'storage': '/s', 'folder': '/home/ada/Work'}]");
    CHECK(json_member(reply.parameters, "features") != NULL);
    char features[300] = "";
    for (const struct json *one = json_member(reply.parameters, "features")->first; one != NULL; one = one->next) {
        strncat(features, one->string.bytes, one->string.length);
        strcat(features, " ");
    }
    CHECK(strcmp(features, "write metadata signIn authenticate packages ") == 0);
    reply_end(&reply);
}

static void end(struct host *host) { host_end(host, true); }

static bool is_there(struct reply reply, const char *error) {
    bool is_good = error == NULL ? json_member(reply.message, "error") == NULL : is_error(&reply, error);
    reply_end(&reply);
    return is_good;
}

// MARK: Tests

static void tells_of_folders(void) {
    struct host host;
    start(&host);
    CHECK(is_there(call(&host.wire, "Item", "'domain': '', 'identifier': '.root'"), NULL) && was_noted("folder ;"));
    CHECK(is_there(call(&host.wire, "Item", "'domain': 'd', 'identifier': '.root'"), NULL));
    CHECK(was_noted("folder /home/ada/Work;"));
    CHECK(is_there(call(&host.wire, "Observe", "'domain': '', 'identifier': 'x', 'observing': true"), NULL));
    CHECK(was_noted("observing x;"));
    CHECK(is_there(call(&host.wire, "Observe", "'domain': '', 'identifier': 'x', 'observing': false"), NULL));
    CHECK(was_noted("leaving x;"));
    end(&host);
}

static void takes_credentials(void) {
    struct host host;
    start(&host);
    struct reply reply =
        call(&host.wire, "SignIn", "'domain': '', 'kind': 'password', 'username': 'ada', 'secret': 'right'");
    CHECK(strcmp(text_of(&reply, "displayName"), "Ada") == 0 && was_noted("user ada;"));
    reply_end(&reply);
    CHECK(is_there(call(&host.wire, "SignIn", "'domain': '', 'kind': 'token', 'secret': 'wrong'"), "NotAuthenticated"));
    CHECK(was_noted("user ;"));
    CHECK(is_there(call(&host.wire, "SignIn", "'domain': 'x', 'kind': 'token'"), "InvalidArgument"));
    CHECK(is_there(call(&host.wire, "SignIn", "'domain': ''"), "InvalidParameter"));
    CHECK(is_there(call(&host.wire, "SignOut", "'domain': ''"), NULL) && was_noted("signed out"));
    end(&host);
}

static void shows_its_forms(void) {
    struct host host;
    start(&host);
    struct reply reply = call(&host.wire, "SignInForms", "%s", "");
    const struct json *form = json_member(reply.parameters, "forms")->first;
    const struct json *first = json_member(form, "fields")->first;
    CHECK(docent_text_equal(json_member(first, "value")->string, docent_text_of("https://h/")));
    CHECK(json_member(json_member(first->next, "choices")->first, "label") != NULL);
    CHECK(json_member(first->next->next, "value") == NULL);
    CHECK(json_member(form, "browser")->first->next != NULL);
    CHECK(docent_text_equal(json_member(json_member(form, "questions")->first, "kind")->string, docent_text_of("confirm")));
    reply_end(&reply);
    end(&host);
}

#define ATTEMPT "'domain': {'identifier': 'new', 'displayName': 'N', 'storage': '/s', 'settings': {'kept': 'k', 'url': 'old'}}, "

static void tries_answers(void) {
    struct host host;
    start(&host);
    struct reply reply = call(
        &host.wire, "Authenticate", ATTEMPT "'form': 'key', 'attempt': '1', 'values': {'password': 'hush', 'region': 'eu'}");
    const struct json *settings = json_member(reply.parameters, "settings");
    CHECK(strcmp(text_of(&reply, "secret"), "hush") == 0 && strcmp(text_of(&reply, "username"), "ada") == 0);
    CHECK(docent_text_equal(json_member(settings, "url")->string, docent_text_of("https://h/")));
    CHECK(docent_text_equal(json_member(settings, "region")->string, docent_text_of("eu")));
    CHECK(docent_text_equal(json_member(settings, "kept")->string, docent_text_of("k")));
    CHECK(json_member(settings, "password") == NULL && was_noted("domain new;"));
    reply_end(&reply);
    static const char *const bad[] = {
        "'form': 'none', 'attempt': '1', 'values': {'password': 'hush'}",
        "'form': 'key', 'attempt': '1', 'values': {}",
        "'form': 'key', 'attempt': '1', 'values': {'password': ''}",
        "'form': 'key', 'attempt': '1', 'values': {'password': 'hush', 'other': 'hush'}",
        "'form': 'key', 'attempt': '1', 'values': {'password': 'hush', 'region': 'hush'}",
        "'form': 'key', 'attempt': '1', 'values': {'password': 'hush\\u0000'}",
        "'form': 'key', 'attempt': '1', 'values': {'password': 7}",
        "'form': 'key', 'attempt': '1', 'values': {'password': 'hush'}, 'redirect': 'https://evil/'",
    };
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        reply = call(&host.wire, "Authenticate", ATTEMPT "%s", bad[index]);
        CHECK(is_error(&reply, "InvalidArgument") && strstr(text_of(&reply, "message"), "hush") == NULL);
        reply_end(&reply);
    }
    CHECK(is_there(call(&host.wire, "Authenticate", "'form': 'key', 'attempt': '1', 'values': {}"), "InvalidParameter"));
    CHECK(is_there(
        call(&host.wire, "Authenticate", ATTEMPT "'form': 'key', 'attempt': '1', 'values': {'password': 'h', 'play': 'nothing'}"),
        "Failed"));
    // Without `more`, no question can be asked.
    CHECK(is_there(
        call(
            &host.wire, "Authenticate",
            ATTEMPT "'form': 'key', 'attempt': '1', 'answersQuestions': true, 'values': {'password': 'h', 'play': 'ask'}"),
        "NotAuthenticated"));
    end(&host);
}

static void begin_attempt(struct wire *wire, const char *play, const char *more) {
    char parameters[600];
    snprintf(
        parameters, sizeof parameters, ATTEMPT "'form': 'key', 'attempt': '1'%s, 'values': {'password': 'h', 'play': '%s'}",
        more, play);
    send_call(wire, "Authenticate", true, NULL, 0, parameters);
}

static const struct json *step_of(const struct reply *reply) { return json_member(reply->parameters, "step"); }

static bool is_step(const struct reply *reply, const char *kind) {
    const struct json *given = json_member(step_of(reply), "kind");
    return given != NULL && docent_text_equal(given->string, docent_text_of(kind));
}

static void asks_while_it_signs_in(void) {
    struct host host;
    start(&host);
    struct wire other = host_connect(&host);
    struct reply reply;
    begin_attempt(&host.wire, "ask", ", 'answersQuestions': true");
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "message"));
    reply_end(&reply);
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "question"));
    CHECK(json_member(step_of(&reply), "number")->integer == 1 && json_member(step_of(&reply), "expires") != NULL);
    reply_end(&reply);
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '2', 'number': 1, 'answer': 'yes'"), "NoSuchItem"));
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 2, 'answer': 'yes'"), "NoSuchItem"));
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 1, 'answer': 'ok'"), "InvalidArgument"));
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 1, 'answer': ''"), "InvalidArgument"));
    CHECK(is_there(call(&other, "Authenticate", ATTEMPT "'form': 'key', 'attempt': '1', 'values': {'password': 'h'}"), "InvalidArgument"));
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 1, 'answer': 'yes'"), NULL));
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "question"));
    CHECK(json_member(json_member(step_of(&reply), "question"), "isMultiline")->kind == JSON_TRUE);
    reply_end(&reply);
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 1, 'answer': 'yes'"), "NoSuchItem"));
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 2, 'answer': 'a\\nb'"), NULL));
    CHECK(next_reply(&host.wire, &reply) && strcmp(text_of(&reply, "secret"), "a\nb\n") == 0);
    // The provider's settings replace the answers and override those of the domain.
    const struct json *settings = json_member(reply.parameters, "settings");
    CHECK(docent_text_equal(json_member(settings, "region")->string, docent_text_of("moon")));
    CHECK(docent_text_equal(json_member(settings, "url")->string, docent_text_of("old")));
    reply_end(&reply);
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 2, 'answer': 'x'"), "NoSuchItem"));
    wire_end(&other);
    end(&host);
}

static void lives_without_answers(void) {
    struct host host;
    start(&host);
    struct wire other = host_connect(&host);
    struct reply reply;
    // There is no answer: the provider continues.
    begin_attempt(&host.wire, "recover", ", 'answersQuestions': true");
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "question"));
    reply_end(&reply);
    CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': 1"), NULL));
    CHECK(next_reply(&host.wire, &reply) && strcmp(text_of(&reply, "secret"), "h") == 0);
    reply_end(&reply);
    // No person can be asked.
    begin_attempt(&host.wire, "recover", "");
    CHECK(next_reply(&host.wire, &reply) && strcmp(text_of(&reply, "secret"), "h") == 0);
    reply_end(&reply);
    // The answer does not come in time.
    begin_attempt(&host.wire, "soon", ", 'answersQuestions': true");
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "question"));
    reply_end(&reply);
    CHECK(next_reply(&host.wire, &reply) && is_error(&reply, "NotAuthenticated"));
    reply_end(&reply);
    // Sixteen questions are the limit.
    begin_attempt(&host.wire, "many", ", 'answersQuestions': true");
    for (int number = 1; number <= 16; number++) {
        CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "question"));
        reply_end(&reply);
        CHECK(is_there(call(&other, "AnswerAuthentication", "'attempt': '1', 'number': %d, 'answer': 'no'", number), NULL));
    }
    CHECK(next_reply(&host.wire, &reply) && is_error(&reply, "Failed"));
    reply_end(&reply);
    // The host closes the connection while the provider waits: the wait ends, and the process can exit.
    struct wire third = host_connect(&host);
    begin_attempt(&third, "ask", ", 'answersQuestions': true");
    CHECK(next_reply(&third, &reply) && is_step(&reply, "message"));
    reply_end(&reply);
    wire_end(&third);
    begin_attempt(&other, "many", ", 'answersQuestions': true");
    wire_end(&other);
    end(&host);
}

static void sends_a_browser(void) {
    struct host host;
    start(&host);
    struct wire other = host_connect(&host);
    struct reply reply;
    begin_attempt(&host.wire, "browser", ", 'redirect': 'http://127.0.0.1:80/'");
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "code"));
    reply_end(&reply);
    CHECK(next_reply(&host.wire, &reply) && is_step(&reply, "open"));
    reply_end(&reply);
    CHECK(is_there(call(&other, "ContinueAuthentication", "'attempt': '1', 'url': 'http://127.0.0.1:81/'"), "InvalidArgument"));
    CHECK(is_there(call(&other, "ContinueAuthentication", "'attempt': '9', 'url': 'http://127.0.0.1:80/'"), "NoSuchItem"));
    CHECK(is_there(call(&other, "ContinueAuthentication", "'attempt': '1', 'url': 'http://127.0.0.1:80/?c'"), NULL));
    CHECK(next_reply(&host.wire, &reply) && strcmp(text_of(&reply, "secret"), "http://127.0.0.1:80/?c") == 0);
    reply_end(&reply);
    wire_end(&other);
    end(&host);
}

static void tells_news(void) {
    struct host host;
    start(&host);
    struct docent_text domain = docent_text_of("");
    docent_signal_changed(domain, docent_text_of("a"));
    docent_signal_changed(domain, docent_text_of("b"));
    docent_signal_changed(domain, docent_text_of("a"));
    docent_signal_deleted(domain, docent_text_of("b"));
    docent_log(domain, "line %d", 7);
    struct wire listener = host_connect(&host);
    struct reply reply;
    CHECK(is_there(call(&listener, "Events", "%s", ""), "InvalidArgument"));
    send_call(&listener, "Events", true, NULL, 0, "");
    static const struct {
        const char *kind, *identifier, *message;
    } expected[] = {{"changed", "a", ""}, {"deleted", "b", ""}, {"log", NULL, "line 7"}};
    for (size_t index = 0; index < 3; index++) {
        CHECK(next_reply(&listener, &reply) && json_member(reply.message, "continues")->kind == JSON_TRUE);
        const struct json *identifier = json_member(reply.parameters, "identifiers")->first;
        CHECK(strcmp(text_of(&reply, "kind"), expected[index].kind) == 0);
        CHECK(strcmp(text_of(&reply, "message"), expected[index].message) == 0);
        CHECK((identifier == NULL) == (expected[index].identifier == NULL));
        CHECK(identifier == NULL || docent_text_equal(identifier->string, docent_text_of(expected[index].identifier)));
        reply_end(&reply);
    }
    // More than are reported one by one.
    for (int number = 0; number < 5000; number++) {
        char name[16];
        snprintf(name, sizeof name, "%d", number);
        docent_signal_changed(docent_text_of("d"), docent_text_of(name));
    }
    bool has_resync = false, has_all = false;
    for (int seen = 0; !has_resync && !has_all;) {
        CHECK(next_reply(&listener, &reply) && strcmp(text_of(&reply, "domain"), "d") == 0);
        has_resync = strcmp(text_of(&reply, "kind"), "resync") == 0;
        for (const struct json *one = json_member(reply.parameters, "identifiers")->first; one != NULL; one = one->next) {
            seen++;
        }
        // Depends on how fast the listener was.
        has_all = seen == 5000;
        reply_end(&reply);
    }
    // Another listener takes over, and the first one is informed.
    struct wire next = host_connect(&host);
    send_call(&next, "Events", true, NULL, 0, "");
    do {
        CHECK(next_reply(&listener, &reply));
        has_all = json_member(reply.message, "continues") == NULL;
        reply_end(&reply);
    } while (!has_all);
    docent_signal_resync(docent_text_of("x"));
    CHECK(next_reply(&next, &reply) && strcmp(text_of(&reply, "kind"), "resync") == 0);
    reply_end(&reply);
    wire_end(&listener);
    wire_end(&next);
    end(&host);
    docent_signal_changed(domain, docent_text_of("nobody listens"));
}

static void keeps_what_is_beside(void) {
    struct host host;
    start(&host);
    int files[2] = {file_with("abc", 3), file_with("PNG", 3)};
    struct reply reply;
    send_call(
        &host.wire, "Create", false, files, 2,
        "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': false, 'content': 0, 'size': 3, 'operation': 'o', "
        "'thumbnail': 1, 'metadata': {'attributes': {'user.a': 'AP+A', 'user.b': 'eA=='}, 'creationDate': -1.5, "
        "'modificationDate': 1700000000.25, 'hasHiddenExtension': true}");
    CHECK(next_reply(&host.wire, &reply) && strcmp(text_of(&reply, "identifier"), "new") == 0);
    reply_end(&reply);
    pthread_mutex_lock(&lock);
    CHECK(strstr(noted, "dates -1500 1700000000250 1 P;") != NULL);
    CHECK(strstr(noted, "attribute user.b;value x;") != NULL);
    pthread_mutex_unlock(&lock);
    CHECK(was_noted("attribute user.a;"));
    reply = call_with(
        &host.wire, files[0], "Create",
        "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': false, 'content': 0, 'size': 3, 'operation': 'p'");
    CHECK(is_there(reply, NULL) && was_noted("dates 0 0 -1 -;"));
    static const char *const bad[] = {"A", "AAA", "A=A=", "====", "AA*A", "AAAAA==="};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        reply = call_with(
            &host.wire, files[0], "Create",
            "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': false, 'content': 0, 'size': 3, 'operation': 'q', "
            "'metadata': {'attributes': {'user.a': '%s'}}",
            bad[index]);
        check(is_there(reply, "InvalidArgument"), bad[index], __FILE__, __LINE__);
    }
    was_noted("");
    reply = call_with(
        &host.wire, files[0], "Modify",
        "'domain': '', 'identifier': 'x', 'content': 0, 'size': 3, 'digest': 'd', 'operation': 'r'");
    CHECK(strcmp(text_of(&reply, "conflict"), "kept") == 0);
    reply_end(&reply);
    close(files[0]);
    close(files[1]);
    end(&host);
}

#define ELEMENTS \
    "'elements': [{'path': 'a', 'isFolder': true}, {'path': 'a/b.txt', 'isFolder': false, 'size': 3, 'digest': 'x'}, " \
    "{'path': 'c', 'isFolder': false, 'version': '1', 'from': 'd'}]"

static void replaces_packages(void) {
    struct host host;
    start(&host);
    struct reply reply = call(
        &host.wire, "BeginPackage", "'domain': 'd', 'parent': '.root', 'name': 'n.pkg', 'digest': 'x', 'operation': 'o', " ELEMENTS);
    const struct json *needed = json_member(reply.parameters, "needed")->first;
    CHECK(docent_text_equal(needed->string, docent_text_of("a/b.txt")) && needed->next == NULL);
    CHECK(was_noted("package n.pkg;"));
    reply_end(&reply);
    int file = file_with("abc", 3);
    CHECK(is_there(
        call_with(&host.wire, file, "StageElement", "'operation': 'o', 'path': 'a/b.txt', 'content': 0, 'size': 3, 'digest': 'x'"),
        NULL));
    CHECK(was_noted("staged a/b.txt;content abc;"));
    CHECK(is_there(
        call_with(&host.wire, file, "StageElement", "'operation': 'p', 'path': 'a/b.txt', 'content': 0, 'size': 3, 'digest': 'x'"),
        "NoSuchItem"));
    CHECK(is_there(
        call_with(&host.wire, file, "StageElement", "'operation': 'o', 'path': '../b', 'content': 0, 'size': 3, 'digest': 'x'"),
        "InvalidArgument"));
    CHECK(is_there(
        call_with(&host.wire, file, "StageElement", "'operation': 'o', 'path': 'a/b.txt', 'content': 0, 'size': 4, 'digest': 'x'"),
        "InvalidArgument"));
    CHECK(is_there(call(&host.wire, "CommitPackage", "'operation': 'p'"), "NoSuchItem"));
    for (int time = 0; time < 2; time++) {
        reply = call(&host.wire, "CommitPackage", "'operation': 'o'");
        CHECK(strcmp(text_of(&reply, "conflict"), "kept") == 0 && strcmp(text_of(&reply, "identifier"), "package") == 0);
        reply_end(&reply);
    }
    static const char *const bad[] = {
        "'elements': [{'path': '', 'isFolder': true}]",        "'elements': [{'path': 'a//b', 'isFolder': true}]",
        "'elements': [{'path': '/a', 'isFolder': true}]",      "'elements': [{'path': 'a/..', 'isFolder': true}]",
        "'elements': [{'path': 'a/./b', 'isFolder': true}]",   "'elements': [{'path': 'a\\u0000', 'isFolder': true}]",
        "'elements': [{'path': 'a', 'isFolder': 1}]",          "'elements': [{'isFolder': true}]",
        "'elements': [{'path': 'a', 'isFolder': false, 'size': -1}]", "'elements': [7]",
        "'elements': [{'path': 'a', 'isFolder': false, 'from': '../b'}]",
    };
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        reply = call(
            &host.wire, "BeginPackage", "'domain': '', 'identifier': 'i', 'digest': 'x', 'operation': 'b', %s", bad[index]);
        check(is_there(reply, "InvalidArgument"), bad[index], __FILE__, __LINE__);
    }
    CHECK(is_there(
        call(&host.wire, "BeginPackage", "'domain': '', 'identifier': '.root', 'digest': 'x', 'operation': 'b', " ELEMENTS),
        "InvalidArgument"));
    CHECK(is_there(
        call(&host.wire, "BeginPackage", "'domain': '', 'digest': 'x', 'operation': 'b', " ELEMENTS), "InvalidArgument"));
    CHECK(is_there(
        call(&host.wire, "BeginPackage", "'domain': '', 'identifier': 'i', 'digest': 'x', 'operation': 'b'"),
        "InvalidParameter"));
    close(file);
    end(&host);
}

static void escapes_names(void) {
    static const struct {
        const char *bytes, *text;
    } names[] = {
        {"plain", "plain"}, {"é漢🎉", "é漢🎉"}, {"bl\xE5", "bl\\xE5"}, {"\xC0\xAF", "\\xC0\\xAF"}, {"\xED\xA0\x80", "\\xED\\xA0\\x80"},
        {"\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"}, {"\\xFF", "\\x5CxFF"}, {"\\x41", "\\x41"}, {"a\\b", "a\\b"}, {"", ""},
    };
    char text[100], bytes[100];
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
        size_t length = docent_escape(names[index].bytes, strlen(names[index].bytes), text, sizeof text);
        struct docent_text escaped = {.bytes = text, .length = length};
        check(docent_text_equal(escaped, docent_text_of(names[index].text)), names[index].text, __FILE__, __LINE__);
        size_t count = docent_unescape(escaped, bytes, sizeof bytes);
        CHECK(count == strlen(names[index].bytes) && memcmp(bytes, names[index].bytes, count) == 0);
    }
    CHECK(docent_unescape(docent_text_of("\\x2F\\x00\\x41"), bytes, sizeof bytes) == 12);
    srand(7);
    for (int round = 0; round < 20000; round++) {
        static const unsigned char alphabet[] = "\\x5CFf09A\x1F\x7F\x80\xC3\xA9\xE2\x82\xAC\xF0\xFF";
        unsigned char name[9];
        size_t length = (size_t)rand() % sizeof name;
        for (size_t index = 0; index < length; index++) {
            name[index] = alphabet[(size_t)rand() % (sizeof alphabet)];
        }
        size_t count = docent_escape(name, length, text, sizeof text);
        CHECK(docent_unescape((struct docent_text){.bytes = text, .length = count}, bytes, sizeof bytes) == length);
        CHECK(memcmp(bytes, name, length) == 0);
    }
    // Nothing is written beyond the buffer, and the required size is returned.
    text[3] = '!';
    CHECK(docent_escape("\xFF\xFF", 2, text, 3) == 8 && text[3] == '!');
}

int main(void) {
    tells_of_folders();
    takes_credentials();
    shows_its_forms();
    tries_answers();
    asks_while_it_signs_in();
    lives_without_answers();
    sends_a_browser();
    tells_news();
    keeps_what_is_beside();
    replaces_packages();
    escapes_names();
    puts("accounts: passed");
    return 0;
}
