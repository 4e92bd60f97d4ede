// Messages that a host never sends. The extension answers with an error or closes that connection; other connections
// continue, and no descriptor is leaked.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"

static int open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder != NULL);
    int count = 0;
    while (readdir(folder) != NULL) {
        count++;
    }
    closedir(folder);
    return count;
}

// The extension closes descriptors on its own threads, which may take a moment.
static bool comes_down_to(int count) {
    for (int attempt = 0; attempt < 3000; attempt++) {
        if (open_descriptors() <= count) {
            return true;
        }
        usleep(10000);
    }
    return false;
}

static void try_message(struct host *host, const char *message, size_t length, int descriptors) {
    struct wire wire = host_connect(host);
    int files[64];
    for (int index = 0; index < descriptors; index++) {
        files[index] = file_with("x", 1);
    }
    send_message(&wire, message, length, files, (size_t)descriptors);
    for (int index = 0; index < descriptors; index++) {
        close(files[index]);
    }
    shutdown(wire.socket, SHUT_WR);
    struct docent_text answer;
    while (wire_receive(&wire, &answer)) {
        struct arena arena = {.block = NULL};
        CHECK(json_read(&arena, answer.bytes, answer.length) != NULL);
        arena_end(&arena);
    }
    wire_end(&wire);
}

#define INTERFACE "org.docent.FileProvider."

static void survives_messages(struct host *host) {
    static const char *const messages[] = {
        "",
        "x",
        "null",
        "[]",
        "{}",
        "{\"method\":1}",
        "{\"method\":\"\"}",
        "{\"method\":\".\"}",
        "{\"method\":\"x\",\"parameters\":[]}",
        "{\"method\":\"x\",\"more\":1}",
        "{\"method\":\"" INTERFACE "\"}",
        "{\"method\":\"" INTERFACE "Item\"}",
        "{\"method\":\"" INTERFACE "Item\",\"oneway\":true}",
        "{\"method\":\"" INTERFACE "Item\",\"upgrade\":true}",
        "{\"method\":\"" INTERFACE "Item\",\"parameters\":{\"domain\":\"\",\"identifier\":\"\"}}",
        "{\"method\":\"" INTERFACE "Item\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-\\u0000\"}}",
        "{\"method\":\"" INTERFACE "Item\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-18446744073709551616\"}}",
        "{\"method\":\"" INTERFACE "Children\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"page\":\"after--1\"}}",
        "{\"method\":\"" INTERFACE "Children\",\"parameters\":{\"domain\":\"\",\"parent\":\"item-1\"}}",
        "{\"method\":\"" INTERFACE "Connect\",\"parameters\":{\"socket\":0}}",
        "{\"method\":\"" INTERFACE "Connect\"}",
        "{\"method\":\"" INTERFACE "Fetch\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\",\"destination\":1}}",
        "{\"method\":\"" INTERFACE "Fetch\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\",\"destination\":-1}}",
        "{\"method\":\"" INTERFACE
        "Fetch\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\",\"destination\":0,\"offset\":-5}}",
        "{\"method\":\"" INTERFACE "Modify\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\",\"content\":0,"
        "\"size\":1000000000000,\"digest\":\"\",\"operation\":\"o\"}}",
        "{\"method\":\"" INTERFACE "Create\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"name\":\"n\","
        "\"isFolder\":true,\"content\":0,\"operation\":\"o\"}}",
        "{\"method\":\"" INTERFACE "Move\",\"parameters\":{\"domain\":\"\",\"identifier\":\".root\",\"parent\":\".root\","
        "\"name\":\"n\",\"operation\":\"o\"}}",
        "{\"method\":\"" INTERFACE "Delete\",\"parameters\":{\"domain\":\"\",\"identifier\":\".root\",\"recursive\":true}}",
        "{\"method\":\"" INTERFACE "Initialize\",\"parameters\":{\"version\":2,\"point\":\"p\",\"domains\":[]}}",
        "{\"method\":\"" INTERFACE "Initialize\",\"parameters\":{\"version\":1,\"point\":\"com.apple.fileprovider-nonui\","
        "\"domains\":[1]}}",
        "{\"method\":\"" INTERFACE "StageElement\",\"parameters\":{\"content\":0}}",
        "{\"method\":\"org.varlink.service.GetInfo\"}",
        "{\"method\":\"org.varlink.service.GetInterfaceDescription\"}",
        "{\"method\":\"org.example.Other.Thing\"}",
    };
    for (size_t index = 0; index < sizeof messages / sizeof *messages; index++) {
        for (int descriptors = 0; descriptors < 3; descriptors++) {
            try_message(host, messages[index], strlen(messages[index]), descriptors);
        }
        try_message(host, messages[index], strlen(messages[index]), 20);
    }
}

static void survives_size(struct host *host) {
    size_t size = 3 << 20;
    char *bytes = malloc(size);
    CHECK(bytes != NULL);
    memset(bytes, 'x', size);
    try_message(host, bytes, size, 1);
    memset(bytes, '[', 1 << 19);
    try_message(host, bytes, 1 << 19, 0);
    free(bytes);
}

static void survives_wrong_files(struct host *host) {
    struct wire wire = host_connect(host);
    static const char *const places[] = {"/dev/zero", "/", "/dev/null"};
    for (size_t index = 0; index < 3; index++) {
        int file = open(places[index], O_RDONLY);
        struct reply reply = call_with(
            &wire, file, "Create",
            "'domain': '', 'parent': '.root', 'name': 'n', 'isFolder': false, 'content': 0, 'operation': 'o'");
        CHECK(is_error(&reply, "InvalidArgument"));
        reply_end(&reply);
        reply = call_with(&wire, file, "Fetch", "'domain': '', 'identifier': 'item-1', 'destination': 0");
        CHECK(is_error(&reply, "InvalidArgument"));
        reply_end(&reply);
        close(file);
    }
    wire_end(&wire);
}

// The caller hangs up while its content is being sent.
static void survives_cancelling(struct host *host) {
    size_t size = 8 << 20;
    char *bytes = calloc(1, size);
    CHECK(bytes != NULL);
    int source = file_with(bytes, size);
    for (int round = 0; round < 20; round++) {
        struct wire wire = host_connect(host);
        send_call(
            &wire, "Create", true, &source, 1,
            "'domain': '', 'parent': '.root', 'name': 'cancelled', 'isFolder': false, 'content': 0, 'operation': 'c'");
        usleep((useconds_t)round * 300);
        wire_end(&wire);
    }
    close(source);
    free(bytes);
}

int main(void) {
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    struct wire bystander = host_connect(&host);
    // Opens the store, which stays open.
    struct reply root = call(&bystander, "Item", "'domain': '', 'identifier': '.root'");
    reply_end(&root);
    int before = open_descriptors();
    survives_messages(&host);
    survives_size(&host);
    survives_wrong_files(&host);
    survives_cancelling(&host);
    struct reply reply = call(&bystander, "Item", "'domain': '', 'identifier': 'item-1'");
    CHECK(strcmp(text_of(&reply, "name"), "Welcome.txt") == 0);
    reply_end(&reply);
    CHECK(comes_down_to(before));
    wire_end(&bystander);
    host_end(&host, false);
    puts("hostile: passed");
    return 0;
}
