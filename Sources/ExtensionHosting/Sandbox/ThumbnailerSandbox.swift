import CLinux
import DocentInterfaces
import Glibc
import ProcessLaunching
package import Storage

/// Runs a program that draws a picture of a document, in a sandbox of its own. The document may be hostile, and take
/// the program over: then it sees itself and the machine's programs, has no network, no other process and nothing of
/// the user's, stores at most ``temporarySize`` bytes in memory, and is ended after a while. What it leaves behind is
/// bytes of bounded length, which the caller checks.
package struct ThumbnailerSandbox: Sendable {
    /// What the program is to draw.
    package enum Input: Sendable {
        /// A file that is on the disk: shown as it is, however large.
        case file(OpenDescriptor)
        /// A file in memory, or anything else that can be read from its beginning: copied.
        case bytes(OpenDescriptor)
    }

    /// Bytes that the program may store, in memory.
    package static let temporarySize = 64 << 20
    /// Limits of each of its processes: address space, one file, seconds of processor time, and how many there are.
    private static let limits = ["--as=2147483648", "--fsize=16777216", "--cpu=20", "--nproc=64", "--core=0"]
    private static let output = "/tmp/out/picture.png"
    // What the program prints is lost: the output of this script is the picture alone.
    private static let script =
        "exec 4>&1 >/dev/null 3<&- || exit 1; prlimit \(limits.joined(separator: " ")) -- \"$@\" 4>&- || exit 2; "
        + "exec cat \(output) >&4"

    /// Path of bubblewrap.
    private let bubblewrap: String
    /// How long the program may take.
    private let patience: Duration

    /// - Parameter patience: how long a program may take.
    package init(patience: Duration = .seconds(20), bubblewrap: String = SandboxProbe.bubblewrap) {
        (self.patience, self.bubblewrap) = (patience, bubblewrap)
    }

    /// Runs a program to its end. Does not block the caller.
    ///
    /// - Parameters:
    ///   - program: its absolute path.
    ///   - arguments: makes its arguments of the path of the document and that of the picture.
    ///   - suffix: the document's file name extension, letters and digits only; empty for none.
    ///   - limit: the most bytes of the picture.
    /// - Returns: what it drew: `limit` bytes, of which those after its picture are zero.
    /// - Throws: ``Failure``: `NotSupported` if it fails or is ended; `Unavailable` if it cannot be started.
    ///   `CancellationError`.
    package func draw(
        _ input: Input, program: String, suffix: String, limit: Int,
        arguments: (_ document: String, _ picture: String) -> [String]
    ) async throws -> [UInt8] {
        let document = "/tmp/in/document" + (suffix.isEmpty ? "" : "." + suffix)
        let command = [program] + arguments(document, Self.output)
        let picture = try BoundedMemoryFile(size: limit)
        let launch = launch(command, input, document, picture)
        let end = ContinuousClock.now + patience
        try await BlockingWorker.alone(label: "org.docent.thumbnailer").run(deadline: end) { cancellation in
            defer { withExtendedLifetime((input, picture)) {} }
            try Self.run(launch, cancellation)
        }
        return try picture.bytes()
    }

    private func launch(
        _ command: [String], _ input: Input, _ document: String, _ picture: BoundedMemoryFile
    ) -> ProgramLaunch {
        let (shown, descriptor): ([String], OpenDescriptor)
        switch input {
        case .file(let file): (shown, descriptor) = (["--ro-bind", "/proc/self/fd/3", document], file)
        case .bytes(let file): (shown, descriptor) = (["--ro-bind-data", "3", document], file)
        }
        var launch = ProgramLaunch(
            bubblewrap,
            Self.options(program: command[0], shown) + ["--", "/bin/sh", "-c", Self.script, "sh"] + command,
            environment: .exactly([:]),
            descriptors: [.null, .copy(picture.descriptor), .null, .copy(descriptor.number)])
        launch.startsSession = true
        return launch
    }

    /// What the sandbox shows: the machine's programs, and what they need to draw.
    private static func options(program: String, _ input: [String]) -> [String] {
        let system = SystemLayout.current()
        var options = [
            "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--setenv",
            "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", "/tmp", "--setenv", "LC_ALL", "C.UTF-8",
            "--setenv", "GIO_USE_VFS", "local", "--setenv", "GSETTINGS_BACKEND", "memory", "--ro-bind", "/usr", "/usr",
        ]
        for folder in SystemLayout.rootFolders + ["/bin", "/sbin"] {
            if let target = system.links[folder] ?? PathLookup.linkTarget(folder) {
                options += ["--symlink", target, folder]
            } else {
                options += ["--ro-bind-try", folder, folder]
            }
        }
        for path in ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/var/cache/fontconfig"] {
            options += ["--ro-bind-try", path, path]
        }
        options += [
            "--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", "\(temporarySize)", "--tmpfs", "/tmp",
        ]
        if !program.hasPrefix("/usr/") { options += ["--ro-bind", program, program] }
        return options + input + ["--dir", "/tmp/out", "--remount-ro", "/", "--chdir", "/tmp"]
    }

    /// Waits for its end, or ends it. Blocks.
    private static func run(_ launch: ProgramLaunch, _ cancellation: Cancellation) throws {
        let process: Int32
        do {
            process = try launch.start()
        } catch {
            throw Failure(
                .unavailable, "The sandbox for thumbnailers cannot be started: \(error.reason).",
                suggestion: "`docent doctor` says what is missing.")
        }
        var status: CInt = 0
        let handle = OpenDescriptor(owning: clinux_pidfd_open(process, 0))
        do {
            guard handle.number >= 0 else { throw FileSystemError(.deadline, "No descriptor is free.") }
            while true {
                var file = pollfd(fd: handle.number, events: Int16(POLLIN), revents: 0)
                if poll(&file, 1, 20) > 0 { break }
                try cancellation.check()
            }
        } catch {
            // With it ends everything in its namespace of processes.
            kill(process, SIGKILL)
            _ = clinux_wait(process, &status)
            guard let error = error as? FileSystemError, error.code == .deadline else { throw CancellationError() }
            throw Failure(.notSupported, "The thumbnailer took too long and was ended.")
        }
        _ = clinux_wait(process, &status)
        guard status == 0 else { throw Failure(.notSupported, "The thumbnailer cannot draw this document.") }
    }
}
