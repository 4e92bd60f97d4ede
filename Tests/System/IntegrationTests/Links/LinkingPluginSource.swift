import DocentTestSupport

/// A provider in C with case-insensitive names, whose documents may be links: symbolic links in its storage whose text
/// is the identifier of their target.
///
/// An identifier is a path in the storage, so a link keeps its identifier when its target changes. The provider is
/// hostile: asked for the content of a link, it returns that of the target.
enum LinkingPluginSource {
    private static let provider = #"""
        #include <dirent.h>
        #include <strings.h>

        static void initialize(struct link *one, const char *message) {
            member(message, "storage", storage, sizeof storage);
            strcpy(container, storage);
            reply(one, "{\"sdk\":\"c\",\"features\":[\"inPlace\"]}");
        }

        static bool describe(const char *identifier, char *text, size_t room) {
            char path[2300], target[1000] = "", parent[1024] = ".root", more[1200] = "";
            struct stat facts;
            if (!strcmp(identifier, ".root")) {
                snprintf(text, room, "{\"identifier\":\".root\",\"parent\":\".root\",\"name\":\"root\",\"isFolder\":true,\"ignoresCase\":true}");
                return true;
            }
            snprintf(path, sizeof path, "%s/%s", storage, identifier);
            if (lstat(path, &facts) != 0) return false;
            const char *slash = strrchr(identifier, '/');
            if (slash) { memcpy(parent, identifier, slash - identifier); parent[slash - identifier] = 0; }
            if (S_ISLNK(facts.st_mode)) {
                ssize_t length = readlink(path, target, sizeof target - 1);
                target[length < 0 ? 0 : length] = 0;
                snprintf(more, sizeof more, ",\"symbolicLinkTarget\":\"%s\"", target);
            }
            snprintf(text, room, "{\"identifier\":\"%s\",\"parent\":\"%s\",\"name\":\"%s\",\"size\":%lld,\"isFolder\":%s,"
                     "\"ignoresCase\":%s,\"version\":\"%lld.%ld\"%s}",
                     identifier, parent, slash ? slash + 1 : identifier, (long long)facts.st_size,
                     S_ISDIR(facts.st_mode) ? "true" : "false", S_ISDIR(facts.st_mode) ? "true" : "false",
                     (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec, more);
            return true;
        }

        // Calls back for each name of a folder until the callback returns true.
        static bool each(const char *folder, bool (*visit)(const char *identifier, void *context), void *context) {
            char path[2300], identifier[1024];
            bool isRoot = !strcmp(folder, ".root"), found = false;
            snprintf(path, sizeof path, "%s/%s", storage, isRoot ? "" : folder);
            DIR *directory = opendir(path);
            struct dirent *entry;
            while (directory && !found && (entry = readdir(directory))) {
                if (entry->d_name[0] == '.') continue;
                snprintf(identifier, sizeof identifier, "%s%s%s", isRoot ? "" : folder, isRoot ? "" : "/", entry->d_name);
                found = visit(identifier, context);
            }
            if (directory) closedir(directory);
            return found;
        }

        struct wanted { const char *name; char identifier[1024]; };

        static bool is_wanted(const char *identifier, void *context) {
            struct wanted *wanted = context;
            const char *slash = strrchr(identifier, '/');
            if (strcasecmp(slash ? slash + 1 : identifier, wanted->name)) return false;
            strcpy(wanted->identifier, identifier);
            return true;
        }

        static bool add(const char *identifier, void *context) {
            char *items = context, item[4000];
            if (describe(identifier, item, sizeof item) && strlen(items) + strlen(item) < 30000) {
                if (items[0]) strcat(items, ",");
                strcat(items, item);
            }
            return false;
        }

        static void file_provider(struct link *one, const char *method, const char *message) {
            char identifier[1024], name[1024], item[4000];
            member(message, "identifier", identifier, sizeof identifier);
            if (!strcmp(method, "Item")) {
                if (describe(identifier, item, sizeof item)) reply(one, "{\"item\":%s}", item);
                else fail(one, "NoSuchItem", "{\"message\":\"There is no %s.\"}", identifier);
            } else if (!strcmp(method, "Child")) {
                struct wanted wanted = { name, "" };
                member(message, "parent", identifier, sizeof identifier);
                member(message, "name", name, sizeof name);
                if (each(identifier, is_wanted, &wanted) && describe(wanted.identifier, item, sizeof item)) reply(one, "{\"item\":%s}", item);
                else fail(one, "NoSuchItem", "{\"message\":\"There is no %s.\"}", name);
            } else if (!strcmp(method, "Children")) {
                static char items[32000];
                items[0] = 0;
                member(message, "parent", identifier, sizeof identifier);
                each(identifier, add, items);
                reply(one, "{\"items\":[%s]}", items);
            } else if (!strcmp(method, "OpenInPlace")) {
                char path[2300];
                snprintf(path, sizeof path, "%s/%s", storage, identifier);
                int file = open(path, O_RDONLY);
                if (file >= 0 && describe(identifier, item, sizeof item)) {
                    reply_with(one, &file, 1, "{\"item\":%s,\"file\":0}", item);
                } else {
                    fail(one, "NoSuchItem", "{\"message\":\"There is no %s.\"}", identifier);
                }
                if (file >= 0) close(file);
            } else {
                send_all(one->socket, "{\"error\":\"org.varlink.service.MethodNotImplemented\",\"parameters\":{\"method\":\"x\"}}", 80, NULL, 0);
            }
        }

        static void picker(struct link *one, const char *method, const char *message) { reply(one, "{}"); }
        """#

    /// The whole plugin.
    static let whole = [TestPluginSource.transport, provider, TestPluginSource.dispatch].joined(separator: "\n")
}
