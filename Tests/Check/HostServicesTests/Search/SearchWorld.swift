import DaemonCore
import DocentInterfaces
import HostCore
import HostTesting
import Rights
import Synchronization
import Testing

@testable import HostServices

/// Searches in a host in this process.
struct SearchWorld {
    let host: TestHost

    static let tool = Principal(kind: .unconfined, identifier: "org.example.Tool")

    var search: SearchService { host.services.search }

    /// What a search answered.
    struct Answer: Sendable {
        var items: [Wire.Item] = []
        var gaps: [Wire.SearchGap] = []
        var isCut = false

        var names: [String] { items.map(\.name) }

        func gap(_ kind: TestProviderKind) -> [String] {
            gaps.filter { $0.provider == kind.identifier }.map(\.kind)
        }
    }

    /// Searches, and lets the listing of folders pass its pauses meanwhile.
    func find(
        _ text: String, by principal: Principal = tool, folders: [ItemKey]? = nil, grantedTo: String? = nil,
        limit: Int? = nil
    ) async throws -> Answer {
        let session = host.session(principal)
        defer { host.end(session) }
        let request = try await search.request(
            session,
            .init(query: text, folders: folders.map { $0.map(\.reference) }, grantedTo: grantedTo, limit: limit))
        let answer = Mutex(Answer())
        try await host.clock.letting(["SearchCrawler"]) {
            try await search.find(session, request) { reply in
                answer.withLock { answer in
                    switch reply {
                    case .found(let items): answer.items += items.map(\.item)
                    case .gathered(let items, let gaps, let isCut):
                        answer.items += items.map(\.item)
                        (answer.gaps, answer.isCut) = (gaps, isCut)
                    case .changed: Issue.record("A search that is not live has no changes.")
                    }
                }
            }
        }
        return answer.withLock { $0 }
    }

    /// Searches until all accounts have been listed.
    func findInAll(_ text: String, by principal: Principal = tool) async throws -> Answer {
        for _ in 0..<100 {
            let answer = try await find(text, by: principal)
            if answer.gaps.isEmpty { return answer }
        }
        return try await find(text, by: principal)
    }
}

/// Collects what a live search sends.
final class LiveAnswer: Sendable {
    private struct State {
        var shown: [ItemKey: Wire.Item] = [:]
        var isGathered = false
        var failure: String?
    }

    private let state = Mutex(State())

    var names: [String] { state.withLock { $0.shown.values.map(\.name).sorted() } }
    var isGathered: Bool { state.withLock { $0.isGathered } }
    var failure: String? { state.withLock { $0.failure } }

    func take(_ reply: SearchReply) {
        state.withLock { state in
            switch reply {
            case .found(let items): for item in items { state.shown[item.item.reference.key] = item.item }
            case .gathered(let items, _, _):
                for item in items { state.shown[item.item.reference.key] = item.item }
                state.isGathered = true
            case .changed(let items, let gone, _):
                for item in items { state.shown[item.item.reference.key] = item.item }
                for key in gone { state.shown[key] = nil }
            }
        }
    }

    func fail(_ error: any Error) { state.withLock { $0.failure = "\(error)" } }
}
