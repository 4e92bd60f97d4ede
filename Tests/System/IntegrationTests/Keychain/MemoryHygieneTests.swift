import DocentTestSupport
import Foundation
import Glibc
import Testing

/// While the daemon holds a secret, no other process of the user can read its memory, and it leaves no core dump.
@Suite(.needs(.daemon, .keyring, within: .seconds(300))) struct MemoryHygieneTests {
    private static let bundle = "org.example.Hygiene"
    private static let secret = "hush-hygiene3b7f"

    /// What another process of the user can do with the daemon: errno, 0 for success.
    private struct Intrusion: Equatable {
        var memory: Int32
        var trace: Int32
        var copy: Int32

        static let open = Intrusion(memory: 0, trace: 0, copy: 0)

        init(memory: Int32, trace: Int32, copy: Int32) {
            self.memory = memory
            self.trace = trace
            self.copy = copy
        }

        /// Tries, from an unrelated process of the same user.
        init(_ process: pid_t, _ installation: Installation) async throws {
            let outcome = try await installation.run(
                "/usr/bin/python3", ["-c", Self.program, "\(process)"])
            let numbers = try outcome.succeeded().text.split(separator: " ").compactMap {
                Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
            }
            guard numbers.count == 3 else { throw Problem("the intruder printed \(outcome)") }
            (memory, trace, copy) = (numbers[0], numbers[1], numbers[2])
        }

        private static let program = """
            import ctypes, os, sys
            libc = ctypes.CDLL(None, use_errno=True)
            process = int(sys.argv[1])
            def memory():
                try:
                    os.close(os.open(f"/proc/{process}/mem", os.O_RDONLY))
                    return 0
                except OSError as error:
                    return error.errno
            def trace():
                # PTRACE_SEIZE, which stops nothing, and is given up with the process.
                libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
                return 0 if libc.ptrace(0x4206, process, None, None) == 0 else ctypes.get_errno()
            class Part(ctypes.Structure):
                _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
            def copy():
                start = int(open("/proc/self/maps").readline().split("-")[0], 16)
                buffer = ctypes.create_string_buffer(8)
                here = Part(ctypes.cast(buffer, ctypes.c_void_p), 8)
                there = Part(start, 8)
                result = libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
                error = ctypes.get_errno()
                # Another address space: that there is nothing to read is an answer too, given after the permission.
                return 0 if result >= 0 or error == 14 else error
            print(memory(), copy(), trace())
            """
    }

    private static func daemon(_ installation: Installation) throws -> pid_t {
        guard let process = installation.daemonProcess else { throw Problem("no daemon") }
        return process
    }

    @Test("The memory of the daemon is readable before and after it holds a session secret, but not while it does")
    func session() async throws {
        try await KeychainStage.with { stage in
            let installation = stage.installation
            try await stage.install(Self.bundle, groups: nil)
            #expect(try await Intrusion(Self.daemon(installation), installation) == .open, "the control")
            try await installation.docent(
                "domains", "add", Self.bundle, "work", "--url", "https://h.example/", "--username", "ada",
                "--session", "--password-stdin", input: Data("\(Self.secret)\n".utf8)
            ).succeeded()
            let closed = try await Intrusion(Self.daemon(installation), installation)
            #expect(closed == Intrusion(memory: EACCES, trace: EPERM, copy: EPERM))
            // The daemon's work in the sandbox and in its own /proc is not affected.
            #expect(try await stage.tell(Self.bundle, "known", domain: "work") == KeychainStage.backwards(Self.secret))
            try await installation.docent("domains", "remove", Self.bundle, "work").succeeded()
            try await installation.docent("provider", "disable", Self.bundle).succeeded()
            try await installation.eventually("no secret is held any more") {
                try await Intrusion(Self.daemon(installation), installation) == .open
            }
        }
    }

    @Test("A secret that an extension read from the keyring is held as long as the extension's process lives")
    func keyring() async throws {
        try await KeychainStage.with { stage in
            let installation = stage.installation
            try await stage.install(Self.bundle, groups: ["org.example.g"])
            #expect(try await stage.tell(Self.bundle, "list", "") == "")
            #expect(try await Intrusion(Self.daemon(installation), installation) == .open, "the control")
            #expect(
                try await stage.tell(Self.bundle, "store", "", "", "a", KeychainStage.backwards(Self.secret))
                    == "stored")
            let closed = try await Intrusion(Self.daemon(installation), installation)
            #expect(closed == Intrusion(memory: EACCES, trace: EPERM, copy: EPERM))
            try await installation.docent("provider", "disable", Self.bundle).succeeded()
            try await installation.eventually("no secret is held any more") {
                try await Intrusion(Self.daemon(installation), installation) == .open
            }
        }
    }

    @Test(
        "A daemon that aborts while it holds a secret leaves no core dump or report, unlike another program of the user"
    )
    func cores() async throws {
        try await KeychainStage.with { stage in
            let installation = stage.installation
            let folder = installation.root + "/cores"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let daemon = try Self.start([Installation.binaries + "/docentd"], folder, installation)
            try await installation.eventually("the daemon answers", within: 60) {
                FileManager.default.fileExists(atPath: installation.socket)
            }
            try await stage.install(Self.bundle, groups: nil)
            try await installation.docent(
                "domains", "add", Self.bundle, "work", "--url", "https://h.example/", "--username", "ada",
                "--session", "--password-stdin", input: Data("\(Self.secret)\n".utf8)
            ).succeeded()
            #expect(installation.daemonProcess == daemon.processIdentifier)
            try await Self.abort(daemon)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
            let log = installation.read(installation.log) ?? ""
            #expect(
                log.contains("ready") && !log.contains("crashed") && !log.contains("Registers"), "\(log.suffix(2000))")

            // If a collector receives core dumps, or none are allowed, the control cannot find any.
            let pattern = installation.read("/proc/sys/kernel/core_pattern") ?? ""
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            guard !pattern.hasPrefix("|"), limit.rlim_max > 0 else { return }
            let control = try Self.start(["/bin/sleep", "60"], folder, installation)
            try await installation.eventually("the control runs") {
                installation.read("/proc/\(control.processIdentifier)/comm") == "sleep\n"
            }
            try await Self.abort(control)
            #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, "the control: \(pattern)")
        }
    }

    /// Starts a program that may leave a core dump in a folder.
    private static func start(
        _ program: [String], _ folder: String, _ installation: Installation
    ) throws -> ChildProcess {
        _ = FileManager.default.createFile(atPath: installation.log, contents: nil)
        return try ChildProcess(
            "/bin/sh", ["-c", "ulimit -S -c \"$(ulimit -H -c)\"; exec \"$@\"", "sh"] + program,
            environment: installation.environment, folder: folder, errors: .file(installation.log))
    }

    private static func abort(_ process: ChildProcess) async throws {
        process.send(SIGABRT)
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                process.waitUntilExit()
                continuation.resume()
            }
        }
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGABRT)
    }

    @Test("The daemon's core limit is zero from its start, and cannot be raised")
    func limit() async throws {
        try await Installation.with(localFolder: false) { installation in
            try await installation.docent("daemon", "start").succeeded()
            let limits = try #require(installation.read("/proc/\(try Self.daemon(installation))/limits"))
            let line = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") } ?? ""
            #expect(line.split(separator: " ").suffix(3) == ["0", "0", "bytes"], "\(line)")
        }
    }
}
