// JSON and messages, without a provider.
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "host.h"

static struct json *read_text(struct arena *arena, const char *text) { return json_read(arena, text, strlen(text)); }

static void reads_what_is_json(void) {
    struct arena arena = {.block = NULL};
    struct json *value = read_text(
        &arena, " {\"a\" : [1, -20, 0.5, 1e3, true, false, null], \"text\":\"\\u00e9\\ud83d\\ude00\\n\\\"\\/\", \"z\\u0000\":{}} ");
    CHECK(value != NULL && value->kind == JSON_OBJECT);
    const struct json *list = json_member(value, "a");
    CHECK(list->first->integer == 1 && list->first->next->integer == -20);
    const struct json *large = read_text(&arena, "[9223372036854775807, 9223372036854775808]");
    CHECK(large->first->kind == JSON_INTEGER && large->first->integer == INT64_MAX);
    CHECK(large->first->next->kind == JSON_FRACTION);
    CHECK(list->first->next->next->kind == JSON_FRACTION && list->first->next->next->next->kind == JSON_FRACTION);
    CHECK(docent_text_equal(json_member(value, "text")->string, docent_text_of("é😀\n\"/")));
    CHECK(json_member(value, "z") == NULL && json_member(value, "missing") == NULL);
    arena_end(&arena);
}

static void refuses_what_is_none(void) {
    static const char *const bad[] = {
        "", "{", "}", "[1,]", "{\"a\"}", "{\"a\":1,}", "[1 2]", "01", "1.", "1e", "-", "+1", "tru", "nul", "\"", "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\t\"", "\"\xff\"", "\"\xc0\x80\"",
        "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "{} {}", "{'a':1}", "[", "{\"a\":", "nullx", "\"\\",
    };
    for (size_t index = 0; index < sizeof bad / sizeof *bad; index++) {
        struct arena arena = {.block = NULL};
        check(read_text(&arena, bad[index]) == NULL, bad[index], __FILE__, __LINE__);
        arena_end(&arena);
    }
    struct arena arena = {.block = NULL};
    char deep[2 * JSON_DEPTH + 3];
    memset(deep, '[', JSON_DEPTH);
    memset(deep + JSON_DEPTH, ']', JSON_DEPTH);
    deep[2 * JSON_DEPTH] = 0;
    CHECK(read_text(&arena, deep) != NULL);
    memset(deep, '[', JSON_DEPTH + 1);
    memset(deep + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
    deep[2 * JSON_DEPTH + 2] = 0;
    CHECK(read_text(&arena, deep) == NULL);
    arena_end(&arena);
}

static void writes_what_it_reads(void) {
    struct buffer text = {0};
    struct arena arena = {.block = NULL};
    json_open(&text, NULL, '{');
    json_add_text(&text, "a\"b", (struct docent_text){.bytes = "x\0\x01\xff\\é", .length = 7});
    json_open(&text, "list", '[');
    json_add_integer(&text, NULL, INT64_MIN);
    json_add_seconds(&text, NULL, -1500);
    json_add_flag(&text, NULL, true);
    json_close(&text, ']');
    json_close(&text, '}');
    const struct json *value = json_read(&arena, text.bytes, text.length);
    struct docent_text expected = {.bytes = "x\0\x01\xEF\xBF\xBD\\é", .length = 9};
    CHECK(docent_text_equal(json_member(value, "a\"b")->string, expected));
    buffer_add(&text, "", 1);
    CHECK(strstr(text.bytes, "[-9223372036854775808,-1.500,true]") != NULL);
    arena_end(&arena);
    buffer_end(&text);
}

// A stream splits and joins messages: they arrive whole whatever is received at once.
static void cuts_messages_out_of_a_stream(void) {
    int ends[2];
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    struct wire wire = wire_make(ends[0]);
    struct docent_text message;
    static const char stream[] = "one\0two\0\0three";
    CHECK(send(ends[1], stream, sizeof stream, 0) == sizeof stream);
    static const char *const expected[] = {"one", "two", "", "three"};
    for (size_t index = 0; index < 4; index++) {
        CHECK(wire_receive(&wire, &message) && docent_text_equal(message, docent_text_of(expected[index])));
    }
    CHECK(!wire_is_abandoned(&wire));
    close(ends[1]);
    CHECK(wire_is_abandoned(&wire) && !wire_receive(&wire, &message));
    wire_end(&wire);
}

int main(void) {
    reads_what_is_json();
    refuses_what_is_none();
    writes_what_it_reads();
    cuts_messages_out_of_a_stream();
    puts("messages: passed");
    return 0;
}
