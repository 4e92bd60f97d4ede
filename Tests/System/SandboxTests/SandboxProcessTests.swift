import CLinux
import DocentTestSupport
import Foundation
import Glibc
import ProcessLaunching
import Testing

@testable import ExtensionHosting

@Suite("An extension's process", .needs(.programs, within: .seconds(300)))
struct SandboxProcessTests {
    static let head = """
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/resource.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #include "docent_extension.h"

        """
    static let entry = "int32_t docent_extension_main_v1(const struct docent_extension_context_v1 *context)"
    static let waits = head + entry + " { char c; while (read(context->socket, &c, 1) > 0) {} return 0; }"

    /// A library that cannot become an extension, and the error that the daemon gets.
    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String?
        let exit: ExtensionExit
        let says: String
    }

    static let broken = [
        Broken(testDescription: "not an ELF file", source: nil, exit: .exited(66), says: "cannot be loaded"),
        Broken(
            testDescription: "no entry symbol", source: "int nothing;", exit: .exited(67),
            says: "docent_extension_main_v1"),
        Broken(
            testDescription: "needs a missing symbol",
            source: "extern int nowhere_at_all(void); int here(void) { return nowhere_at_all(); }", exit: .exited(66),
            says: "nowhere_at_all"),
        Broken(
            testDescription: "crashes in a constructor",
            source: "__attribute__((constructor)) static void start(void) { __builtin_trap(); }",
            exit: .signalled(SIGILL), says: ""),
        Broken(
            testDescription: "aborts",
            source: head + entry + " { (void)context; fputs(\"about to abort\", stderr); abort(); }",
            exit: .signalled(SIGABRT), says: "about to abort"),
        Broken(
            testDescription: "returns a code that looks like a signal",
            source: head + entry + " { (void)context; puts(\"said on stdout\"); return 139; }", exit: .exited(139),
            says: "said on stdout"),
    ]

    @Test("S1: the defect of a library is reported", arguments: broken, [false, true])
    func brokenLibrary(_ broken: Broken, isUnsandboxed: Bool) async throws {
        let world = try SandboxWorld(broken.source)
        if broken.source == nil { try Data("hello".utf8).write(to: URL(filePath: world.library)) }
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        let process = try ExtensionProcess.start(profile)
        #expect(await process.waitForExit() == broken.exit)
        #expect(broken.says.isEmpty || process.errorText.contains(broken.says), "\(process.errorText)")
        #expect(!process.isRunning)
    }

    @Test(
        "instead of a folder for providers' libraries there is an empty read-only one, with the provider's own directory"
    )
    func providerFolders() async throws {
        let source = """
            #include <dirent.h>
            #include <errno.h>
            \(Self.head)
            static int count(const char *path) {
                int count = 0;
                DIR *folder = opendir(path);
                if (!folder) return -errno;
                for (struct dirent *entry; (entry = readdir(folder));) count += entry->d_name[0] != '.';
                closedir(folder);
                return count;
            }
            \(Self.entry) {
                dprintf(context->socket, "lib %d\\n", count("/usr/lib"));
                dprintf(context->socket, "hidden %d\\n", count(HIDDEN));
                int file = open(HIDDEN "/planted", O_CREAT | O_WRONLY, 0600);
                dprintf(context->socket, "write %d\\n", file < 0 ? errno : 0);
                dprintf(context->socket, "own %d\\nend\\n", count(OWN));
                return 0;
            }
            """
        // Any folder of the distribution that is not needed here.
        let hidden = try #require(
            ["/usr/lib/systemd", "/usr/lib/dpkg", "/usr/lib/apt", "/usr/lib/python3"].first {
                FileManager.default.fileExists(atPath: $0)
            })
        let world = try SandboxWorld(nil)
        let own = world.folder + "/docent/providers/org.example.A"
        _ = try SandboxWorld.makeFolder(own + "/data")
        try Data("words".utf8).write(to: URL(filePath: own + "/data/words"))
        try SandboxWorld.compile(
            source, to: own + "/libA.so",
            options: ["-shared", "-fPIC", "-DHIDDEN=\"\(hidden)\"", "-DOWN=\"\(own)\""])
        var profile = world.profile()
        profile.library = own + "/libA.so"
        profile.libraryDirectory = own
        var system = SystemLayout.current()
        system.providerFolders = [hidden]
        let process = try ExtensionProcess.start(profile, isCheck: false, system: system)
        let answer = await SandboxWorld.talk(process)
        var found: [String: Int] = [:]
        for line in answer.split(separator: "\n") where line.contains(" ") {
            let words = line.split(separator: " ")
            found[String(words[0])] = Int(words[1])
        }
        #expect(found["lib"] ?? 0 > 3 && found["hidden"] == 0 && found["own"] == 2, "\(answer) \(process.errorText)")
        #expect([EROFS, EACCES].contains(Int32(found["write"] ?? 0)), "\(answer)")
    }

    @Test("A missing library makes the start fail, and bubblewrap names it")
    func missingLibrary() async throws {
        let world = try SandboxWorld(nil)
        let process = try ExtensionProcess.start(world.profile())
        #expect(await process.waitForExit() == .exited(5))
        #expect(process.errorText.contains("libplugin.so"))
        var profile = world.profile()
        profile.isUnsandboxed = true
        #expect(await (try ExtensionProcess.start(profile)).waitForExit() == .exited(66))
    }

    @Test("S1: the host program loads nothing outside bubblewrap")
    func hostOutsideBubblewrap() throws {
        let world = try SandboxWorld(Self.waits)
        let script = """
            exec 3</dev/null 4</dev/null; exec "$0" --library "$1" --socket 3 --lifeline 4
            """
        let (status, output) = try SandboxWorld.run(
            "/bin/sh", ["-c", script, SandboxWorld.hostProgram, world.library])
        #expect(status == 5)
        #expect(output.contains("bubblewrap"))
    }

    @Test(
        "The host program refuses wrong arguments",
        arguments: [
            [], ["--library", "relative.so"], ["--socket", "77"], ["--socket", "0"], ["--lifeline", "x"],
            ["--surprise"],
            ["--library", "/x", "stray"],
        ])
    func usage(_ arguments: [String]) throws {
        let (status, output) = try SandboxWorld.run(SandboxWorld.hostProgram, arguments)
        #expect(status == 64)
        #expect(output.hasPrefix("docent-extension-host: "))
    }

    @Test(
        "S2: the session keyring is new, not the daemon's",
        .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/keys")))
    func newKeyring() async throws {
        let world = try SandboxWorld(Self.waits)
        let before = try SessionKeyrings.current()
        let process = try ExtensionProcess.start(world.profile())
        let limit = ContinuousClock.now + .seconds(60)
        var made: Set<String> = []
        while made.isEmpty, process.isRunning, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(20))
            made = try SessionKeyrings.current().subtracting(before)
        }
        #expect(!made.isEmpty, "\(process.errorText)")
        process.terminate()
        _ = await process.waitForExit()
    }

    @Test("S5: a plugin that never answers ends with the lifeline", arguments: [false, true])
    func endsWithLifeline(_ isUnsandboxed: Bool) async throws {
        let world = try SandboxWorld(
            Self.head + "#include <signal.h>\n" + Self.entry + """
                 {
                    for (int s = 1; s < 64; s++) signal(s, SIG_IGN);
                    for (int f = 3; f < 256; f++) if (f != context->socket) close(f);
                    (void)!write(context->socket, "end\\n", 4);
                    for (;;) {}
                }
                """)
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        let process = try ExtensionProcess.start(profile)
        #expect(await SandboxWorld.talk(process) == "end\n")
        #expect(process.isRunning)
        let tree = ProcessTree.descendants(of: process.processIdentifier) + [process.processIdentifier]
        #expect(tree.count >= 2)
        process.terminate()
        #expect(await process.waitForExit() == .exited(0))
        #expect(await SandboxWorld.allEnd(tree))
    }

    @Test("S5: releasing the last reference also ends the process")
    func endsWithReference() async throws {
        let world = try SandboxWorld(Self.waits)
        var process: ExtensionProcess? = try ExtensionProcess.start(world.profile())
        let identifier = try #require(process?.processIdentifier)
        #expect(SandboxWorld.lives(identifier))
        process = nil
        #expect(await SandboxWorld.allEnd([identifier]))
    }

    @Test("S5: descendants are ended too, even those that left their session", arguments: [false, true])
    func descendantsEnd(_ isUnsandboxed: Bool) async throws {
        let world = try SandboxWorld(
            Self.head + Self.entry + """
                 {
                    if (fork() == 0) {
                        setsid();
                        if (fork() == 0) {
                            close(context->socket);
                            execl("/usr/bin/sleep", "sleep", "1000", NULL);
                        }
                        _exit(0);
                    }
                    wait(NULL);
                    (void)!write(context->socket, "end\\n", 4);
                    pause();
                    return 0;
                }
                """)
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        profile.spawn = ["/usr/bin/sleep"]
        let process = try ExtensionProcess.start(profile)
        #expect(await SandboxWorld.talk(process) == "end\n")
        func names() -> [String] {
            ProcessTree.descendants(of: process.processIdentifier)
                .map { (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) ?? "" }
        }
        for _ in 0..<600 where !names().contains("sleep\n") { try await Task.sleep(for: .milliseconds(100)) }
        #expect(names().contains("sleep\n"), "\(names())")
        let tree = ProcessTree.descendants(of: process.processIdentifier)
        process.terminate()
        _ = await process.waitForExit()
        #expect(await SandboxWorld.allEnd(tree))
    }

    @Test("S2: only an entitled program can be started, and not through a descriptor")
    func spawnEntitlement() async throws {
        let world = try SandboxWorld(
            "#define _GNU_SOURCE\n" + Self.head + "#include <errno.h>\n#include <spawn.h>\n#include <sys/mman.h>\n"
                + "#include <sys/syscall.h>\nextern char **environ;\n" + Self.entry + """
                     {
                        char *arguments[] = {"true", NULL};
                        pid_t child;
                        int status = -1;
                        int first = posix_spawn(&child, "/usr/bin/true", NULL, NULL, arguments, environ);
                        if (first == 0) waitpid(child, &status, 0);
                        int second = posix_spawn(&child, "/run/docent-extension-host", NULL, NULL, arguments, environ);
                        int third = posix_spawn(&child, "/usr/bin/id", NULL, NULL, arguments, environ);
                        long fourth = syscall(SYS_execveat, memfd_create("x", 0), "", arguments, environ, 0x1000);
                        dprintf(context->socket, "%d %d %d %d %d end\\n", first, status, second, third,
                                fourth < 0 ? errno : 0);
                        return 0;
                    }
                    """)
        var profile = world.profile()
        profile.spawn = ["/usr/bin/true"]
        let process = try ExtensionProcess.start(profile)
        let answer = await SandboxWorld.talk(process)
        // Landlock refuses the second; otherwise that program would be found, and refuse to work.
        let second = try #require(await landlock(process)) > 0 ? EACCES : 0
        #expect(answer == "0 0 \(second) \(ENOENT) \(EPERM) end\n")
    }

    private func landlock(_ process: ExtensionProcess) async -> Int? {
        _ = await process.waitForExit()
        return process.landlockVersion
    }

    @Test("random bytes differ, environment and limits are as listed, and files can be replaced")
    func inside() async throws {
        let world = try SandboxWorld(
            Self.head + "#include <pthread.h>\n#include <time.h>\nextern char **environ;\n"
                + "static void *thread(void *value) { return value; }\n" + Self.entry + """
                     {
                        unsigned char one[16], other[16];
                        int random = open("/dev/urandom", O_RDONLY);
                        if (read(random, one, 16) != 16 || read(random, other, 16) != 16) return 1;
                        if (memcmp(one, other, 16) == 0) return 2;
                        close(random);
                        struct rlimit files;
                        getrlimit(RLIMIT_NOFILE, &files);
                        if (files.rlim_cur != 256 || files.rlim_max != 256) return 3;
                        char name[256];
                        snprintf(name, sizeof name, "%s/new", getenv("LC_DOCENT_CONTAINER"));
                        int file = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
                        if (file < 0 || write(file, "x", 1) != 1 || fsync(file) != 0) return 4;
                        char final[300];
                        snprintf(final, sizeof final, "%s.final", name);
                        if (rename(name, final) != 0) return 5;
                        pthread_t started;
                        if (pthread_create(&started, NULL, thread, NULL) != 0 || pthread_join(started, NULL) != 0) return 6;
                        if (open("/tmp/scratch", O_CREAT | O_RDWR, 0600) < 0) return 7;
                        for (char **entry = environ; *entry; entry++) dprintf(context->socket, "%s\\n", *entry);
                        dprintf(context->socket, "end\\n");
                        return 0;
                    }
                    """)
        var profile = world.profile()
        profile.locale = [
            "LC_DOCENT_CONTAINER": world.container, "TZ": "Europe/Berlin", "LD_PRELOAD": "/evil.so",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus", "https_proxy": "http://proxy",
        ]
        let process = try ExtensionProcess.start(profile)
        let lines = await SandboxWorld.talk(process).split(separator: "\n").map(String.init)
        #expect(await process.waitForExit() == .exited(0), "\(process.errorText)")
        #expect(
            Set(lines.filter { !$0.hasPrefix("PWD=") }) == [
                "HOME=\(world.folder)/home", "LC_DOCENT_CONTAINER=\(world.container)", "PATH=/usr/bin:/bin",
                "SWIFT_BACKTRACE=enable=no", "TMPDIR=/tmp", "TZ=Europe/Berlin", "end",
            ])
        #expect(access(world.container + "/new.final", F_OK) == 0)
        #expect(access("/tmp/scratch", F_OK) != 0)
    }

    @Test("only the standard descriptors and the socket reach a plugin", arguments: [false, true])
    func descriptors(_ isUnsandboxed: Bool) async throws {
        let leaked = open("/dev/null", O_RDONLY)
        defer { close(leaked) }
        let world = try SandboxWorld(
            Self.head + Self.entry + """
                 {
                    for (int f = 0; f < 256; f++)
                        if (fcntl(f, F_GETFD) >= 0) dprintf(context->socket, "%s ", f == context->socket ? "S" : f < 3 ? "s" : "?");
                    dprintf(context->socket, "end\\n");
                    return 0;
                }
                """)
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        #expect(await SandboxWorld.talk(try ExtensionProcess.start(profile)) == "s s s S end\n")
    }

    @Test("Entitled folders: one is readable, one is writable, also their modes; a missing one is left out")
    func folders() async throws {
        let world = try SandboxWorld(
            Self.head + "#include <errno.h>\n#include <sys/stat.h>\n" + Self.entry + """
                 {
                    int read_only = open("file", O_RDONLY);
                    (void)!chdir(getenv("LC_FOLDERS"));
                    read_only = open("read/file", O_RDONLY);
                    int changed = open("read/file", O_WRONLY) < 0 ? errno : 0;
                    int written = open("write/new", O_CREAT | O_RDWR, 0600);
                    int mode = fchmod(written, 0640), special = fchmod(written, 04755) < 0 ? errno : 0;
                    dprintf(context->socket, "%d %d %d %d %d end\\n", read_only >= 0, changed, written >= 0, mode, special);
                    return 0;
                }
                """)
        var profile = world.profile()
        let read = try SandboxWorld.makeFolder(world.folder + "/read")
        try Data().write(to: URL(filePath: read + "/file"))
        profile.readOnly = [read, world.folder + "/missing"]
        profile.readWrite = [try SandboxWorld.makeFolder(world.folder + "/write")]
        profile.locale = ["LC_FOLDERS": world.folder]
        let process = try ExtensionProcess.start(profile)
        let answer = await SandboxWorld.talk(process)
        #expect(
            [EACCES, EROFS].map { "1 \($0) 1 0 \(EPERM) end\n" }.contains(answer), "\(answer) \(process.errorText)")
    }

    @Test("A plugin with much output does not block, and its last 4 KiB are kept")
    func chatty() async throws {
        let world = try SandboxWorld(
            Self.head + Self.entry + """
                 {
                    (void)context;
                    for (int i = 0; i < 100000; i++) fprintf(stderr, "line %d\\n", i);
                    return 7;
                }
                """)
        let process = try ExtensionProcess.start(world.profile())
        #expect(await process.waitForExit() == .exited(7))
        #expect(process.errorText.hasSuffix("line 99999"))
        #expect(process.errorText.utf8.count <= 4096)
    }
}
