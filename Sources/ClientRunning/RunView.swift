import CLinux
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching
import ViewMounting

/// The folder in which a confined program sees what it was granted (``ClientSandboxProfile/viewFolder``).
///
/// `docent-view` serves it outside the sandbox, in the client's own session: it has the program's rights and no others.
/// The folder is mounted in a private place of this machine, and taken away there as soon as the sandbox has it. From
/// then on it exists only in the sandbox and ends with it, whatever is killed. `docent-view` sees by a pipe when this
/// process has ended before that.
final class RunView: Sendable {
    /// The folder on this machine.
    let folder: String
    /// The folder that it is in, locked while this run uses it.
    private let place: RunFolder
    /// For files that stay on this machine.
    private let state: String
    /// This process's end of the pipe.
    private let lifeline: CInt
    private let process: pid_t
    /// The recovered files that were there before this run.
    private let before: Set<String>

    private init(_ place: RunFolder, state: String, lifeline: CInt, process: pid_t) {
        self.place = place
        self.state = state
        self.lifeline = lifeline
        self.process = process
        folder = Self.folder(in: place.path)
        before = Self.recovered(state)
    }

    private static func folder(in place: String) -> String { place + "/documents" }

    /// Mounts what a client was granted.
    ///
    /// - Parameter root: the client's own folder on this machine.
    /// - Throws: ``DocumentsError``: `unavailable` if it cannot be mounted.
    static func open(
        _ socket: ClientSocket, root: String, environment: [String: String]
    ) async throws(DocumentsError) -> RunView {
        try await blocking { () throws(DocumentsError) in
            let place = try makePlace(beside: socket.folder)
            do throws(DocumentsError) {
                return try start(place, socket, state: root + "/view", environment)
            } catch {
                leave(place)
                throw error
            }
        }
    }

    private static func start(
        _ place: RunFolder, _ socket: ClientSocket, state: String, _ environment: [String: String]
    ) throws(DocumentsError) -> RunView {
        guard let program = DaemonLauncher.program("docent-view", variable: "DOCENT_VIEW", environment: environment)
        else {
            throw DocumentsError(
                .unavailable, "docent-view was not found.",
                suggestion: "Install Docent, or name the program in DOCENT_VIEW.")
        }
        let ready = try makePipe()
        let lifeline: (reading: CInt, writing: CInt)
        do throws(DocumentsError) {
            lifeline = try makePipe()
        } catch {
            close(ready.reading)
            close(ready.writing)
            throw error
        }
        defer { close(ready.reading) }
        let log = environment["DOCENT_VIEW_LOG_FILE"].flatMap { $0.isEmpty ? nil : $0 } ?? "/dev/null"
        var launch = ProgramLaunch(
            program,
            [folder(in: place.path), "--ready-descriptor", "3", "--run-descriptor", "4", "--run-state", state],
            // The client's socket leads to the client's rights, and to nothing else.
            environment: .exactly(environment.merging(["DOCENT_SOCKET": socket.path]) { _, new in new }),
            descriptors: [.null, .null, .appending(log), .copy(ready.writing), .copy(lifeline.reading)])
        launch.startsSession = true
        launch.folder = "/"
        let process: pid_t
        do throws(LaunchFailure) {
            defer {
                close(ready.writing)
                close(lifeline.reading)
            }
            process = try launch.start()
        } catch {
            close(lifeline.writing)
            throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).")
        }
        let view = RunView(place, state: state, lifeline: lifeline.writing, process: process)
        let said = DaemonReadiness.read(from: ready.reading)
        guard said != .ready else { return view }
        view.end()
        let lines = (said.reason ?? "docent-view ended.").split(separator: "\n", maxSplits: 1).map(String.init)
        throw DocumentsError(
            .unavailable, "The documents cannot be shown as files: \(lines.first ?? "docent-view ended.")",
            suggestion: lines.count > 1 ? lines[1] : "Run the program without --view.")
    }

    /// Leaves the folder to the sandbox alone.
    func handOver() async { await Self.blocking { Self.leave(self.place) } }

    /// Ends it after the sandbox. What the program wrote is saved before this returns, if that can be done soon.
    ///
    /// - Returns: what the user has to know.
    func finish() async -> [String] {
        await Self.blocking {
            self.end()
            return Self.recovered(self.state).subtracting(self.before).sorted().map { name in
                "What the program wrote to \(SafeText.escaped(name)) could not be saved; it is in "
                    + "\(self.state)/recovered."
            }
        }
    }

    private func end() {
        close(lifeline)
        Self.leave(place)
        var status: CInt = 0
        // It ends when the kernel has nobody who uses the folder any more, and everything is saved.
        for _ in 0..<600 {
            let ended = waitpid(process, &status, WNOHANG)
            guard ended == 0 || (ended < 0 && errno == EINTR) else { break }
            usleep(50_000)
        }
    }

    private static func recovered(_ state: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: state + "/recovered")) ?? [])
    }

    // MARK: The place on this machine

    private static func makePlace(beside socket: String) throws(DocumentsError) -> RunFolder {
        let parent = "/" + socket.split(separator: "/").dropLast().joined(separator: "/")
        // Those of runs that were killed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasPrefix("v-") { RunFolder(locking: "\(parent)/\(name)").map(leave) }
        for _ in 0..<64 {
            let path = "\(parent)/v-" + String(UInt32.random(in: 0..<0x100_0000), radix: 16)
            if mkdir(path, 0o700) == 0, let place = RunFolder(locking: path) {
                guard mkdir(folder(in: path), 0o700) == 0 else { break }
                return place
            }
            // The name is taken, or another run has just cleaned it up.
            guard [EEXIST, ENOENT, EWOULDBLOCK].contains(errno) else { break }
        }
        throw DocumentsError(
            .unavailable,
            "A folder for the documents cannot be created in \(parent): \(String(cString: strerror(errno))).",
            suggestion: "Check that the runtime directory is yours and has space.")
    }

    /// Unmounts and removes a place. Never what is in it: as long as it is mounted, these are the user's documents.
    private static func leave(_ place: RunFolder) {
        let folder = folder(in: place.path)
        if ViewMountTable.current().contains(where: { $0.path == folder && $0.type == ViewMount.runType }) {
            try? ViewMount.unmount(folder, isLazy: true)
        }
        rmdir(folder)
        rmdir(place.path)
    }

    private static func makePipe() throws(DocumentsError) -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        let made = clinux_pipe(&ends)
        guard made == 0 else {
            throw DocumentsError(.unavailable, "Cannot create a pipe: \(String(cString: strerror(-made))).")
        }
        return (ends[0], ends[1])
    }

    // MARK: Waiting

    private static func blocking<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
            @Sendable func run() {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch { continuation.resume(returning: .failure(error)) }
            }
            if !Thread.start({ run() }) { run() }
        }
        return try result.get()
    }
}
