import ArgumentParser
import Documents

/// A verb of the command line.
protocol DocentCommand: AsyncParsableCommand {
    /// How errors are told.
    var report: ReportOptions { get }
}

/// Options that every verb has.
struct ReportOptions: ParsableArguments {
    @Flag(name: .long, help: "Tell the whole chain of causes of an error.")
    var verbose = false
}

/// For whom a verb acts.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The client to act for, in reverse DNS: what is granted is granted to it.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client = "org.docent.cli"

    /// A client with that identifier; nothing is connected yet.
    func makeClient(startsDaemon: Bool = true) -> DocumentsClient {
        var configuration = DocumentsClient.Configuration(clientIdentifier: client)
        configuration.startsDaemon = startsDaemon
        configuration.version = Docent.version
        return DocumentsClient(configuration)
    }
}

/// Whether a verb answers a person or a program.
struct FormatOptions: ParsableArguments {
    @Flag(name: .long, help: "Answer in JSON; docs/json.md describes it.")
    var json = false
}

extension DocumentsClient {
    /// The client of a verb that acts for nobody but the user.
    ///
    /// - Parameter acceptsAny: also a daemon that serves other data or is another version: to look at it, and to end it.
    static func administrator(
        startsDaemon: Bool = true, leavesStopped: Bool = false, acceptsAny: Bool = false
    ) -> DocumentsClient {
        var configuration = Configuration(clientIdentifier: "org.docent.cli")
        configuration.startsDaemon = startsDaemon
        configuration.leavesStopped = leavesStopped
        configuration.version = Docent.version
        configuration.acceptsAnyDaemon = acceptsAny
        return DocumentsClient(configuration)
    }
}
