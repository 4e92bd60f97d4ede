import CLinux
import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Synchronization
import Testing
import Varlink

@testable import ExtensionHosting
@testable import HostCore

/// A plugin's process, its sockets, and the daemon's knowledge of it end at different moments.
@Suite(.needs(.programs, within: .seconds(300))) struct PluginDeathTests {
    @Test(
        "S5: the cause of a plugin's death is reported, even if the daemon closed the connection meanwhile",
        arguments: [false, true])
    func deathBeforeLifeline(_ isUnsandboxed: Bool) async throws {
        // Files that the kernel takes long to free, closed before and after the socket: for a while the connection has
        // ended, and the process has not.
        let head = "#define _GNU_SOURCE\n" + SandboxProcessTests.head + "#include <fcntl.h>\n#include <sys/mman.h>\n"
        let world = try SandboxWorld(
            head + SandboxProcessTests.entry
                + """
                 {
                    for (int target = 0; target <= 200; target += 200) {
                        // The sandbox has no memory files, and /tmp is in memory.
                        int file = memfd_create("slow", 0);
                        if (file < 0) file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
                        if (file < 0 || posix_fallocate(file, 0, 110 << 20) != 0) return 3;
                        if (dup2(file, target) != target || close(file) != 0) return 4;
                    }
                    (void)!write(context->socket, "end\\n", 4);
                    char byte;
                    if (read(context->socket, &byte, 1) < 1) return 5;
                    if (read(context->socket, &byte, 1) < 1) return 6;
                    abort();
                }
                """)
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        let process = try ExtensionProcess.start(profile)
        guard let socket = process.takeSocket() else { throw Problem("the socket was already taken") }
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(clinux_read(socket.raw, &bytes, bytes.count) == 4, "\(process.errorText)")
        #expect(send(socket.raw, "xx", 2, CInt(MSG_NOSIGNAL)) == 2)
        // Only the end follows.
        #expect(clinux_read(socket.raw, &bytes, bytes.count) <= 0)
        process.terminate()
        #expect(await process.waitForExit() == .signalled(SIGABRT), "\(process.errorText)")
    }

    @Test("law 3: a request that a dead process did not read goes to the next one, however late the death is noticed")
    func endIsNoticedLate() async throws {
        let known = try await Self.ask { process, _ in
            let plugin = try #require(process.pluginProcess)
            // The supervisor inside starts the plugin's process.
            let supervisor = try Self.parent(plugin)
            // While it is suspended it does not report the plugin's end.
            kill(supervisor, SIGSTOP)
            kill(plugin, SIGKILL)
            try await Task.sleep(for: .milliseconds(300))
            kill(supervisor, SIGCONT)
        }
        #expect(known == [true])
    }

    @Test("law 3: a request without a connection goes to the next process")
    func endIsNoticedEarly() async throws {
        let known = try await Self.ask { process, pool in
            let plugin = try #require(process.pluginProcess)
            kill(plugin, SIGKILL)
            // The daemon's reaction when it notices the end before the call does.
            pool.close()
        }
        #expect(known == [true])
    }

    /// Sends a request to a plugin that reads nothing, and lets `end` end it while the request waits.
    ///
    /// - Returns: for each time that the next process was needed, whether the end of this one was known by then.
    private static func ask(_ end: @Sendable (ExtensionProcess, ConnectionPool) async throws -> Void) async throws
        -> [Bool]
    {
        let world = try SandboxWorld(
            SandboxProcessTests.head + SandboxProcessTests.entry + " { (void)context; for (;;) pause(); }")
        let process = try ExtensionProcess.start(world.profile())
        guard let socket = process.takeSocket() else { throw Problem("the socket was already taken") }
        let control = VarlinkConnection(descriptor: socket)
        let pool = ConnectionPool(control: control, interface: FileProviderInterface.name)
        let connection = ExtensionConnection(
            provider: "org.example.Mute", features: [], program: process, pool: pool, deadline: .seconds(60),
            known: KnownSecrets(), files: LibraryFiles(library: world.library, companions: []))
        let wishes = Wishes()
        connection.isFollowed {
            wishes.known.withLock { $0.append(!process.isRunning) }
            throw CancellationError()
        }
        let question = FileProviderInterface.Item.Parameters(domain: "", identifier: "x")
        let answer = Task { _ = try await connection.call(FileProviderInterface.Item.self, question) }
        while process.pluginProcess == nil || pool.busyCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await end(process, pool)
        let failure = await #expect(throws: Failure.self) { try await answer.value }
        #expect(failure?.code == .unavailable)
        process.terminate()
        _ = await process.waitForExit()
        return wishes.known.withLock(\.self)
    }

    private static func parent(_ process: pid_t) throws -> pid_t {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("PPid:") }
        return try #require(line?.split(separator: "\t").last.flatMap { pid_t($0) })
    }

    private final class Wishes: Sendable {
        let known = Mutex<[Bool]>([])
    }
}
