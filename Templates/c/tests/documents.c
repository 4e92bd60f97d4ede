// Calls of a host to the provider.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host.h"

static struct reply create(struct wire *wire, const char *name, const char *text, const char *operation) {
    int file = file_with(text, strlen(text));
    struct reply reply = call_with(
        wire, file, "Create",
        "'domain': '', 'parent': '.root', 'name': '%s', 'isFolder': false, 'content': 0, 'size': %zu, 'digest': 'd', "
        "'operation': '%s'",
        name, strlen(text), operation);
    close(file);
    return reply;
}

static struct reply modify(
    struct wire *wire, const char *identifier, const char *base, const char *text, const char *operation) {
    int file = file_with(text, strlen(text));
    struct reply reply = call_with(
        wire, file, "Modify",
        "'domain': '', 'identifier': '%s', 'baseVersion': '%s', 'content': 0, 'size': %zu, 'digest': 'd', "
        "'operation': '%s'",
        identifier, base, strlen(text), operation);
    close(file);
    return reply;
}

static void expect_content(struct wire *wire, const char *identifier, const char *text) {
    int file = file_with("", 0);
    struct reply reply = call_with(wire, file, "Fetch", "'domain': '', 'identifier': '%s', 'destination': 0", identifier);
    CHECK(integer_of(&reply, "completedBytes") == (int64_t)strlen(text));
    CHECK(file_has(file, text, strlen(text)));
    reply_end(&reply);
    close(file);
}

static int count_children(struct wire *wire, const char *folder) {
    char page[600] = "";
    int count = 0;
    do {
        struct reply reply = page[0] == 0
                                 ? call(wire, "Children", "'domain': '', 'parent': '%s'", folder)
                                 : call(wire, "Children", "'domain': '', 'parent': '%s', 'page': '%s'", folder, page);
        const struct json *items = json_member(reply.parameters, "items");
        CHECK(items != NULL);
        for (const struct json *item = items->first; item != NULL; item = item->next) {
            count++;
        }
        snprintf(page, sizeof page, "%s", text_of(&reply, "nextPage"));
        reply_end(&reply);
    } while (page[0] != 0);
    return count;
}

static void says_what_it_has(void) {
    struct host host;
    host_start(&host, NULL);
    struct reply early = call(&host.wire, "Item", "'domain': '', 'identifier': '.root'");
    CHECK(is_error(&early, "InvalidArgument"));
    reply_end(&early);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    struct reply root = call(&wire, "Item", "'domain': '', 'identifier': '.root'");
    CHECK(strcmp(text_of(&root, "name"), "@DISPLAY@") == 0);
    reply_end(&root);
    struct reply welcome = call(&wire, "Child", "'domain': '', 'parent': '.root', 'name': 'Welcome.txt'");
    CHECK(integer_of(&welcome, "size") > 0);
    reply_end(&welcome);
    struct reply other = call(&wire, "Item", "'domain': 'other', 'identifier': '.root'");
    CHECK(is_error(&other, "InvalidArgument"));
    reply_end(&other);
    struct reply missing = call(&wire, "OpenInPlace", "'domain': '', 'identifier': 'x'");
    CHECK(is_error(&missing, "MethodNotImplemented"));
    reply_end(&missing);
    struct reply unknown = call(&wire, "Dance", "'domain': ''");
    CHECK(is_error(&unknown, "MethodNotFound"));
    reply_end(&unknown);
    struct reply wrong = call(&wire, "Item", "'domain': '', 'identifier': 7");
    CHECK(is_error(&wrong, "InvalidParameter"));
    reply_end(&wrong);
    wire_end(&wire);
    host_end(&host, false);
}

static void never_overwrites(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    struct reply made = create(&wire, "a.txt", "one", "o1");
    char identifier[100], version[100];
    strcpy(identifier, text_of(&made, "identifier"));
    strcpy(version, text_of(&made, "version"));
    CHECK(identifier[0] != 0 && version[0] != 0);
    reply_end(&made);

    struct reply again = create(&wire, "a.txt", "one", "o1");
    CHECK(strcmp(text_of(&again, "identifier"), identifier) == 0);
    reply_end(&again);
    struct reply taken = create(&wire, "a.txt", "one", "o2");
    CHECK(is_error(&taken, "Collision"));
    reply_end(&taken);

    struct reply saved = modify(&wire, identifier, version, "two", "o3");
    CHECK(strcmp(text_of(&saved, "version"), version) != 0);
    reply_end(&saved);
    struct reply stale = modify(&wire, identifier, version, "three", "o4");
    CHECK(is_error(&stale, "VersionOutOfDate"));
    reply_end(&stale);
    struct reply repeated = modify(&wire, identifier, version, "two", "o3");
    CHECK(strcmp(text_of(&repeated, "identifier"), identifier) == 0);
    reply_end(&repeated);
    struct reply removed = call(
        &wire, "Delete", "'domain': '', 'identifier': '%s', 'baseVersion': '%s', 'recursive': false", identifier, version);
    CHECK(is_error(&removed, "VersionOutOfDate"));
    reply_end(&removed);
    expect_content(&wire, identifier, "two");
    wire_end(&wire);
    host_end(&host, false);
}

static void has_folders(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    struct reply folder = call(
        &wire, "Create", "'domain': '', 'parent': '.root', 'name': 'F', 'isFolder': true, 'operation': 'f'");
    char identifier[100], document[100];
    strcpy(identifier, text_of(&folder, "identifier"));
    reply_end(&folder);
    struct reply made = create(&wire, "a.txt", "one", "o1");
    strcpy(document, text_of(&made, "identifier"));
    reply_end(&made);
    // Two encodings of one letter are two names.
    static const char *const names[] = {"\\u00e9.txt", "e\\u0301.txt"};
    for (size_t index = 0; index < 2; index++) {
        struct reply moved = call(
            &wire, "Move", "'domain': '', 'identifier': '%s', 'parent': '%s', 'name': '%s', 'operation': 'm%zu'",
            document, identifier, names[index], index);
        CHECK(strcmp(text_of(&moved, "parent"), identifier) == 0);
        CHECK(strcmp(text_of(&moved, "identifier"), document) == 0);
        reply_end(&moved);
    }
    struct reply gone = call(&wire, "Child", "'domain': '', 'parent': '%s', 'name': '\\u00e9.txt'", identifier);
    CHECK(is_error(&gone, "NoSuchItem"));
    reply_end(&gone);
    struct reply into_itself = call(
        &wire, "Move", "'domain': '', 'identifier': '%s', 'parent': '%s', 'name': 'x', 'operation': 'm'", identifier,
        identifier);
    CHECK(is_error(&into_itself, "InvalidArgument"));
    reply_end(&into_itself);
    static const char *const bad[] = {"", ".", "..", "a/b", "a\\u0000b"};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        struct reply refused = create(&wire, bad[index], "x", bad[index]);
        CHECK(is_error(&refused, "InvalidArgument"));
        reply_end(&refused);
    }
    struct reply full = call(&wire, "Delete", "'domain': '', 'identifier': '%s', 'recursive': false", identifier);
    CHECK(is_error(&full, "NotPermitted"));
    reply_end(&full);
    struct reply removed = call(&wire, "Delete", "'domain': '', 'identifier': '%s', 'recursive': true", identifier);
    CHECK(json_member(removed.message, "error") == NULL);
    reply_end(&removed);
    struct reply below = call(&wire, "Item", "'domain': '', 'identifier': '%s'", document);
    CHECK(is_error(&below, "NoSuchItem"));
    reply_end(&below);
    CHECK(count_children(&wire, ".root") == 1);
    wire_end(&wire);
    host_end(&host, false);
}

static void tells_pages_and_changes(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    struct reply now = call(&wire, "Changes", "'domain': ''");
    char anchor[200];
    strcpy(anchor, text_of(&now, "anchor"));
    reply_end(&now);
    for (int index = 0; index < 250; index++) {
        char name[20];
        snprintf(name, sizeof name, "%d", index);
        struct reply made = create(&wire, name, name, name);
        CHECK(json_member(made.message, "error") == NULL);
        reply_end(&made);
    }
    CHECK(count_children(&wire, ".root") == 251);
    struct reply removed = call(&wire, "Delete", "'domain': '', 'identifier': 'item-2', 'recursive': false");
    reply_end(&removed);
    int changed = 0, deleted = 0;
    bool more = true;
    while (more) {
        struct reply news = call(&wire, "Changes", "'domain': '', 'anchor': '%s'", anchor);
        for (const struct json *item = json_member(news.parameters, "changed")->first; item != NULL; item = item->next) {
            changed++;
        }
        for (const struct json *item = json_member(news.parameters, "deleted")->first; item != NULL; item = item->next) {
            deleted++;
        }
        strcpy(anchor, text_of(&news, "anchor"));
        more = json_member(news.parameters, "more")->kind == JSON_TRUE;
        reply_end(&news);
    }
    CHECK(changed == 249 && deleted == 1);
    static const char *const bad[] = {"", "x", "1-1", "99999999999999999999-1"};
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        struct reply expired = call(&wire, "Changes", "'domain': '', 'anchor': '%s'", bad[index]);
        CHECK(is_error(&expired, "AnchorExpired"));
        reply_end(&expired);
    }
    wire_end(&wire);
    host_end(&host, false);
}

static void goes_on_and_tells_progress(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    size_t size = 3 << 20;
    char *bytes = malloc(size);
    CHECK(bytes != NULL);
    for (size_t index = 0; index < size; index++) {
        bytes[index] = (char)(index * 31 >> 3);
    }
    int source = file_with(bytes, size);
    struct reply made = call_with(
        &wire, source, "Create",
        "'domain': '', 'parent': '.root', 'name': 'large', 'isFolder': false, 'content': 0, 'operation': 'o'");
    CHECK(integer_of(&made, "size") == (int64_t)size);
    char identifier[100], version[100], parameters[400];
    strcpy(identifier, text_of(&made, "identifier"));
    strcpy(version, text_of(&made, "version"));
    reply_end(&made);
    close(source);

    static const char *const versions[] = {NULL, "another"};
    for (size_t index = 0; index < 2; index++) {
        const char *asked = versions[index] != NULL ? versions[index] : version;
        int file = file_with(bytes, 100000);
        snprintf(
            parameters, sizeof parameters,
            "'domain': '', 'identifier': '%s', 'destination': 0, 'offset': 100000, 'version': '%s'", identifier, asked);
        send_call(&wire, "Fetch", true, &file, 1, parameters);
        int64_t last = -1;
        int replies = 0;
        bool goes_on = true;
        while (goes_on) {
            struct reply reply;
            CHECK(next_reply(&wire, &reply));
            const struct json *continues = json_member(reply.message, "continues");
            goes_on = continues != NULL && continues->kind == JSON_TRUE;
            CHECK(integer_of(&reply, "completedBytes") > last || !goes_on);
            last = integer_of(&reply, "completedBytes");
            CHECK(integer_of(&reply, "offset") == (index == 0 ? 100000 : 0));
            replies++;
            reply_end(&reply);
        }
        CHECK(replies > 3 && last == (int64_t)size && file_has(file, bytes, size));
        close(file);
    }
    free(bytes);
    wire_end(&wire);
    host_end(&host, false);
}

static void comes_back_after_a_restart(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire wire = host_connect(&host);
    struct reply made = create(&wire, "kept.txt", "kept", "o1");
    char identifier[100], path[200], anchor[200];
    strcpy(identifier, text_of(&made, "identifier"));
    reply_end(&made);
    struct reply saved = modify(&wire, "item-1", "1", "changed", "o0");
    CHECK(json_member(saved.message, "error") == NULL);
    reply_end(&saved);
    struct reply now = call(&wire, "Changes", "'domain': ''");
    strcpy(anchor, text_of(&now, "anchor"));
    reply_end(&now);
    wire_end(&wire);
    host_end(&host, true);

    // As after a kill while a record was written.
    snprintf(path, sizeof path, "%s/.@NAME@/log", host.storage);
    int log = open(path, O_WRONLY | O_APPEND);
    static const char half[] = "{\"put\":3,\"parent\":0,\"name\":\"half\",\"folder\":false,\"size\":100}\nabc";
    CHECK(log >= 0 && write(log, half, sizeof half - 1) == sizeof half - 1);
    close(log);

    struct host later;
    host_start(&later, host.storage);
    host_introduce(&later);
    wire = host_connect(&later);
    expect_content(&wire, identifier, "kept");
    expect_content(&wire, "item-1", "changed");
    struct reply unchanged = call(&wire, "Changes", "'domain': '', 'anchor': '%s'", anchor);
    CHECK(strcmp(text_of(&unchanged, "anchor"), anchor) == 0);
    reply_end(&unchanged);
    CHECK(count_children(&wire, ".root") == 2);
    struct reply again = create(&wire, "kept.txt", "kept", "o1");
    CHECK(strcmp(text_of(&again, "identifier"), identifier) == 0);
    reply_end(&again);
    struct reply next = create(&wire, "next.txt", "next", "o2");
    CHECK(strcmp(text_of(&next, "identifier"), identifier) != 0);
    reply_end(&next);
    // A second Initialize keeps existing state, and a removed domain is gone.
    host_introduce(&later);
    expect_content(&wire, identifier, "kept");
    struct reply none = call(
        &later.wire, "Initialize",
        "'version': 1, 'provider': 'p', 'point': 'com.apple.fileprovider-nonui', 'displayName': 'd', 'domains': []");
    CHECK(json_member(none.message, "error") == NULL);
    reply_end(&none);
    struct reply gone = call(&wire, "Item", "'domain': '', 'identifier': '.root'");
    CHECK(is_error(&gone, "InvalidArgument"));
    reply_end(&gone);
    wire_end(&wire);
    host_end(&later, false);
}

int main(void) {
    says_what_it_has();
    never_overwrites();
    has_folders();
    tells_pages_and_changes();
    goes_on_and_tells_progress();
    comes_back_after_a_restart();
    puts("documents: passed");
    return 0;
}
