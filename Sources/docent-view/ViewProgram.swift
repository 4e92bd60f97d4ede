import ArgumentParser
import Documents
import Foundation
import MountedView
import ViewMounting

/// The program behind `docent mount`: shows the documents of all accounts as files, until they are unmounted.
///
/// It is two processes: one serves the mount, the other keeps it (``ViewKeeper``).
@main
struct ViewProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docent-view", abstract: "Shows the documents of all accounts as files in a folder.",
        discussion: "`docent mount` starts it, and `docent unmount` ends it.")

    @Argument(help: "The absolute path of an empty folder.")
    var folder: String

    @Flag(help: ArgumentHelp("Serve the mount of descriptor 3, which the process at 4 keeps.", visibility: .hidden))
    var serve = false

    @Flag(help: ArgumentHelp("Keep the mount of descriptor 3, which the process at 4 serves.", visibility: .hidden))
    var keep = false

    @Option(
        help: ArgumentHelp(
            "Write a byte to this descriptor when the folder is mounted, and close it.", visibility: .hidden))
    var readyDescriptor: Int32?

    @Option(
        help: ArgumentHelp(
            "Show what the client of DOCENT_SOCKET was granted, as long as this descriptor has another end.",
            visibility: .hidden))
    var runDescriptor: Int32?

    @Option(
        help: ArgumentHelp("With --run-descriptor: the folder for files of this machine.", visibility: .hidden))
    var runState: String?

    private var mode: ViewMode {
        guard let runDescriptor, let runState else { return .accounts }
        return .run(lifeline: runDescriptor, state: runState)
    }

    func validate() throws {
        guard (runDescriptor == nil) == (runState == nil) else {
            throw ValidationError("--run-descriptor and --run-state go together.")
        }
    }

    func run() async throws {
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        // Many documents may be open at once.
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            limit.rlim_cur = limit.rlim_max
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        if keep {
            closeOnExecution()
            var keeper = ViewKeeper(mode: mode, path: folder, device: 3, line: 4)
            keeper.keep()
        } else if serve {
            closeOnExecution()
            await runServer()
        } else {
            if let runDescriptor { _ = fcntl(runDescriptor, F_SETFD, FD_CLOEXEC) }
            try mountAndKeep()
        }
    }

    // These descriptors must not reach other programs.
    private func closeOnExecution() {
        for descriptor in [3, 4, runDescriptor].compactMap(\.self) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    private func mountAndKeep() throws {
        do {
            let mount = try ViewMount(on: folder, type: mode.isOfRun ? ViewMount.runType : ViewMount.type)
            let line: CInt
            do {
                line = try ViewKeeper.startServer(mode, folder, device: mount.descriptor, ready: readyDescriptor)
            } catch {
                try? ViewMount.unmount(folder, isLazy: true)
                throw error
            }
            if let readyDescriptor { close(readyDescriptor) }
            var keeper = ViewKeeper(mode: mode, path: folder, device: mount.descriptor, line: line)
            _ = keeper.sendAll()
            keeper.keep()
        } catch {
            tell(error)
            throw ExitCode(1)
        }
    }

    private func runServer() async {
        let client = client()
        // What an earlier server of this mount has left; the first one finds nothing.
        guard let left = KeptState.receive(from: 4) else { return }
        let kept = KeptState(line: 4)
        let journal = left.first { $0.0.kind == .journal }.map { NodeJournal(owning: $0.1) } ?? NodeJournal()
        let server = self.server(client, kept, journal)
        if left.contains(where: { $0.0.kind == .repeatsRequests }) {
            server.restore(left)
        } else {
            server.keepAll()
        }
        if let readyDescriptor {
            var byte: UInt8 = 1
            write(readyDescriptor, &byte, 1)
            close(readyDescriptor)
        }
        Self.watch(mode, folder, line: 4) { line in
            kept.replaceLine(line)
            server.keepAll()
        }
        mode.whenRunEnds { [folder] in ViewKeeper.leave(folder) }
        let signals = Self.whenAskedToEnd { [folder] in
            await server.publishAll()
            // Programs that have files open go on until they close them; then the mount ends.
            try? ViewMount.unmount(folder, isLazy: true)
        }
        defer { for source in signals { source.cancel() } }
        await server.run()
        // A confined program that was killed has closed nothing itself.
        if mode.isOfRun { await server.publishAll(keepsRest: true) }
        client.close()
    }

    private func client() -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(
            clientIdentifier: mode.isOfRun ? nil : "org.docent.view")
        configuration.leavesStopped = true
        if mode.isOfRun { configuration.startsDaemon = false }
        return DocumentsClient(configuration)
    }

    private func server(_ client: DocumentsClient, _ kept: KeptState, _ journal: NodeJournal?) -> ViewServer {
        let environment = client.configuration.environment
        let (channel, socket) = (KernelChannel(owning: 3), SocketLocation(environment: environment).path)
        switch mode {
        case .accounts:
            return ViewServer(
                channel: channel, kept: kept,
                tree: ViewTree(user: getuid(), group: getgid(), validity: .seconds(10), journal: journal),
                source: DaemonSource(client: client), callers: CallerInspection(), socket: socket,
                store: ViewLocalFiles(root: Self.stateFolder(environment) + "/docent/view"), path: folder,
                freshness: Self.freshness(environment, standard: 10), departure: Self.departure(environment),
                downloads: DownloadGate(environment: environment, client: client))
        case .run(_, let state):
            // Nothing reports changes: what is known is soon asked for again.
            let tree = ViewTree(
                user: getuid(), group: getgid(), validity: .seconds(1), contents: .grants, journal: journal)
            return ViewServer(
                channel: channel, kept: kept, tree: tree, source: GrantedSource(client: client, tree: tree),
                callers: .everyone, socket: socket, store: ViewLocalFiles(root: state),
                freshness: Self.freshness(environment, standard: 1), departure: Self.departure(environment),
                downloads: DownloadGate(environment: environment))
        }
    }

    /// Does something when the session or its user ends this process.
    private static func whenAskedToEnd(
        _ body: @escaping @Sendable () async -> Void
    ) -> [any DispatchSourceSignal] {
        [SIGTERM, SIGINT, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { Task { await body() } }
            source.activate()
            return source
        }
    }

    /// Starts another keeper whenever the last one has ended.
    ///
    /// - Parameter leave: leaves everything with the new one.
    private static func watch(
        _ mode: ViewMode, _ path: String, line: CInt, leave: @escaping @Sendable (CInt) -> Void
    ) {
        Thread.detachNewThread {
            var line = line
            while true {
                var byte: UInt8 = 0
                let count = read(line, &byte, 1)
                if count < 0, errno == EINTR { continue }
                close(line)
                var status: CInt = 0
                while waitpid(-1, &status, WNOHANG) > 0 {}
                // Without a keeper, the end of this process would leave a dead mount; try until there is one.
                while true {
                    if let next = try? ViewKeeper.start(mode, path, device: 3) {
                        line = next
                        leave(next)
                        break
                    }
                    sleep(1)
                }
            }
        }
    }

    private static func stateFolder(_ environment: [String: String]) -> String {
        if let given = environment["XDG_STATE_HOME"], given.hasPrefix("/") { return given }
        return (environment["HOME"] ?? "") + "/.local/state"
    }

    private static func freshness(_ environment: [String: String], standard: Double) -> Duration {
        seconds("DOCENT_VIEW_FRESH_SECONDS", in: environment, standard: standard)
    }

    private static func departure(_ environment: [String: String]) -> Duration {
        seconds("DOCENT_VIEW_DEPARTURE_SECONDS", in: environment, standard: 5)
    }

    private static func seconds(
        _ variable: String, in environment: [String: String], standard: Double
    ) -> Duration {
        let given = environment[variable].flatMap(Double.init) ?? standard
        return .seconds(given.isFinite ? min(max(given, 0), 86_400) : standard)
    }

    /// Reports why the folder is not mounted: to the starting process, or on standard error.
    private func tell(_ error: any Error) {
        let failure = error as? ViewMount.Failure
        let text = (failure?.message ?? "\(error)") + (failure?.suggestion.map { "\n" + $0 } ?? "")
        _ = text.utf8CString.dropLast().withUnsafeBytes {
            write(readyDescriptor ?? STDERR_FILENO, $0.baseAddress, $0.count)
        }
    }
}
