import CommandConsole
import DocentInterfaces
package import Documents
import FoundationEssentials
import Glibc
import Varlink

/// One `docent run`, from opening the client's socket to the end of the program.
package struct ClientRun {
    private let request: RunRequest
    private let environment: [String: String]
    private let administrator: DocumentsClient

    /// - Parameters:
    ///   - environment: the user's environment.
    ///   - administrator: a client that acts only for the user. It must not start a daemon that is stopped while the
    ///     program runs: this run began before that.
    package init(_ request: RunRequest, environment: [String: String], administrator: DocumentsClient) {
        self.request = request
        self.environment = environment
        self.administrator = administrator
    }

    /// Runs the program and waits for its end.
    ///
    /// - Returns: the program's exit code; if that is 0, the code of a document that could not be saved.
    /// - Throws: ``DocumentsError``; the program has not run then.
    package func perform() async throws -> CInt {
        let sandbox = try Self.sandboxProgram()
        guard let home = environment["HOME"], home.hasPrefix("/"), home != "/" else {
            throw DocumentsError(
                .invalidArgument, "HOME does not name a folder.",
                suggestion: "Set HOME to an absolute path.")
        }
        let system = SystemTree.current()
        let program = try ProgramPlace.find(
            request.program, folders: request.programFolders, system: system, search: environment["PATH"] ?? "",
            folder: FileManager.default.currentDirectoryPath)
        let keeper = SessionKeeper()
        let socket = try await ClientSocket.open(request.client, administrator: administrator) { await keeper.renew() }
        defer { socket.close() }
        let client = socket.client(environment: environment)
        defer { client.close() }
        await keeper.keep(client)
        let status = try await administrator.call(AdministrationInterface.Status.self, .init()).value
        let folders = ClientFolders(client: request.client, data: status.dataDirectory)
        try folders.make()
        for message in await StagedRecovery.recover(folders, administrator: administrator) { Self.tell(message) }
        let run = try folders.makeRun()
        let runtime = "/run/user/\(getuid())"
        var profile = ClientSandboxProfile(
            system: system, home: home, homeFolder: folders.home, runtime: runtime, socketFolder: socket.folder,
            closesNamespaces: SandboxSpawn.version(of: sandbox)?.canCloseNamespaces ?? false)
        var view: RunView?
        if request.showsView {
            do throws(DocumentsError) {
                view = try await RunView.open(socket, root: folders.root, environment: environment)
            } catch {
                run.remove()
                throw error
            }
            profile.viewFolder = view?.folder
        }
        let passing = DocumentPassing(
            request: request, administrator: administrator, client: client, run: run,
            grantedFolder: profile.grantedFolder)
        let passed: PassedDocuments
        do {
            passed = try await passing.pass()
            profile.documents = passed.mounts
            try complete(&profile, program, run)
        } catch {
            _ = await view?.finish()
            run.remove()
            throw error
        }
        let arguments: [String]
        do throws(DocumentPlaceholders.Missing) {
            arguments = try DocumentPlaceholders.fill(request.arguments, with: passed.paths)
        } catch {
            _ = await view?.finish()
            run.remove()
            throw DocumentsError(
                .invalidArgument, "{\(error.number)} does not stand for a document.",
                suggestion: "Name one with --document. A folder is granted, but has no path.")
        }
        let execution = SandboxExecution(
            sandbox: sandbox, profile: profile, command: [program.path] + arguments, passed: passed,
            asks: request.asksForPicks ? (request.client, administrator) : nil, terminalName: environment["TERM"])
        let code: CInt
        do {
            code = try await execution.run { [view] in await view?.handOver() }
        } catch {
            _ = await view?.finish()
            throw error
        }
        for message in await view?.finish() ?? [] { Self.tell(message) }
        return await settle(passed, run, code)
    }

    /// Adds what is shown besides the system and the documents.
    private func complete(_ profile: inout ClientSandboxProfile, _ program: ProgramPlace, _ run: RunFolder) throws {
        let sockets = AllowedSockets.find(request.allowances, environment: environment, runtime: profile.runtime)
        let own = OwnProgram.mounts(system: profile.system)
        profile.allowances = request.allowances
        profile.accounts = try AccountFiles.make(in: run.path, home: profile.home)
        let links = HomeLinks(
            (own + program.mounts).uniqued + sockets.mounts, home: profile.home, place: profile.runtime + "/programs")
        try links.make(in: profile.homeFolder)
        profile.mounts = links.mounts
        profile.environment = ClientEnvironment.make(
            own: environment, home: profile.home, runtime: profile.runtime,
            search: [OwnProgram.folder].compactMap(\.self), allowances: request.allowances,
            view: profile.viewFolder == nil ? nil : profile.shownFolder,
            given: sockets.variables.merging(request.variables) { _, new in new })
    }

    /// Saves what the program wrote, after it has ended.
    private func settle(_ passed: PassedDocuments, _ run: RunFolder, _ code: CInt) async -> CInt {
        var result = code
        var isSettled = true
        for document in passed.staged {
            if let (message, failure) = await document.finish() {
                Self.tell(message)
                if result == 0 { result = ExitStatus(failure).rawValue }
            }
            if await !document.isSettled { isSettled = false }
        }
        if isSettled { run.remove() }
        return result
    }

    static func tell(_ message: String) { StandardError.write("docent: \(message)\n") }

    /// The path of bubblewrap. There is no fallback (law 8).
    private static func sandboxProgram() throws(DocumentsError) -> String {
        for path in ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"] where access(path, X_OK) == 0 {
            return path
        }
        throw DocumentsError(
            .unavailable, "bubblewrap is not installed, and without it there is no sandbox.",
            suggestion: "Run `apt install bubblewrap`; `docent doctor` says whether it works.")
    }
}

/// Keeps the client's session open for as long as the client runs: a grant that is not persistent lasts only as long as
/// the session.
private actor SessionKeeper {
    private var client: DocumentsClient?

    func keep(_ client: DocumentsClient) async {
        self.client = client
        await renew()
    }

    /// Any call opens a session.
    func renew() async { _ = try? await client?.outcome(of: UUID().uuidString) }
}

extension [ClientMount] {
    /// Only the first mount for each target.
    fileprivate var uniqued: [ClientMount] {
        var seen: Set<String> = []
        return filter { seen.insert($0.target).inserted }
    }
}
