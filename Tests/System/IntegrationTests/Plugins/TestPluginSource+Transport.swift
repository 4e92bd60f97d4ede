extension TestPluginSource {
    /// The transport: NUL-terminated messages with descriptors, and as many connections as the host wants.
    static let transport = #"""
        #define _GNU_SOURCE
        #include "docent_extension.h"
        #include <errno.h>
        #include <fcntl.h>
        #include <poll.h>
        #include <stdarg.h>
        #include <stdbool.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/wait.h>
        #include <unistd.h>

        struct link { int socket; size_t used; int descriptors[8]; int count; char bytes[1 << 16]; };
        static struct link *links[64];
        static int link_count;
        static char storage[1024];
        static char container[1024];

        static void add_link(int socket) {
            if (link_count == 64) { close(socket); return; }
            struct link *one = calloc(1, sizeof *one);
            one->socket = socket;
            links[link_count++] = one;
        }

        // The text of a member anywhere in the message; sufficient for the host's messages.
        static bool member(const char *message, const char *key, char *value, size_t room) {
            char pattern[64];
            snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
            const char *at = strstr(message, pattern);
            value[0] = 0;
            if (!at) return false;
            at += strlen(pattern);
            size_t length = 0;
            while (*at && *at != '"' && length + 1 < room) {
                if (*at == '\\' && at[1]) at++;
                value[length++] = *at++;
            }
            value[length] = 0;
            return true;
        }

        static void send_all(int socket, const char *bytes, size_t size, const int *descriptors, int count) {
            char control[CMSG_SPACE(8 * sizeof(int))] = {0};
            struct iovec part = { (void *)bytes, size };
            struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1 };
            if (count > 0) {
                header.msg_control = control;
                header.msg_controllen = CMSG_SPACE(count * sizeof(int));
                struct cmsghdr *first = CMSG_FIRSTHDR(&header);
                first->cmsg_level = SOL_SOCKET;
                first->cmsg_type = SCM_RIGHTS;
                first->cmsg_len = CMSG_LEN(count * sizeof(int));
                memcpy(CMSG_DATA(first), descriptors, count * sizeof(int));
            }
            ssize_t sent = sendmsg(socket, &header, MSG_NOSIGNAL);
            while (sent >= 0 && (size_t)sent < size) {
                bytes += sent;
                size -= sent;
                sent = send(socket, bytes, size, MSG_NOSIGNAL);
            }
        }

        static void reply_with(struct link *one, const int *descriptors, int count, const char *format, ...) {
            char body[32768], text[33000];
            va_list values;
            va_start(values, format);
            vsnprintf(body, sizeof body, format, values);
            va_end(values);
            int length = snprintf(text, sizeof text, "{\"parameters\":%s}", body);
            send_all(one->socket, text, length + 1, descriptors, count);
        }
        #define reply(one, ...) reply_with(one, NULL, 0, __VA_ARGS__)

        static void fail(struct link *one, const char *error, const char *format, ...) {
            char body[4096], text[4400];
            va_list values;
            va_start(values, format);
            vsnprintf(body, sizeof body, format, values);
            va_end(values);
            int length = snprintf(text, sizeof text, "{\"error\":\"org.docent.FileProvider.%s\",\"parameters\":%s}", error, body);
            send_all(one->socket, text, length + 1, NULL, 0);
        }

        static void answer(struct link *one, const char *method, const char *message);

        static bool receive(struct link *one) {
            char control[CMSG_SPACE(8 * sizeof(int))];
            struct iovec part = { one->bytes + one->used, sizeof one->bytes - one->used - 1 };
            struct msghdr header = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control };
            ssize_t got = recvmsg(one->socket, &header, MSG_CMSG_CLOEXEC);
            if (got <= 0) return false;
            for (struct cmsghdr *c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
                int received = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
                for (int i = 0; i < received && one->count < 8; i++)
                    memcpy(&one->descriptors[one->count++], CMSG_DATA(c) + i * sizeof(int), sizeof(int));
            }
            one->used += got;
            char *end;
            while ((end = memchr(one->bytes, 0, one->used))) {
                char method[128];
                member(one->bytes, "method", method, sizeof method);
                char *dot = strrchr(method, '.');
                answer(one, dot ? dot + 1 : method, one->bytes);
                size_t length = end - one->bytes + 1;
                memmove(one->bytes, end + 1, one->used - length);
                one->used -= length;
            }
            return true;
        }

        int32_t docent_extension_main_v1(const struct docent_extension_context_v1 *context) {
        #ifdef FLOOD_AT_START
            static char noise[65536];
            memset(noise, 'x', sizeof noise);
            while (send(context->socket, noise, sizeof noise, MSG_NOSIGNAL) > 0) {}
            pause();
        #endif
        #ifdef GARBAGE_AT_START
            send_all(context->socket, "this is no message", 19, NULL, 0);
        #endif
        #ifdef SILENT_AT_START
            for (;;) pause();
        #endif
            add_link(context->socket);
            while (link_count > 0 && links[0]) {
                struct pollfd polled[64];
                int count = link_count;
                for (int i = 0; i < count; i++) polled[i] = (struct pollfd){ links[i]->socket, POLLIN, 0 };
                if (poll(polled, count, -1) < 0) continue;
                for (int i = count - 1; i >= 0; i--) {
                    if (!polled[i].revents || receive(links[i])) continue;
                    if (i == 0) return 0;
                    close(links[i]->socket);
                    free(links[i]);
                    links[i] = links[--link_count];
                }
            }
            return 0;
        }
        """#
}
