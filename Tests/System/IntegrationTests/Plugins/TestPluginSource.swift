import DocentTestSupport

/// A provider with a picker in handwritten C: no Swift and no SDK, only the header and the messages (law 4).
///
/// It keeps its documents as files in its document storage. Some names are faults instead of documents: asking for the
/// child `crash` ends the process, for example. Its picker answers with the URL spelled by the chosen path.
enum TestPluginSource {
    /// Defects of a plugin that make the loader fail.
    static let crashingConstructor = #"""
        #include <stdlib.h>
        __attribute__((constructor)) static void early(void) { abort(); }
        """#

    /// A plugin that takes as many of the machine's resources as it can.
    static let hogs = #"""
        #include <pthread.h>
        #include <sys/mman.h>

        static void *rest(void *unused) { pause(); return unused; }

        // A number of files of one mebibyte in a folder.
        static int fill(const char *folder, int count) {
            static char piece[1 << 20];
            memset(piece, 0x55, sizeof piece);
            for (int i = 0; i < count; i++) {
                char path[2300];
                snprintf(path, sizeof path, "%s/hog-%d", folder, i);
                int file = open(path, O_WRONLY | O_CREAT, 0600);
                if (file < 0 || write(file, piece, sizeof piece) != sizeof piece) return errno;
                close(file);
            }
            return 0;
        }

        static void take_memory(int flags) {
            for (int i = 0; i < 4096; i++) {
                char *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
                if (memory != MAP_FAILED) memset(memory, 0x55, 1 << 20);
                usleep(1000);
            }
        }

        static bool hog(struct link *one, const char *name) {
            int count = 0, error = 0;
            if (!strcmp(name, "hog-private")) take_memory(MAP_PRIVATE);
            else if (!strcmp(name, "hog-shared")) take_memory(MAP_SHARED);
            else if (!strcmp(name, "hog-temporary")) { fill("/tmp", 200); for (;;) pause(); }
            else if (!strcmp(name, "hog-unseen")) error = memfd_create("x", 0) < 0 ? errno : 0;
            else if (!strcmp(name, "hog-threads")) {
                pthread_t thread;
                while (count < 2000 && (error = pthread_create(&thread, NULL, rest, NULL)) == 0) count++;
            } else if (!strcmp(name, "hog-forks")) {
                for (pid_t child = 1; count < 2000 && child > 0; count++) {
                    child = fork();
                    if (child == 0) for (;;) pause();
                    if (child < 0) { error = errno; break; }
                }
            } else if (!strcmp(name, "hog-names")) {
                for (; count < 1000 && error == 0; count++) {
                    char path[2300];
                    snprintf(path, sizeof path, "%s/name-%d", container, count);
                    error = mkdir(path, 0700) != 0 ? errno : 0;
                }
            } else if (!strcmp(name, "hog-nameless")) {
                char path[2300];
                for (; count < 64 && error == 0; count++) {
                    static char piece[1 << 20];
                    memset(piece, 0x55, sizeof piece);
                    snprintf(path, sizeof path, "%s/nameless", container);
                    int file = open(path, O_WRONLY | O_CREAT, 0600);
                    error = file < 0 || write(file, piece, sizeof piece) < 0 || unlink(path) != 0 ? errno : 0;
                }
            } else if (sscanf(name, "hog-disk-%d", &count) == 1) error = fill(container, count);
            else return false;
            fail(one, "Failed", "{\"message\":\"%s: %d, %d\"}", name, count, error);
            return true;
        }
        """#

    /// The file provider and its faults.
    static let provider = #"""
        #ifndef FEATURES
        #define FEATURES "\"inPlace\",\"write\""
        #endif
        #ifndef SECRET
        #define SECRET "/nowhere"
        #endif

        static void initialize(struct link *one, const char *message) {
            member(message, "storage", storage, sizeof storage);
            strcpy(container, storage);
            for (int i = 0; i < 2; i++) { char *slash = strrchr(container, '/'); if (slash) *slash = 0; }
            char path[1200];
            snprintf(path, sizeof path, "%s/a.txt", storage);
            int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (file >= 0) { if (write(file, "from C\n", 7) < 0) perror("write"); close(file); }
            reply(one, "{\"sdk\":\"c\",\"features\":[" FEATURES "]}");
        }

        static long long declared_size(const char *identifier, long long size) {
            if (!strcmp(identifier, "short")) return 1000;
            if (!strcmp(identifier, "long")) return 1;
            return size;
        }

        // One document, as a member of a reply; false if there is none.
        static bool describe(const char *identifier, char *text, size_t room) {
            static const char *folders[] = { ".root", "endless", "circle", "boundless", "same", "fat", NULL };
            bool is_folder = false;
            for (int i = 0; folders[i]; i++) is_folder |= !strcmp(identifier, folders[i]);
            if (is_folder) {
                snprintf(text, room, "{\"identifier\":\"%s\",\"parent\":\".root\",\"name\":\"%s\",\"isFolder\":true}", identifier, identifier);
                return true;
            }
            char path[2300];
            snprintf(path, sizeof path, "%s/%s", storage, identifier);
            struct stat facts = { .st_size = 7 };
            static const char *unreal[] = { "pipe", "device", "directory", "writable", "proc", "nothing", "short", "long", "hole", NULL };
            bool is_unreal = false;
            for (int i = 0; unreal[i]; i++) is_unreal |= !strcmp(identifier, unreal[i]);
            if (!is_unreal && stat(path, &facts) != 0) return false;
            char size[64] = "";
            if (strcmp(identifier, "hole")) snprintf(size, sizeof size, "\"size\":%lld,", declared_size(identifier, facts.st_size));
            snprintf(text, room, "{\"identifier\":\"%s\",\"parent\":\".root\",\"name\":\"%s\",%s\"isFolder\":false,\"version\":\"1\"}",
                     identifier, identifier, size);
            return true;
        }

        static bool fault(struct link *one, const char *name) {
            if (hog(one, name)) return true;
            if (!strcmp(name, "crash")) abort();
            if (!strcmp(name, "exit")) _exit(9);
            if (!strcmp(name, "hang")) return true;
            if (!strcmp(name, "garbage")) { send_all(one->socket, "}{ no message", 14, NULL, 0); return true; }
            if (!strcmp(name, "wrong-type")) { reply(one, "{\"item\":[1,2,3]}"); return true; }
            if (!strcmp(name, "flood")) {
                static char noise[65536];
                memset(noise, 'x', sizeof noise);
                while (send(one->socket, noise, sizeof noise, MSG_NOSIGNAL) > 0) {}
                return true;
            }
            if (!strcmp(name, "descriptors")) {
                int given[3] = { open("/dev/urandom", O_RDONLY), open("/dev/urandom", O_RDONLY), open("/dev/urandom", O_RDONLY) };
                reply_with(one, given, 3, "{\"item\":{\"identifier\":\"a.txt\",\"parent\":\".root\",\"name\":\"a.txt\",\"isFolder\":false}}");
                for (int i = 0; i < 3; i++) close(given[i]);
                return true;
            }
            if (!strcmp(name, "fork")) {
                pid_t child = fork();
                if (child == 0) _exit(0);
                int error = child < 0 ? errno : 0;
                if (child > 0) waitpid(child, NULL, 0);
                fail(one, "Failed", "{\"message\":\"fork: %d\"}", error);
                return true;
            }
            if (!strcmp(name, "secret")) {
                int file = open(SECRET, O_RDONLY);
                fail(one, "Failed", "{\"message\":\"secret: %d\"}", file < 0 ? errno : 0);
                if (file >= 0) close(file);
                return true;
            }
            if (!strcmp(name, "connect")) {
                int network = socket(AF_INET, SOCK_STREAM, 0), network_error = network < 0 ? errno : 0;
                int local = socket(AF_UNIX, SOCK_STREAM, 0), local_error = local < 0 ? errno : 0;
                fail(one, "Failed", "{\"message\":\"network: %d, local: %d\"}", network_error, local_error);
                return true;
            }
            if (!strcmp(name, "quota")) {
                fail(one, "InsufficientQuota", "{\"message\":\"The shelf is full.\",\"causes\":["
                     "{\"domain\":\"com.example.Shelf\",\"code\":507,\"message\":\"No room on shelf 3\"},"
                     "{\"domain\":\"NSPOSIXErrorDomain\",\"code\":28,\"message\":\"Device is full\"}]}");
                return true;
            }
            if (!strcmp(name, "login")) { fail(one, "NotAuthenticated", "{\"message\":\"Who are you?\"}"); return true; }
            if (!strcmp(name, "unreachable")) { fail(one, "ServerUnreachable", "{\"message\":\"No route.\"}"); return true; }
            if (!strcmp(name, "invented")) {
                fail(one, "MoonInWrongPhase", "{\"message\":\"Wait for the full moon.\",\"causes\":"
                     "[{\"domain\":\"org.example.Moon\",\"code\":-9223372036854775808,\"message\":\"waning\"}]}");
                return true;
            }
            if (!strcmp(name, "escape-codes")) { fail(one, "Failed", "{\"message\":\"\\u001b[31mred\\u0007\"}"); return true; }
            return false;
        }

        // A page of an endless folder: `boundless` has new items on each, `same` always the same ones, `fat` a few with
        // long identifiers.
        static void endless_page(struct link *one, const char *folder, int page) {
            static char items[32000], long_text[4001];
            bool is_fat = !strcmp(folder, "fat");
            int shown = strcmp(folder, "same") ? page : 0;
            size_t used = 0;
            memset(long_text, 'f', sizeof long_text - 1);
            for (int i = 0; i < (is_fat ? 7 : 350); i++)
                used += snprintf(items + used, sizeof items - used,
                                 "%s{\"identifier\":\"%s%d-%d\",\"parent\":\"%s\",\"name\":\"%d-%d\",\"isFolder\":false}", i ? "," : "",
                                 is_fat ? long_text : "b", shown, i, folder, shown, i);
            reply(one, "{\"items\":[%s],\"nextPage\":\"%d\"}", items, page + 1);
        }

        static int content(const char *identifier) {
            static volatile int writing_end;
            int pair[2];
            if (!strcmp(identifier, "pipe")) {
                if (pipe(pair) != 0) return -1;
                writing_end = pair[1];
                return pair[0];
            }
            if (!strcmp(identifier, "device")) return open("/dev/urandom", O_RDONLY);
            if (!strcmp(identifier, "directory")) return open(storage, O_RDONLY | O_DIRECTORY);
            if (!strcmp(identifier, "proc")) return open("/proc/self/status", O_RDONLY);
            char path[2300];
            bool writable = !strcmp(identifier, "writable");
            snprintf(path, sizeof path, "%s/%s", storage, writable ? "a.txt" : identifier);
            return open(path, writable ? O_RDWR : O_RDONLY);
        }

        static void file_provider(struct link *one, const char *method, const char *message) {
            char identifier[1024], text[2400], item[2400];
            member(message, "identifier", identifier, sizeof identifier);
            if (!strcmp(method, "Child")) {
                member(message, "name", identifier, sizeof identifier);
                if (fault(one, identifier)) return;
            }
            if (!strcmp(method, "Item") || !strcmp(method, "Child")) {
                if (describe(identifier, item, sizeof item)) reply(one, "{\"item\":%s}", item);
                else fail(one, "NoSuchItem", "{\"message\":\"There is no %s.\"}", identifier);
            } else if (!strcmp(method, "Children")) {
                member(message, "parent", identifier, sizeof identifier);
                member(message, "page", text, sizeof text);
                describe("a.txt", item, sizeof item);
                if (!strcmp(identifier, "endless")) reply(one, "{\"items\":[],\"nextPage\":\"%d\"}", atoi(text) + 1);
                else if (!strcmp(identifier, "boundless") || !strcmp(identifier, "same") || !strcmp(identifier, "fat"))
                    endless_page(one, identifier, atoi(text));
                else if (!strcmp(identifier, "circle")) reply(one, "{\"items\":[%s],\"nextPage\":\"again\"}", item);
                else reply(one, "{\"items\":[%s]}", item);
            } else if (!strcmp(method, "OpenInPlace")) {
                int file = content(identifier);
                describe(identifier, item, sizeof item);
                if (file >= 0) { reply_with(one, &file, 1, "{\"item\":%s,\"file\":0}", item); close(file); }
                else if (!strcmp(identifier, "nothing")) reply(one, "{\"item\":%s,\"file\":0}", item);
                else fail(one, "NoSuchItem", "{\"message\":\"There is no %s.\"}", identifier);
            } else if (!strcmp(method, "Fetch")) {
                int target = one->count > 0 ? one->descriptors[--one->count] : -1;
                describe(identifier, item, sizeof item);
                if (!strcmp(identifier, "hole")) { if (ftruncate(target, 8LL << 40) != 0) perror("ftruncate"); }
                else if (write(target, "fetched", 7) < 0) perror("write");
                close(target);
                reply(one, "{\"item\":%s,\"completedBytes\":7}", item);
            } else if (!strcmp(method, "ItemChanged")) {
                snprintf(text, sizeof text, "%s/changes.log", container);
                FILE *log = fopen(text, "a");
                if (log) { fprintf(log, "%s\n", identifier); fclose(log); }
                reply(one, "{}");
            } else if (!strcmp(method, "PersistentIdentifier")) {
                member(message, "url", text, sizeof text);
                char *slash = strrchr(text, '/');
                reply(one, "{\"identifier\":\"%s\"}", slash ? slash + 1 : text);
            } else {
                send_all(one->socket, "{\"error\":\"org.varlink.service.MethodNotImplemented\",\"parameters\":{\"method\":\"x\"}}", 80, NULL, 0);
            }
        }
        """#

    /// The picker. A name on the path spells a URL: `|` is a slash, STORAGE and CONTAINER are those of the provider.
    static let picker = #"""
        static int original = -1;

        static void note(const char *what, const char *detail) {
            char path[1100];
            snprintf(path, sizeof path, "%s/picker.log", container);
            FILE *log = fopen(path, "a");
            if (!log) return;
            fprintf(log, "%s %s\n", what, detail);
            fclose(log);
        }

        static void spell(const char *name, char *url, size_t room) {
            size_t length = 0;
            while (*name && length + 1100 < room) {
                if (!strncmp(name, "STORAGE", 7)) { length += sprintf(url + length, "%s", storage); name += 7; }
                else if (!strncmp(name, "CONTAINER", 9)) { length += sprintf(url + length, "%s", container); name += 9; }
                else { url[length++] = *name == '|' ? '/' : *name; name++; }
            }
            url[length] = 0;
        }

        static void copy_original(const char *path) {
            int target = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
            char bytes[4096];
            ssize_t got;
            while (target >= 0 && (got = pread(original, bytes, sizeof bytes, lseek(target, 0, SEEK_CUR))) > 0)
                if (write(target, bytes, got) < 0) break;
            if (target >= 0) close(target);
        }

        static void picker(struct link *one, const char *method, const char *message) {
            char text[1024], url[4096];
            if (!strcmp(method, "Prepare")) {
                char mode[64];
                member(message, "mode", mode, sizeof mode);
                if (one->count > 0) { close(original); original = one->descriptors[--one->count]; }
                member(message, "storage", text, sizeof text);
                note(method, mode);
                note(text[0] ? "storage given" : "no storage", "");
                reply(one, "{}");
            } else if (!strcmp(method, "Contents")) {
                note(method, "");
                reply(one, "{\"entries\":[{\"path\":\"/shown.txt\",\"name\":\"shown.txt\",\"isFolder\":false,\"selectable\":true}]}");
            } else if (!strcmp(method, "Choose")) {
                member(message, "path", text, sizeof text);
                note(method, text);
                const char *name = text[0] == '/' ? text + 1 : text;
                if (!strcmp(name, "cancel")) { reply(one, "{\"cancelled\":true}"); return; }
                if (!strcmp(name, "crash")) abort();
                if (!strcmp(name, "no-url")) { reply(one, "{\"cancelled\":false}"); return; }
                // The purpose of its file provider: it has synchronised the file itself (C7).
                bool own = !strncmp(name, "own!", 4);
                if (own) name += 4;
                bool copies = strncmp(name, "nocopy!", 7) != 0;
                if (!copies) name += 7;
                spell(name, url, sizeof url);
                const char *path = strncmp(url, "file://", 7) ? NULL : url + 7;
                if (path && copies && original >= 0) copy_original(path);
                int file = path && strncmp(path, storage, strlen(storage)) ? open(path, O_RDONLY) : -1;
                if (file >= 0) reply_with(one, &file, 1, "{\"cancelled\":false,\"url\":\"%s\",\"file\":0}", url);
                else if (own) reply(one, "{\"cancelled\":false,\"url\":\"%s\",\"purpose\":\"org.example.Picking\"}", url);
                else reply(one, "{\"cancelled\":false,\"url\":\"%s\"}", url);
                if (file >= 0) close(file);
            } else if (!strcmp(method, "Dismiss")) {
                note(method, "");
                reply(one, "{}");
            }
        }
        """#

    /// Selects the interface of a message.
    static let dispatch = #"""
        static void answer(struct link *one, const char *method, const char *message) {
            char full[128];
            member(message, "method", full, sizeof full);
            if (!strcmp(method, "Connect")) {
                if (one->count > 0) add_link(one->descriptors[--one->count]);
                reply(one, "{}");
            } else if (!strcmp(method, "Initialize")) {
                initialize(one, message);
            } else if (strstr(full, "DocumentPicker")) {
                picker(one, method, message);
            } else {
                file_provider(one, method, message);
            }
        }
        """#

    /// The whole plugin.
    static let whole = [transport, hogs, provider, picker, dispatch].joined(separator: "\n")
}
