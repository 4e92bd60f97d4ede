import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import SignInConversation
import Synchronization

struct DriveCreateCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a drive in a folder or a bucket, and sign this machine in.",
        discussion: """
            STORE is a folder, which is made if it does not exist, or s3://BUCKET/PREFIX. It must be empty. Docent tries \
            first whether the store decides which of two machines was first; one that does not, and any folder of the \
            network, is refused, because it could be used by one machine at a time only.

            The recovery phrase opens the drive when the last machine is gone. It is shown once, and you type it again \
            from your note; or --recovery-file puts it into a new file that only you may read. The keys of the drive \
            and of the bucket are kept in the keyring.

            EXAMPLES
              docent drive create /media/disk/drive
              docent drive create s3://documents/drive --endpoint https://s3.example.org
              docent drive create ~/Drive --yes --recovery-file ~/phrase.txt
            """)

    @Argument(
        help: "A folder, or s3://BUCKET/PREFIX.", completion: .directory, transform: DriveStorePlace.parse)
    var store: DriveStorePlace

    @Flag(name: .long, help: "Do not ask; needs --recovery-file.")
    var yes = false

    @Option(
        name: .long,
        help: ArgumentHelp("Put the recovery phrase into this new file, and do not ask for it.", valueName: "file"),
        completion: .file())
    var recoveryFile: String?

    @OptionGroup var options: DriveAccountOptions
    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    func validate() throws {
        try options.check(store)
        if let recoveryFile, recoveryFile.isEmpty { throw ValidationError("--recovery-file must name a file.") }
        guard !yes || recoveryFile != nil else {
            throw ValidationError("--yes needs --recovery-file: nobody would note the recovery phrase.")
        }
    }

    func run() async throws {
        guard recoveryFile != nil || FormConversation.hasTerminal else {
            throw DocumentsError(
                .invalidArgument, "There is no terminal to show the recovery phrase on.",
                suggestion: "Add --recovery-file FILE.")
        }
        var setUp = DriveSetUp(store, options, form: "create", yes: yes)
        let keeper = try recoveryFile.map { try PhraseKeeper($0, of: setUp.place.text) }
        if let keeper {
            setUp.message = { try keeper.take($0) }
            setUp.answer = { $0.key == "phraseAgain" ? keeper.phrase : nil }
        }
        let isMade = try makeFolder(setUp.place)
        let done: (account: AccountName, reply: AdministrationInterface.Login.Reply)
        do { done = try await setUp.run() } catch {
            if isMade, case .folder(let path) = setUp.place { rmdir(path) }
            if keeper?.phrase != nil, let recoveryFile {
                StandardError.write(
                    "docent: \(SafeText.escaped(recoveryFile)) has the phrase of a drive that may not exist.\n")
            }
            throw error
        }
        if let recoveryFile {
            StandardError.write("The recovery phrase is in \(SafeText.escaped(recoveryFile)).\n")
        }
        if format.json { return try StandardOutput.write(JSONValue(login: done.reply).pretty) }
        try StandardOutput.write(DriveText.created(done.account, setUp.place.text))
    }

    /// Makes the folder, if its parent exists.
    ///
    /// - Returns: Whether it was made.
    private func makeFolder(_ place: DriveStorePlace) throws(DocumentsError) -> Bool {
        guard case .folder(let path) = place else { return false }
        if mkdir(path, 0o700) == 0 { return true }
        let code = errno
        guard code != EEXIST else { return false }
        throw DocumentsError(
            code == ENOENT ? .notFound : .notPermitted,
            "\(path) cannot be made: \(String(cString: strerror(code))).")
    }
}

/// Puts the phrase that the provider shows into a file, and types it again. Thread-safe.
private final class PhraseKeeper: Sendable {
    private struct State: ~Copyable {
        var file: RecoveryFile
        var phrase: String?
    }

    private let state: Mutex<State>
    private let place: String

    init(_ path: String, of place: String) throws {
        let file = try RecoveryFile(path)
        state = Mutex(State(file: file))
        self.place = place
    }

    /// The phrase, once the file has it.
    var phrase: String? { state.withLock { $0.phrase } }

    /// - Returns: Whether the text contained the phrase.
    func take(_ text: String) throws -> Bool {
        guard let phrase = RecoveryPhraseText.find(in: text) else { return false }
        try state.withLock { state in
            try state.file.write(phrase, of: place)
            state.phrase = phrase
        }
        return true
    }
}
