// Mutated messages, for a number of seconds (first argument) from a seed (second argument). Run it with the sanitizers:
// `make fuzz`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "host.h"

static uint64_t state;

static uint64_t random_below(uint64_t limit) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % limit;
}

static const char *const seeds[] = {
    "{\"method\":\"org.docent.FileProvider.Item\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\"}}",
    "{\"method\":\"org.docent.FileProvider.Child\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"name\":\"\\u00e9\"}}",
    "{\"method\":\"org.docent.FileProvider.Children\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"page\":null}}",
    "{\"method\":\"org.docent.FileProvider.Changes\",\"parameters\":{\"domain\":\"\",\"anchor\":\"1-1\"},\"more\":false}",
    "{\"method\":\"org.docent.FileProvider.Fetch\",\"more\":true,\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\","
    "\"destination\":0,\"offset\":3,\"version\":\"1\"}}",
    "{\"method\":\"org.docent.FileProvider.Create\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"name\":\"a\","
    "\"isFolder\":false,\"content\":0,\"size\":1,\"digest\":\"d\",\"operation\":\"o\",\"thumbnail\":1}}",
    "{\"method\":\"org.docent.FileProvider.Create\",\"parameters\":{\"domain\":\"\",\"parent\":\".root\",\"name\":\"b\","
    "\"isFolder\":true,\"operation\":\"p\"}}",
    "{\"method\":\"org.docent.FileProvider.Modify\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-1\",\"content\":0,"
    "\"size\":1,\"digest\":\"\",\"operation\":\"q\",\"metadata\":{\"attributes\":{},\"creationDate\":1.5e3}}}",
    "{\"method\":\"org.docent.FileProvider.Move\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-2\",\"parent\":\".root\","
    "\"name\":\"c\",\"operation\":\"r\"}}",
    "{\"method\":\"org.docent.FileProvider.Delete\",\"parameters\":{\"domain\":\"\",\"identifier\":\"item-2\",\"recursive\":true}}",
};

static size_t mutate(char *message, size_t length, size_t room) {
    for (uint64_t count = random_below(4); count > 0 && length > 0; count--) {
        size_t place = (size_t)random_below(length);
        switch (random_below(4)) {
        case 0: message[place] = (char)random_below(256); break;
        case 1: length = place; break;
        case 2:
            if (length < room) {
                memmove(message + place + 1, message + place, length - place);
                message[place] = "\"\\{}[],:0-e.u\x80\xff"[random_below(15)];
                length++;
            }
            break;
        default: {
            size_t span = (size_t)random_below(length - place < 16 ? length - place : 16);
            memmove(message + place, message + place + span, length - place - span);
            length -= span;
        }
        }
    }
    return length;
}

int main(int count, char **arguments) {
    int64_t seconds = count > 1 ? atoi(arguments[1]) : 10;
    uint64_t seed = count > 2 ? strtoull(arguments[2], NULL, 10) : 1;
    state = seed * 0x9E3779B97F4A7C15U + 1;
    struct host host;
    host_start(&host, NULL);
    host_introduce(&host);
    time_t end = time(NULL) + seconds;
    uint64_t rounds = 0;
    for (; time(NULL) < end; rounds++) {
        struct wire wire = host_connect(&host);
        for (uint64_t messages = 1 + random_below(3); messages > 0; messages--) {
            char message[1024];
            const char *origin = seeds[random_below(sizeof seeds / sizeof *seeds)];
            size_t length = strlen(origin);
            memcpy(message, origin, length);
            int files[2] = {file_with("x", 1), file_with("y", 1)};
            send_message(&wire, message, mutate(message, length, sizeof message), files, (size_t)random_below(3));
            close(files[0]);
            close(files[1]);
        }
        shutdown(wire.socket, SHUT_WR);
        struct docent_text answer;
        while (wire_receive(&wire, &answer)) {
        }
        wire_end(&wire);
    }
    struct reply reply = call(&host.wire, "Item", "'domain': '', 'identifier': '.root'");
    CHECK(reply.parameters != NULL);
    reply_end(&reply);
    host_end(&host, false);
    printf("fuzz: %llu rounds from seed %llu passed\n", (unsigned long long)rounds, (unsigned long long)seed);
    return 0;
}
