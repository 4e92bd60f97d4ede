import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import ExtensionHosting

/// What an extension gets from the daemon's session besides descriptors, as far as an ordinary user can change it.
@Suite("What an extension inherits", .needs(.programs, within: .seconds(300)))
struct SandboxInheritanceTests {
    private typealias Personality = @convention(c) (UInt) -> CInt

    /// `ADDR_NO_RANDOMIZE`.
    private static let addressesAsTheyAre: UInt = 0x0040000

    private static let source =
        SandboxProcessTests.head + SandboxProcessTests.entry + """
             {
                char personality[16] = "unknown";
                int file = open("/proc/self/personality", O_RDONLY);
                ssize_t count = file < 0 ? 0 : read(file, personality, sizeof personality - 1);
                if (count > 0) personality[count - 1] = '\\0';
                dprintf(context->socket, "%s %d\\nend\\n", personality, getpriority(PRIO_PROCESS, 0));
                return 0;
            }
            """

    private static let credentials =
        SandboxProcessTests.head + SandboxProcessTests.entry + """
             {
                char status[8192] = "";
                int file = open("/proc/self/status", O_RDONLY);
                if (file < 0 || read(file, status, sizeof status - 1) <= 0) return 1;
                const char *names[] = {"CapInh:", "CapPrm:", "CapEff:", "CapAmb:", "NoNewPrivs:", "SigBlk:"};
                for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
                    const char *line = strstr(status, names[i]);
                    if (line) dprintf(context->socket, "%.*s\\n", (int)strcspn(line, "\\n"), line);
                }
                dprintf(context->socket, "session %d\\nend\\n", (int)getsid(0));
                return 0;
            }
            """

    /// Starts an extension from a thread that blocks a signal.
    private static func startBlocking(_ profile: SandboxProfile) async throws -> ExtensionProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGUSR1)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                continuation.resume(with: Result { try ExtensionProcess.start(profile) })
            }
        }
    }

    @Test("S2: no capabilities, signals or session of the daemon's arrive in the sandbox")
    func credentials() async throws {
        let world = try SandboxWorld(Self.credentials)
        let process = try await Self.startBlocking(world.profile())
        let lines = await SandboxWorld.talk(process).split(separator: "\n").map {
            $0.split(whereSeparator: \.isWhitespace).map(String.init)
        }
        var values: [String: String] = [:]
        for line in lines where line.count == 2 { values[line[0]] = line[1] }
        for name in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:", "SigBlk:"] {
            #expect(values[name].flatMap { UInt64($0, radix: 16) } == 0, "\(name) \(lines) \(process.errorText)")
        }
        #expect(values["NoNewPrivs:"] == "1", "\(lines)")
        // A session from outside has the number 0 inside.
        #expect(values["session"].flatMap { Int($0) }.map { $0 > 0 } == true, "\(lines)")
        _ = await process.waitForExit()
    }

    private static func priority() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

    /// Starts an extension from a thread with another personality and a lower priority. Both belong to the thread.
    private static func start(_ profile: SandboxProfile, priority: Int32) async throws -> ExtensionProcess {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    guard let symbol = dlsym(nil, "personality") else { throw Problem("There is no personality.") }
                    guard unsafeBitCast(symbol, to: Personality.self)(addressesAsTheyAre) >= 0,
                        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, priority) == 0
                    else { throw Problem("The thread cannot be changed: errno \(errno).") }
                    continuation.resume(returning: try ExtensionProcess.start(profile))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    // Without a sandbox it is the control: everything arrives there.
    @Test("S2: the daemon's personality is not inherited, and a lower priority is", arguments: [false, true])
    func inherited(_ isUnsandboxed: Bool) async throws {
        let world = try SandboxWorld(Self.source)
        var profile = world.profile()
        profile.isUnsandboxed = isUnsandboxed
        let priority = min(19, Self.priority() + 3)
        let process = try await Self.start(profile, priority: priority)
        let answer = await SandboxWorld.talk(process)
        let personality = isUnsandboxed ? "00040000" : "00000000"
        #expect(answer == "\(personality) \(priority)\nend\n", "\(answer) \(process.errorText)")
        _ = await process.waitForExit()
    }
}
