import ArgumentParser
import Documents

/// A subcommand of `docent`.
protocol DocentCommand: AsyncParsableCommand {
    /// How errors are reported.
    var report: ReportOptions { get }
}

/// Options of every subcommand.
struct ReportOptions: ParsableArguments {
    @Flag(name: .long, help: "Also show the code and provider of an error, and the domain and number of each cause.")
    var verbose = false
}

/// The client that a subcommand acts for.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Act for this client, in reverse DNS. It gets what is granted.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client = standard

    /// The identifier of the client that a subcommand acts for, unless another one is given.
    static let standard = "org.docent.cli"

    /// A client with this identifier, not connected yet.
    func makeClient(startsDaemon: Bool = true) -> DocumentsClient { Self.client(client, startsDaemon: startsDaemon) }

    /// A client, not connected yet.
    static func client(_ identifier: String, startsDaemon: Bool = true) -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: identifier)
        configuration.startsDaemon = startsDaemon
        configuration.version = Docent.version
        return DocumentsClient(configuration)
    }
}

/// Whether the output is for a person or a program.
struct FormatOptions: ParsableArguments {
    @Flag(name: .long, help: "Answer in JSON; docs/json.md describes it.")
    var json = false
}

extension DocumentsClient {
    /// The client of a subcommand that acts only for the user.
    ///
    /// - Parameters:
    ///   - acceptsAny: whether to accept a daemon that serves other data or has another version, to inspect or
    ///     stop it.
    ///   - leavesNoTrace: whether it only looks, so that what it opens is not remembered as used.
    static func administrator(
        startsDaemon: Bool = true, leavesStopped: Bool = false, acceptsAny: Bool = false, leavesNoTrace: Bool = false
    ) -> DocumentsClient {
        var configuration = Configuration(clientIdentifier: "org.docent.cli")
        configuration.startsDaemon = startsDaemon
        configuration.leavesStopped = leavesStopped
        configuration.version = Docent.version
        configuration.acceptsAnyDaemon = acceptsAny
        configuration.leavesNoTrace = leavesNoTrace
        return DocumentsClient(configuration)
    }
}
