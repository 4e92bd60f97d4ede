import ArgumentParser
import CLinux
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import ProcessLaunching
import ViewMounting

struct MountCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "mount", abstract: "Show the documents of all accounts as files in a folder.",
        discussion: """
            Every program can then open them by path; a document without a local copy is fetched when it is opened, \
            and what is written is saved when the file is closed. The folder must be empty; ~/Docent is the default, \
            and is created if there is none. Sandboxed programs get nothing from it: they have `docent run`.

            EXAMPLES
              docent mount
              docent mount ~/Clouds
              docent mount --at-login --bookmark
              docent mount --status
            """)

    @Argument(help: "The folder.", completion: .directory)
    var folder: String?

    @Flag(name: .long, help: "Show what is mounted instead.")
    var status = false

    @Flag(name: .long, help: "Stay in the foreground until it is unmounted.")
    var foreground = false

    @Flag(name: .long, help: "Also mount it at each login, by a unit of systemd.")
    var atLogin = false

    @Flag(name: .long, help: "Also add it to the places of file dialogs.")
    var bookmark = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        if status, folder != nil || foreground || atLogin || bookmark {
            throw ValidationError("--status takes no folder and no other options than --json.")
        }
        if format.json, !status { throw ValidationError("--json goes with --status.") }
    }

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        guard !status else { return try await Self.show(format.json) }
        let path = try await Self.prepare(try folder ?? ViewFolder.standard(environment), isOwn: folder == nil)
        if atLogin { try LoginMount(environment).add(path) }
        if bookmark { try MountPlaces(environment).add(path) }
        guard !ViewFolder.mounted().contains(path) else {
            return try StandardOutput.write("The documents are in \(Self.text(path)) already.\n")
        }
        guard let program = DaemonLauncher.program("docent-view", variable: "DOCENT_VIEW", environment: environment)
        else {
            throw DocumentsError(
                .unavailable, "docent-view was not found.",
                suggestion: "Install Docent, or name the program in DOCENT_VIEW.")
        }
        if foreground {
            do {
                try ProgramReplacement.become(program, [path])
            } catch { throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).") }
        }
        try Self.start(program, path, environment)
        try StandardOutput.write("The documents are in \(Self.text(path)).\n")
    }

    private static func text(_ path: String) -> String { SafeText.escaped(path) }

    // MARK: Parts

    /// Makes a folder ready to be mounted on.
    ///
    /// - Returns: its absolute path.
    private static func prepare(_ path: String, isOwn: Bool) async throws(DocumentsError) -> String {
        let state = await ViewStatus.of(path).state
        guard state != .unresponsive else {
            throw DocumentsError(
                .unavailable, "\(path) does not answer.",
                suggestion: "If it is mounted, `docent unmount --force \(path)` ends that.")
        }
        if state == .dead {
            // Left behind by processes that were killed together.
            do {
                try ViewMount.unmount(path, isLazy: true)
            } catch { throw explain(error) }
        }
        if isOwn, mkdir(path, 0o700) != 0, errno != EEXIST {
            throw DocumentsError(.failed, "\(path) cannot be created: \(String(cString: strerror(errno))).")
        }
        guard let resolved = ViewFolder.resolved(path) else {
            throw DocumentsError(
                errno == ENOENT ? .notFound : .failed, "\(path): \(String(cString: strerror(errno))).",
                suggestion: errno == ENOENT ? "Create the folder first." : nil)
        }
        guard !ViewFolder.mounted().contains(resolved) else { return resolved }
        let descriptor = clinux_open(resolved, CLINUX_O_RDONLY | CLINUX_O_DIRECTORY, 0)
        guard descriptor >= 0 else {
            throw DocumentsError(
                .invalidArgument,
                "\(path) is not a folder that can be opened: \(String(cString: strerror(-descriptor))).")
        }
        defer { _ = clinux_close(descriptor) }
        var system = clinux_file_system()
        let isRemote =
            clinux_statfs_fd(descriptor, &system) == 0
            && [CLINUX_MAGIC_NFS, CLINUX_MAGIC_SMB2, CLINUX_MAGIC_CIFS, CLINUX_MAGIC_AFS, CLINUX_MAGIC_CEPH]
                .contains(system.magic)
        guard !isRemote else {
            throw DocumentsError(
                .notSupported, "\(path) is on a file server, where nothing can be mounted.",
                suggestion: "Name a folder on this machine: `docent mount FOLDER`.")
        }
        guard ViewFolder.entries(of: resolved).isEmpty else {
            throw DocumentsError(
                .conflict, "\(path) is not empty.",
                suggestion: "Its files would be hidden: name another folder, or empty it.")
        }
        return resolved
    }

    private static func start(
        _ program: String, _ path: String, _ environment: [String: String]
    ) throws(DocumentsError) {
        var ends: [CInt] = [-1, -1]
        let made = clinux_pipe(&ends)
        guard made == 0 else {
            throw DocumentsError(.unavailable, "Cannot create a pipe: \(String(cString: strerror(-made))).")
        }
        defer { close(ends[0]) }
        let log = environment["DOCENT_VIEW_LOG_FILE"].flatMap { $0.isEmpty ? nil : $0 } ?? "/dev/null"
        var launch = ProgramLaunch(
            program, [path, "--ready-descriptor", "3"], environment: .exactly(environment),
            descriptors: [.null, .null, .appending(log), .copy(ends[1])])
        // It outlives the terminal.
        launch.startsSession = true
        launch.folder = "/"
        do {
            defer { close(ends[1]) }
            _ = try launch.start()
        } catch { throw DocumentsError(.unavailable, "\(program) cannot be started: \(error.reason).") }
        switch DaemonReadiness.read(from: ends[0]) {
        case .ready: return
        case let said:
            let lines = (said.reason ?? "docent-view ended.").split(separator: "\n", maxSplits: 1).map(String.init)
            throw DocumentsError(
                .unavailable, lines.first ?? "docent-view ended.", suggestion: lines.count > 1 ? lines[1] : nil)
        }
    }

    static func explain(_ failure: ViewMount.Failure) -> DocumentsError {
        DocumentsError(.unavailable, failure.message, suggestion: failure.suggestion)
    }

    private static func show(_ isJSON: Bool) async throws {
        let all = await ViewStatus.all(of: ViewFolder.mounted())
        guard !isJSON else {
            return try StandardOutput.write(
                JSONValue.array(
                    all.map {
                        .object([
                            "path": .string($0.path), "state": .string($0.state.rawValue),
                            "processIdentifier": $0.process.map { .integer($0) } ?? .null,
                        ])
                    }
                ).pretty)
        }
        guard !all.isEmpty else { return try StandardOutput.write("Nothing is mounted.\n") }
        var table = Table(["FOLDER", "STATE", "PROCESS"], numbers: [2])
        for view in all { table.add([view.path, view.state.rawValue, view.process.map(String.init) ?? "-"]) }
        try StandardOutput.write(table.shown)
    }
}
