import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation

/// A provider in C that creates documents, and whose picker exports them, halfway until a file `go` is in its
/// container.
struct SlowPlugin {
    let workshop: PluginWorkshop

    var installation: Installation { workshop.installation }
    /// Lets it continue.
    var go: String { workshop.container + "/go" }
    static let size = 4_000_000

    /// Creates an installation with the provider for a test.
    ///
    /// - Parameters:
    ///   - hasOwnPicker: the picker exports documents itself; otherwise the host's browser passes them to the file
    ///     provider.
    ///   - tellsForSeconds: instead of waiting halfway it continues for so long, and reports progress four times a
    ///     second.
    static func with(
        hasOwnPicker: Bool = false, tellsForSeconds: Int? = nil, environment: [String: String] = [:],
        _ body: (SlowPlugin) async throws -> Void
    ) async throws {
        try await Installation.with(environment: environment, localFolder: false) { installation in
            let workshop = PluginWorkshop(installation) {
                $0.identifier = "org.example.Slow"
                $0.hasOwnPicker = hasOwnPicker
            }
            try await workshop.compile(source, defines: tellsForSeconds.map { ["TELLS_SECONDS": "\($0)"] } ?? [:])
            try workshop.writeManifests()
            try await workshop.enable()
            try Data(count: size).write(to: URL(fileURLWithPath: installation.home + "/big.bin"))
            try await body(SlowPlugin(workshop: workshop))
        }
    }

    var file: String { installation.home + "/big.bin" }

    /// The destination given to the picker or the browser. The plugin's own picker takes it for the URL of the new
    /// document.
    var location: DocumentLocation {
        DocumentLocation(
            provider: workshop.shape.identifier,
            path: workshop.shape.hasOwnPicker ? "/file:||STORAGE|big.bin/" : "/")
    }

    /// The number of bytes created; nil before that.
    var madeSize: Int? {
        (try? FileManager.default.attributesOfItem(atPath: workshop.storage + "/big.bin"))?[.size] as? Int
    }

    private static let source = [
        TestPluginSource.transport, TestPluginSource.hogs, TestPluginSource.provider, TestPluginSource.picker, slowness,
    ].joined(separator: "\n")

    private static let slowness = #"""
        #include <time.h>

        static void tell(struct link *one, const char *format, long long completed, long long total) {
            char body[256], text[300];
            snprintf(body, sizeof body, format, completed, total);
            int length = snprintf(text, sizeof text, "{\"parameters\":%s,\"continues\":true}", body);
            send_all(one->socket, text, length + 1, NULL, 0);
        }

        #ifdef TELLS_SECONDS
        static void go_on(struct link *one, const char *format, long long size) {
            for (int step = 0; step < TELLS_SECONDS * 4; step++) {
                tell(one, format, size / 2 + step, size);
                usleep(250000);
            }
        }
        #else
        // Not forever: a test that does not let it continue has to fail, not to hang.
        static void go_on(struct link *one, const char *format, long long size) {
            (void)one; (void)format; (void)size;
            char path[1200];
            snprintf(path, sizeof path, "%s/go", container);
            time_t end = time(NULL) + 90;
            while (access(path, F_OK) != 0 && time(NULL) < end) usleep(20000);
        }
        #endif

        static void create(struct link *one, const char *message) {
            char name[1024], path[2300], item[2400];
            member(message, "name", name, sizeof name);
            int source = one->count > 0 ? one->descriptors[--one->count] : -1;
            struct stat facts = {0};
            fstat(source, &facts);
            snprintf(path, sizeof path, "%s/%s", storage, name);
            int target = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
            if (target < 0) { close(source); fail(one, "Collision", "{\"message\":\"It is there.\"}"); return; }
            static char bytes[65536];
            long long done = 0;
            for (int half = 1; half <= 2; half++) {
                long long end = facts.st_size * half / 2;
                while (done < end) {
                    long long wanted = end - done < (long long)sizeof bytes ? end - done : (long long)sizeof bytes;
                    ssize_t got = pread(source, bytes, wanted, done);
                    if (got <= 0 || write(target, bytes, got) != got) break;
                    done += got;
                }
                if (strstr(message, "\"more\":true"))
                    tell(one, "{\"completedBytes\":%lld,\"totalBytes\":%lld}", done, (long long)facts.st_size);
                note("Create", half == 1 ? "half" : "whole");
                if (half == 1) go_on(one, "{\"completedBytes\":%lld,\"totalBytes\":%lld}", facts.st_size);
            }
            close(target);
            close(source);
            describe(name, item, sizeof item);
            reply(one, "{\"item\":%s}", item);
        }

        static void choose(struct link *one, const char *message) {
            struct stat facts = {0};
            if (original < 0) return;
            fstat(original, &facts);
            if (strstr(message, "\"more\":true"))
                tell(one, "{\"cancelled\":false,\"completedBytes\":%lld,\"totalBytes\":%lld}", facts.st_size / 2, facts.st_size);
            note("Choose", "half");
            go_on(one, "{\"cancelled\":false,\"completedBytes\":%lld,\"totalBytes\":%lld}", facts.st_size);
        }

        static void answer(struct link *one, const char *method, const char *message) {
            char full[128];
            member(message, "method", full, sizeof full);
            if (!strcmp(method, "Connect")) {
                if (one->count > 0) add_link(one->descriptors[--one->count]);
                reply(one, "{}");
            } else if (!strcmp(method, "Initialize")) {
                initialize(one, message);
            } else if (strstr(full, "DocumentPicker")) {
                if (!strcmp(method, "Choose")) choose(one, message);
                picker(one, method, message);
            } else if (!strcmp(method, "Create")) {
                create(one, message);
            } else {
                file_provider(one, method, message);
            }
        }
        """#
}
