import ArgumentParser
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import SignInConversation
import TerminalPicker

/// The picker on the terminal, where a command line names no document.
enum TerminalChoice {
    /// Whether a command without a location can ask: it has a terminal, and nothing that it reads or writes goes
    /// elsewhere.
    ///
    /// - Parameter readsInput: whether the command itself reads standard input, which may then be anything.
    static func isPossible(readsInput: Bool = false) -> Bool {
        guard StandardError.isTerminal, TerminalDevice.isPresent else { return false }
        return readsInput || isatty(STDIN_FILENO) == 1 && StandardOutput.isTerminal
    }

    /// Refuses a command line without a location if nobody can be asked.
    static func require(_ location: Any?, named name: String = "location", readsInput: Bool = false) throws {
        guard location == nil, !isPossible(readsInput: readsInput) else { return }
        throw ValidationError("Missing expected argument '<\(name)>'")
    }

    /// The location on the command line, or one that is chosen.
    ///
    /// - Parameter task: what to choose.
    static func location(
        _ given: DocumentLocation?, client: ClientOptions, mode: String, types: [String]? = nil, _ task: PickerTask
    ) async throws -> DocumentLocation {
        if let given { return given }
        guard let item = try await items(client: client, mode: mode, types: types, task).first else {
            throw SilentExit(status: .cancelled)
        }
        return item.location
    }

    /// What a person chooses.
    ///
    /// - Parameters:
    ///   - mode: the mode that the providers must have; nil for any.
    ///   - types: the types that can be chosen; nil for all.
    /// - Throws: ``SilentExit`` with `cancelled` if nothing is chosen.
    static func items(
        client: ClientOptions, mode: String?, types: [String]? = nil, _ task: PickerTask
    ) async throws -> [PickedItem] {
        guard case .items(let items, _) = try await run(client: client, mode: mode, types: types, task) else {
            throw SilentExit(status: .cancelled)
        }
        return items
    }

    /// Where a file of this machine goes.
    ///
    /// - Returns: the folder and the name, and whether the person agreed to replace what is there.
    static func destination(
        for file: String, client: ClientOptions, mode: String, canReplace: Bool
    ) async throws -> (destination: Destination, replaces: Bool) {
        var task = PickerTask(
            title: mode == "move" ? "Choose where to move it" : "Choose where to put a copy", verb: mode)
        task.destination = PickerTask.Destination(
            name: FileNames.last(of: file), size: size(of: file), canReplace: canReplace)
        guard
            case .destination(let folder, let name, let replaces) = try await run(
                client: client, mode: mode, types: nil, task)
        else { throw SilentExit(status: .cancelled) }
        return (Destination(folder: folder, name: name), replaces)
    }

    /// A task for documents.
    static func documents(_ title: String, _ verb: String, downloads: Bool = false, folders: Bool = false) -> PickerTask
    {
        var task = PickerTask(title: title, verb: verb)
        task.downloads = downloads
        task.choosesFolders = folders
        return task
    }

    private static func run(
        client: ClientOptions, mode: String?, types: [String]?, _ task: PickerTask
    ) async throws -> PickerOutcome {
        let environment = ProcessInfo.processInfo.environment
        var task = task
        task.types = types
        let source = DaemonPickerSource(
            client: .administrator(leavesNoTrace: true), mode: mode, types: types,
            memory: PickerMemory(environment: environment), chooser: client.client, actions: .init(signIn: signIn))
        return try await PickerSession(terminal: TerminalDevice(environment: environment), source: source).run(task)
    }

    /// Signs in as `docent login` does, without its output.
    @Sendable
    static func signIn(provider: String, domain: String) async throws {
        guard FormConversation.hasTerminal else {
            throw DocumentsError(
                .notAuthenticated,
                "There is no terminal to sign in on: \(AccountName(provider: provider, domain: domain).login)")
        }
        let login = try await LoginCommand.asyncParse([AccountName(provider: provider, domain: domain).description])
        _ = try await login.signIn()
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }
}
