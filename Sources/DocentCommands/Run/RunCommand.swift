import ArgumentParser
import ClientRunning
import Documents
import FoundationEssentials
import Glibc

struct RunCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Start a program in a sandbox that is one client.",
        discussion: """
            The program sees the system read-only, a home of its own that stays for this client, and no file of yours but \
            what is granted: it reaches documents through one socket, on which it is the client ID and nobody else. When it \
            asks for a document, you are asked on this terminal; `docent picks` answers elsewhere. docs/run.md tells what \
            the sandbox holds and what --allow gives up.

            --document grants from the start and passes a path: `{}` among the arguments stands for all of them, `{1}` for \
            the first. With :rw the program gets a copy of its own, which is saved as a whole whenever it has been \
            written and closed, and at the end.

            Ends with the program's exit code (128 and its number for a signal), 5 where there can be no sandbox. When the \
            program ended with 0 and a document could not be saved, with the code of that: what was not saved is kept.

            EXAMPLES
              docent run --client org.example.editor -- vi
              docent run --client org.example.reader --document LocalFolder:/book.pdf \\
                -- pdftotext {} -
              docent run --client org.example.editor --document LocalFolder:/notes.txt:rw \\
                -- vi {}
              docent run --client org.example.fetch --allow network \\
                -- wget https://example.org/
            """)

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Who the program is, in reverse DNS: its home and its rights are kept under it.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String

    @Option(
        name: .long,
        help: ArgumentHelp("Open the sandbox for: network, session-bus, display. Repeatable.", valueName: "what"))
    var allow: [ClientAllowance] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Grant and pass this document; :ro or :rw at its end says how. Repeatable.", valueName: "location"),
        completion: .custom(LocationCompletion.locations), transform: RunDocument.parse)
    var document: [RunDocument] = []

    @Flag(name: .long, help: "Pass documents for reading where they do not say otherwise (the default).")
    var readOnly = false

    @Flag(name: .long, help: "Pass documents for reading and writing where they do not say otherwise.")
    var readWrite = false

    @Option(
        name: .long,
        help: ArgumentHelp("Set a variable in the sandbox: NAME=VALUE. Repeatable.", valueName: "name=value"),
        transform: EnvironmentArgument.parse)
    var setenv: [EnvironmentArgument] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Show this folder too, read-only: what the program needs beside itself. Repeatable.", valueName: "dir"))
    var programDirectory: [String] = []

    @Flag(name: .long, help: "Do not ask on this terminal what the program wants to be picked.")
    var noPicks = false

    @OptionGroup var report: ReportOptions

    @Argument(parsing: .postTerminator, help: "The program and its arguments, behind --.")
    var program: [String] = []

    func validate() throws {
        guard !program.isEmpty else { throw ValidationError("Name a program behind `--`.") }
        guard !(readOnly && readWrite) else {
            throw ValidationError("--read-only and --read-write exclude each other.")
        }
        guard ClientName.isFolderName(client) else {
            throw ValidationError("\"\(client)\" is no client identifier. Use reverse DNS, like org.example.Editor.")
        }
    }

    func run() async throws {
        var request = RunRequest(client: client, program: program[0], arguments: Array(program.dropFirst()))
        request.allowances = Set(allow)
        request.documents = document
        request.defaultAccess = readWrite ? .readWrite : .read
        request.variables = Dictionary(setenv.map { ($0.name, $0.value) }) { _, new in new }
        request.programFolders = programDirectory
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
