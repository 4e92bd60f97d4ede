import ArgumentParser
import ClientRunning
import Documents
import FoundationEssentials
import Glibc

struct RunCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start a program in a sandbox that is one client.",
        discussion: """
            The program sees the system read-only, a home of its own that is kept for this client, and no file of \
            yours except what is granted. It reaches documents through one socket, on which it is the client ID and \
            nobody else. When it asks for a document, you are asked on this terminal, or you answer elsewhere with \
            `docent picks`. docs/run.md describes the sandbox and what --allow gives up.

            --document grants a document from the start and passes a path: `{}` among the arguments stands for all of \
            them, `{1}` for the first. With :rw the program gets a copy of its own, which is saved as a whole whenever \
            it has been written and closed, and at the end.

            With --view the program finds everything that the client was granted as files below $DOCENT_VIEW_FOLDER, \
            read-only or writable as granted. What you grant while it runs appears there, and what you revoke \
            disappears.

            Exits with the program's exit code (128 plus the number of a signal), or with 5 if there can be no \
            sandbox. If the program exited with 0 and a document could not be saved, it exits with the code of that \
            failure; what was not saved is kept.

            EXAMPLES
              docent run --client org.example.editor -- vi
              docent run --client org.example.reader --document LocalFolder:/book.pdf \\
                -- pdftotext {} -
              docent run --client org.example.editor --document LocalFolder:/notes.txt:rw \\
                -- vi {}
              docent run --client org.example.Editor --view sh -c 'ls $DOCENT_VIEW_FOLDER'
              docent run --client org.example.fetch --allow network \\
                -- wget https://example.org/
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The program's client identifier, in reverse DNS: its home and its rights are kept under it.",
            valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String

    @Option(
        name: .long,
        help: ArgumentHelp("Open the sandbox for network, session-bus or display. May be repeated.", valueName: "what"))
    var allow: [ClientAllowance] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Grant and pass this document; :ro or :rw at its end says how. May be repeated.", valueName: "location"),
        completion: .custom(LocationCompletion.locations), transform: RunDocument.parse)
    var document: [RunDocument] = []

    @Flag(name: .long, help: "Pass documents for reading unless they say otherwise (the default).")
    var readOnly = false

    @Flag(name: .long, help: "Pass documents for reading and writing unless they say otherwise.")
    var readWrite = false

    @Flag(name: .long, help: "Show the client's granted documents and folders as files, in $DOCENT_VIEW_FOLDER.")
    var view = false

    @Option(
        name: .long,
        help: ArgumentHelp("Set a variable in the sandbox: NAME=VALUE. May be repeated.", valueName: "name=value"),
        transform: EnvironmentArgument.parse)
    var setenv: [EnvironmentArgument] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also show this folder, read-only: what the program needs beside itself. May be repeated.", valueName: "dir"
        ))
    var programDirectory: [String] = []

    @Flag(name: .long, help: "Do not ask on this terminal when the program wants you to choose.")
    var noPicks = false

    @OptionGroup var report: ReportOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments, after --.")
    var program: [String] = []

    func validate() throws {
        guard !program.isEmpty else { throw ValidationError("Name a program after `--`.") }
        guard !(readOnly && readWrite) else {
            throw ValidationError("--read-only and --read-write exclude each other.")
        }
        guard ClientName.isFolderName(client) else {
            throw ValidationError("\"\(client)\" is not a client identifier. Use reverse DNS, like org.example.Editor.")
        }
    }

    func run() async throws {
        var request = RunRequest(client: client, program: program[0], arguments: Array(program.dropFirst()))
        request.allowances = Set(allow)
        request.documents = document
        request.defaultAccess = readWrite ? .readWrite : .read
        request.variables = Dictionary(setenv.map { ($0.name, $0.value) }) { _, new in new }
        request.programFolders = programDirectory
        request.showsView = view
        request.asksForPicks = !noPicks
        let code = try await ClientRun(
            request, environment: ProcessInfo.processInfo.environment,
            administrator: .administrator(leavesStopped: true)
        ).perform()
        // The program's own exit code, not an ``ExitStatus``.
        if code != 0 { Glibc.exit(code) }
    }
}

extension ClientAllowance: ExpressibleByArgument {}
