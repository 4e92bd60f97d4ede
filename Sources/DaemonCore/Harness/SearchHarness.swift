import DocentInterfaces
package import HostCore
package import HostServices
import Rights
import Varlink

/// Searching on the wire: `org.docent.Documents.Find` for every client, and the administration of the index.
package struct SearchHarness: Sendable {
    private let sessions: SessionRegistry
    private let search: SearchService

    package init(sessions: SessionRegistry, search: SearchService) {
        self.sessions = sessions
        self.search = search
    }

    // A message has a limited size.
    private static let mostInOne = 1_000

    /// Adds the methods for clients.
    func add(toDocuments table: inout MethodTable) {
        typealias Interface = DocumentsInterface
        let (sessions, search) = (sessions, search)
        table.stream(Interface.Find.shortName, requiresMore: false, Interface.Find.Parameters.self) {
            (parameters, call, sink: ReplySink<Interface.Find.Reply>) in
            let session = try sessions.session(call.connection)
            let request = try await search.request(session, parameters)
            guard call.wantsMore || request.limit <= Self.mostInOne else {
                throw Failure(
                    .invalidArgument, "One reply has at most \(Self.mostInOne) items.", suggestion: "Call it with more."
                )
            }
            guard parameters.live == true else {
                let answer = Answer()
                try await search.find(session, request) { reply in
                    if case .found(let items) = reply, call.wantsMore {
                        return try await sink.send(Reply(Self.reply(.found(items))))
                    }
                    await answer.add(reply)
                }
                return Reply(await answer.reply)
            }
            guard call.wantsMore else {
                throw Failure(.invalidArgument, "A live search has several replies.", suggestion: "Call it with more.")
            }
            try await search.follow(session, request) { try await sink.send(Reply(Self.reply($0))) }
            throw Failure(.cancelled, "The search has ended.")
        }
    }

    /// Adds the methods for the user.
    func add(toAdministration table: inout MethodTable) {
        typealias Interface = AdministrationInterface
        let search = search
        table.call(Interface.SearchIndex.self) { _, call in
            return Reply(try await search.status())
        }
        table.call(Interface.ChangeSearchIndex.self, changesState: true) { parameters, call in
            let count = try await search.change(
                parameters.action, provider: parameters.provider, domain: parameters.domain)
            return Reply(.init(accounts: count))
        }
    }

    // Collects the pages for a caller that wants one reply, and the last page for others.
    private actor Answer {
        private var items: [SearchReply.RankedItem] = []
        private(set) var reply = DocumentsInterface.Find.Reply(state: "gathered", items: [], ranks: [])

        func add(_ part: SearchReply) {
            switch part {
            case .found(let more): items += more
            case .gathered(let last, let gaps, let isCut):
                reply = SearchHarness.reply(.gathered(items + last, gaps: gaps, isCut: isCut))
            case .changed: break
            }
        }
    }

    private static func reply(_ reply: SearchReply) -> DocumentsInterface.Find.Reply {
        switch reply {
        case .found(let items):
            return .init(state: "found", items: items.map(\.item), ranks: items.map(\.rank))
        case .gathered(let items, let gaps, let isCut):
            return .init(
                state: "gathered", items: items.map(\.item), ranks: items.map(\.rank),
                gaps: gaps.isEmpty ? nil : gaps, isCut: isCut ? true : nil)
        case .changed(let items, let gone, let gaps):
            return .init(
                state: "changed", items: items.map(\.item), ranks: items.map(\.rank),
                gone: gone.isEmpty ? nil : gone.map(\.reference), gaps: gaps)
        }
    }
}
