// Serves the host: one thread for each connection, which handles one call after the other.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "server.h"

// Takes the descriptors that the parameters name. False: the peer broke the rules.
static bool take_descriptors(struct docent_call *call, const struct method *method) {
    int descriptors[2] = {-1, -1};
    const struct json *given[2] = {NULL, NULL};
    int64_t count = 0;
    for (size_t index = 0; index < 2 && method->descriptors[index] != NULL; index++) {
        given[index] = json_member(call->parameters, method->descriptors[index]);
        count += given[index] != NULL;
    }
    if (!wire_take_descriptors(call->wire, descriptors, (size_t)count)) {
        return false;
    }
    bool is_good = true;
    for (size_t index = 0; index < 2; index++) {
        bool fits = given[index] == NULL ||
                    (given[index]->kind == JSON_INTEGER && given[index]->integer >= 0 && given[index]->integer < count);
        is_good = is_good && fits;
        if (fits && given[index] != NULL) {
            bool is_thumbnail = strcmp(method->descriptors[index], "thumbnail") == 0;
            int *place = is_thumbnail ? &call->thumbnail : &call->content;
            *place = descriptors[given[index]->integer];
            descriptors[given[index]->integer] = -1;
        }
    }
    for (size_t index = 0; index < 2; index++) {
        if (descriptors[index] >= 0) {
            close(descriptors[index]);
        }
    }
    return is_good;
}

static void describe_service(struct docent_call *call) {
    struct buffer message = {0};
    json_open(&message, NULL, '{');
    json_open(&message, "parameters", '{');
    json_add_text(&message, "vendor", docent_text_of(call->provider->name));
    json_add_text(&message, "product", docent_text_of(call->provider->name));
    json_add_text(&message, "version", docent_text_of(call->provider->version));
    json_add_text(&message, "url", docent_text_of("https://docent.example"));
    json_open(&message, "interfaces", '[');
    json_add_text(&message, NULL, docent_text_of("org.varlink.service"));
    json_add_text(&message, NULL, docent_text_of(DOCENT_INTERFACE));
    json_close(&message, ']');
    json_close(&message, '}');
    json_close(&message, '}');
    buffer_end(&call->error);
    call->error = message;
}

// Answers calls of other interfaces.
static bool answer_other(struct docent_call *call, struct docent_text name) {
    static const char prefix[] = DOCENT_INTERFACE ".";
    static const char service[] = "org.varlink.service.";
    if (docent_text_equal(name, docent_text_of("org.varlink.service.GetInfo"))) {
        describe_service(call);
    } else if (docent_text_equal(name, docent_text_of("org.varlink.service.GetInterfaceDescription"))) {
        call_refuse(call, "org.varlink.service.MethodNotImplemented", "method", name);
    } else if (
        (name.length >= sizeof prefix - 1 && memcmp(name.bytes, prefix, sizeof prefix - 1) == 0) ||
        (name.length >= sizeof service - 1 && memcmp(name.bytes, service, sizeof service - 1) == 0)) {
        call_refuse(call, "org.varlink.service.MethodNotFound", "method", name);
    } else {
        size_t length = name.length;
        while (length > 0 && name.bytes[length - 1] != '.') {
            length--;
        }
        call_refuse(
            call, "org.varlink.service.InterfaceNotFound", "interface",
            (struct docent_text){.bytes = name.bytes, .length = length > 0 ? length - 1 : 0});
    }
    return wire_send(call->wire, &call->error);
}

static bool read_flag(const struct json *message, const char *key, bool *value) {
    const struct json *member = json_member(message, key);
    *value = member != NULL && member->kind == JSON_TRUE;
    return member == NULL || member->kind == JSON_TRUE || member->kind == JSON_FALSE;
}

// Answers one message. False: the connection is to be closed.
static bool serve_message(struct server *server, struct docent_call *call, struct docent_text bytes) {
    const struct json *message = json_read(call->arena, bytes.bytes, bytes.length);
    const struct json *name = json_member(message, "method");
    call->parameters = json_member(message, "parameters");
    bool is_oneway, wants_upgrade;
    if (name == NULL || name->kind != JSON_STRING ||
        (call->parameters != NULL && call->parameters->kind != JSON_OBJECT) ||
        !read_flag(message, "more", &call->wants_more) || !read_flag(message, "oneway", &is_oneway) ||
        !read_flag(message, "upgrade", &wants_upgrade)) {
        return false;
    }
    const struct method *method = method_find(name->string);
    if (is_oneway) {
        // Changes are never made without an answer, and other calls are useless without one.
        wire_drop_descriptors(call->wire);
        return true;
    }
    if (method == NULL || wants_upgrade) {
        wire_drop_descriptors(call->wire);
        if (method == NULL) {
            return answer_other(call, name->string);
        }
        method_is_missing(call, method->name);
        return method_send_answer(call, method);
    }
    call->arena->has_secrets = method->has_secrets;
    return take_descriptors(call, method) && method_answer(server, call, method);
}

static void serve_connection(struct server *server, int socket) {
    struct wire wire = wire_make(socket);
    bool goes_on = true;
    while (goes_on) {
        struct docent_text message;
        if (!wire_receive(&wire, &message)) {
            break;
        }
        struct arena arena = {.block = NULL};
        struct docent_call call = {
            .provider = server->domains.provider, .server = server, .wire = &wire, .arena = &arena, .content = -1,
            .thumbnail = -1, .total = -1};
        goes_on = serve_message(server, &call, message);
        if (call.content >= 0) {
            close(call.content);
        }
        if (call.thumbnail >= 0) {
            close(call.thumbnail);
        }
        if (arena.has_secrets) {
            wire_wipe(&wire, message);
        }
        call_end(&call);
        arena_end(&arena);
    }
    wire_drop_descriptors(&wire);
    free(wire.bytes);
    // The socket is closed when it is removed from the list: until then its number cannot be reused.
}

// MARK: Connections

static bool list_connection(struct server *server, int socket) {
    bool is_listed = false;
    pthread_mutex_lock(&server->lock);
    for (int index = 0; index < MOST_CONNECTIONS && !is_listed && !server->is_closing; index++) {
        if (server->sockets[index] < 0) {
            server->sockets[index] = socket;
            server->count++;
            is_listed = true;
        }
    }
    pthread_mutex_unlock(&server->lock);
    return is_listed;
}

static void end_connection(struct server *server, int socket) {
    pthread_mutex_lock(&server->lock);
    for (int index = 0; index < MOST_CONNECTIONS; index++) {
        if (server->sockets[index] == socket) {
            server->sockets[index] = -1;
            server->count--;
        }
    }
    close(socket);
    pthread_cond_broadcast(&server->ended);
    pthread_mutex_unlock(&server->lock);
}

struct start {
    struct server *server;
    int socket;
};

static void *run_connection(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    serve_connection(start.server, start.socket);
    end_connection(start.server, start.socket);
    return NULL;
}

bool server_connect(struct server *server, int socket) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL || !list_connection(server, socket)) {
        free(start);
        close(socket);
        return false;
    }
    *start = (struct start){.server = server, .socket = socket};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    int problem = pthread_create(&thread, &attributes, run_connection, start);
    pthread_attr_destroy(&attributes);
    if (problem != 0) {
        free(start);
        end_connection(server, socket);
    }
    return problem == 0;
}

// Closes all connections and waits until they have ended; false if one has not after five seconds.
static bool close_connections(struct server *server) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 5;
    int problem = 0;
    pthread_mutex_lock(&server->lock);
    server->is_closing = true;
    for (int index = 0; index < MOST_CONNECTIONS; index++) {
        if (server->sockets[index] >= 0) {
            shutdown(server->sockets[index], SHUT_RDWR);
        }
    }
    while (server->count > 0 && problem == 0) {
        problem = pthread_cond_timedwait(&server->ended, &server->lock, &deadline);
    }
    pthread_mutex_unlock(&server->lock);
    return problem == 0;
}

int32_t docent_serve(const struct docent_extension_context_v1 *context, const struct docent_provider *provider) {
    if (context->size < sizeof *context || context->socket < 0) {
        return 1;
    }
    struct server *server = calloc(1, sizeof *server);
    if (server == NULL) {
        return 1;
    }
    // A destination whose reader is gone must fail that call, not end the process.
    signal(SIGPIPE, SIG_IGN);
    domains_begin(&server->domains, provider);
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->ended, NULL);
    pthread_cond_init(&server->answered, NULL);
    for (int index = 0; index < MOST_CONNECTIONS; index++) {
        server->sockets[index] = -1;
    }
    news_begin();
    serve_connection(server, context->socket);
    close(context->socket);
    news_end();
    if (!close_connections(server)) {
        // One of the provider's functions has not returned: the data that it uses must stay. The process ends now.
        return 0;
    }
    domains_end(&server->domains);
    operations_end(server);
    pthread_cond_destroy(&server->answered);
    pthread_cond_destroy(&server->ended);
    pthread_mutex_destroy(&server->lock);
    free(server);
    return 0;
}
