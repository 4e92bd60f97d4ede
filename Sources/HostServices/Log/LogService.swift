package import DocentInterfaces
import Foundation
package import HostCore
package import RemoteDocuments
package import Rights

/// The audit log (I4), on the wire.
package struct LogService: Sendable {
    /// The default and the maximum number of entries in an answer.
    package static let (usual, most) = (100, 10_000)

    private let audit: AuditLog
    private let gateway: DocumentGateway
    private let name: @Sendable (ItemKey) async -> String?

    /// - Parameter name: returns the name of an item if it is known, without asking a provider.
    package init(audit: AuditLog, gateway: DocumentGateway, name: @escaping @Sendable (ItemKey) async -> String?) {
        self.audit = audit
        self.gateway = gateway
        self.name = name
    }

    /// A parsed query of the audit.
    package struct Question: Sendable {
        var filter = GrantFilter()
        var events: Set<AuditEntry.Event>?
        var since: Date?
        var limit: Int
    }

    /// Parses a query. A location is looked up at its provider.
    ///
    /// - Throws: ``Failure`` `InvalidArgument`, `NotFound`.
    package func question(_ parameters: AdministrationInterface.Log.Parameters) async throws -> Question {
        let limit = parameters.limit ?? Self.usual
        guard (1...Self.most).contains(limit) else {
            throw Failure(.invalidArgument, "A limit is between 1 and \(Self.most).")
        }
        var question = Question(limit: limit)
        question.filter.clientIdentifier = parameters.client
        if let location = parameters.location {
            question.filter.item = try await gateway.item(
                at: try ItemPath(location.path), provider: location.provider, domain: location.domain
            ).reference.key
        }
        if parameters.refused == true { question.events = [.refused] }
        question.since = parameters.since.map(Date.init(timeIntervalSince1970:))
        return question
    }

    /// The newest entries, newest first.
    package func entries(_ question: Question) async throws -> [Wire.LogEntry] {
        try? await audit.flush()
        return await told(try await newest(question, after: nil))
    }

    /// Sends the newest entries, then new ones as they are added, until the task is cancelled. Each batch is in
    /// chronological order. An entry that is still counting is sent again once, when its minute is over.
    package func follow(_ question: Question, _ tell: ([Wire.LogEntry]) async throws -> Void) async throws {
        try? await audit.flush()
        let first = try await newest(question, after: nil)
        var last = try await audit.entries(limit: 1).first?.id ?? 0
        var counting = CountingEntries(limit: Self.most)
        counting.note(first, at: .now)
        try await tell(await told(first.reversed()))
        while true {
            try await Task.sleep(for: .milliseconds(300))
            try? await audit.flush()
            let over = counting.takeOver(at: .now)
            if !over.isEmpty {
                let counted = try await audit.entries(numbered: over.keys.sorted()).filter { over[$0.id] != $0.count }
                if !counted.isEmpty { try await tell(await told(counted)) }
            }
            var question = question
            question.limit = Self.most
            let entries = try await newest(question, after: last)
            guard let newest = entries.first else { continue }
            last = max(last, newest.id)
            counting.note(entries, at: .now)
            try await tell(await told(entries.reversed()))
        }
    }

    /// Converts entries for the wire.
    package func told(_ entries: [AuditEntry]) async -> [Wire.LogEntry] {
        var names: [ItemKey: String] = [:]
        for item in Set(entries.map(\.item)) where !item.provider.isEmpty { names[item] = await name(item) }
        // After a restart the name is the one from the time of the grant.
        let unknown = Set(entries.map(\.item)).subtracting(names.keys)
        names.merge((try? await audit.names(of: unknown)) ?? [:]) { known, _ in known }
        return entries.map { Self.told($0, name: names[$0.item]) }
    }

    /// Records that a client has nothing downloaded for another program any more, because that asked for too many
    /// documents.
    ///
    /// - Parameters:
    ///   - program: the program, as the client says; nil for one without a usable name.
    ///   - limit: how many documents it may have within a minute.
    /// - Throws: ``Failure`` `InvalidArgument`.
    package func noteLimit(
        _ session: Session, _ program: DownloadCause.OtherProgram?, documentsPerMinute limit: Int
    ) async throws {
        guard (0...1_000_000_000).contains(limit) else {
            throw Failure(.invalidArgument, "The number of documents within a minute is out of range.")
        }
        let name = program?.path ?? "a program"
        let number = limit == 1 ? "1 document" : "\(limit) documents"
        try? await audit.recordRefused(
            session.principal, AuditEntry.furtherItems, .read,
            reason: "nothing is downloaded for \(name): it asked for more than \(number) within a minute",
            process: program?.process ?? session.process, executable: session.executable)
    }

    private static func told(_ entry: AuditEntry, name: String?) -> Wire.LogEntry {
        let isDocent = entry.principal.kind == .unknown
        return Wire.LogEntry(
            id: Int(entry.id), event: entry.event.rawValue,
            clientKind: isDocent ? "docent" : entry.principal.kind.rawValue,
            client: isDocent ? "docent" : entry.principal.identifier,
            strength: isDocent ? "enforced" : entry.principal.strength.rawValue, provider: entry.item.provider,
            domain: entry.item.domain, identifier: entry.item.identifier, name: name, access: entry.access.rawValue,
            detail: entry.detail, grant: entry.grant.map(Int.init), process: entry.process,
            executable: entry.executable, count: entry.count, first: entry.first.timeIntervalSince1970,
            last: entry.last.timeIntervalSince1970)
    }

    private func newest(_ question: Question, after last: Int64?) async throws -> [AuditEntry] {
        try await audit.entries(
            question.filter, events: question.events, since: question.since, after: last, limit: question.limit)
    }
}
