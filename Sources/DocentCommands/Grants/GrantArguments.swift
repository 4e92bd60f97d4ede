import ArgumentParser
import DocentInterfaces
import Documents
import Varlink

/// What narrows a list of grants.
struct GrantArguments: ParsableArguments {
    @Argument(
        help: "Only those on one document or folder.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Option(
        name: .long, help: ArgumentHelp("Only those of this client.", valueName: "id"),
        completion: .custom(NameCompletion.clients))
    var client: String?

    @Option(
        name: .long, help: ArgumentHelp("Only those of clients of this kind: \(ClientKind.list).", valueName: "kind"),
        transform: ClientKind.parse)
    var kind: String?

    @Option(
        name: .long, help: ArgumentHelp("Only those at this provider.", valueName: "id"),
        completion: .custom(NameCompletion.providers))
    var provider: String?

    @Option(
        name: .long, help: ArgumentHelp("Only those that were given longer ago, like 30d.", valueName: "span"),
        transform: DurationText.parse)
    var olderThan: Double?

    /// Whether nothing narrows.
    var isEverything: Bool {
        location == nil && client == nil && kind == nil && provider == nil && olderThan == nil
    }

    /// The grants that fit, page by page: there may be a million.
    ///
    /// - Parameter each: gets a page, and whether there are more; says whether to go on.
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

/// The ways in which clients reach the daemon.
enum ClientKind {
    static let all = ["run", "flatpak", "snap", "unconfined"]
    static let list = "run, flatpak, snap or unconfined"

    /// Checks a kind; the parser shows what is wrong with it.
    @Sendable
    static func parse(_ text: String) throws -> String {
        guard all.contains(text) else { throw ValidationError("\"\(text)\" is no kind of client. Write \(list).") }
        return text
    }
}
