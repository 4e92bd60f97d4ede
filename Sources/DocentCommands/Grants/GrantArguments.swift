import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// Filters for a list of grants.
struct GrantArguments: ParsableArguments {
    @Argument(
        help: "Only grants on this document or folder.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(
        name: .long, help: ArgumentHelp("Only grants of this client.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Option(
        name: .long, help: ArgumentHelp("Only grants of clients of this kind: \(ClientKind.list).", valueName: "kind"),
        transform: ClientKind.parse)
    var kind: String?

    @Option(
        name: .long, help: ArgumentHelp("Only grants at this provider.", valueName: "id"),
        completion: .custom(NameCompletion.providers))
    var provider: String?

    @Option(
        name: .long, help: ArgumentHelp("Only grants older than this, like 30d.", valueName: "span"),
        transform: DurationText.parse)
    var olderThan: Double?

    /// Whether there is no filter.
    var isEverything: Bool {
        location == nil && client == nil && kind == nil && provider == nil && olderThan == nil
    }

    /// The matching grants, page by page: there may be a million.
    ///
    /// - Parameter each: receives a page, and whether it is the last; returns whether to go on.
    func pages(
        _ administrator: DocumentsClient, _ each: (_ page: [Wire.Grant], _ isLast: Bool) throws -> Bool
    ) async throws {
        var page: String?
        repeat {
            let reply = try await administrator.call(
                AdministrationInterface.ListGrants.self,
                .init(
                    client: client, provider: provider, location: location?.wire, clientKind: kind,
                    olderThan: olderThan, page: page)
            ).value
            guard try each(reply.grants, reply.nextPage == nil) else { return }
            page = reply.nextPage
        } while page != nil
    }
}

/// How clients reach the daemon.
enum ClientKind {
    static let all = ["run", "flatpak", "snap", "unconfined"]
    static let list = "run, flatpak, snap or unconfined"

    /// Checks a kind of client. The parser reports the error.
    @Sendable
    static func parse(_ text: String) throws -> String {
        guard all.contains(text) else { throw ValidationError("\"\(text)\" is not a kind of client. Write \(list).") }
        return text
    }
}
