package import DocentInterfaces
import HostCore
package import Records
import Rights
import Storage
import Synchronization
import Varlink

/// Fetches a range of a content from its provider, through a pipe, and checks what comes.
package struct RangeFetch: Sendable {
    private let access: ProviderAccess
    private let evictor: Evictor
    private let usage: DocumentUsage
    private let gate: RangeGate

    package init(
        access: ProviderAccess, evictor: Evictor, usage: DocumentUsage, gate: RangeGate = RangeGate()
    ) {
        self.access = access
        self.evictor = evictor
        self.usage = usage
        self.gate = gate
    }

    /// Fetches a range into a file.
    ///
    /// - Parameters:
    ///   - size: the size of the whole content.
    ///   - held: the number of bytes of it that are on the disk already.
    /// - Throws: ``Failure``: `Conflict` when the document has another version; `NotSupported` when this content cannot
    ///   be fetched in parts; `ProviderFailed` when something else came than was asked for.
    func callAsFunction(
        _ item: RemoteItem, _ range: Range<Int64>, of size: Int64, held: Int64, into file: PartialFile,
        _ arrival: RangeArrival
    ) async throws {
        try await gate.pass(item.key.provider) {
            try await evictor.requireRoom(item.key, adding: Int64(range.count), held: held)
            try await usage.whileFetching(item.key) { try await fetch(item, range, size, file, arrival) }
        }
    }

    private func fetch(
        _ item: RemoteItem, _ range: Range<Int64>, _ size: Int64, _ file: PartialFile, _ arrival: RangeArrival
    ) async throws {
        guard let version = item.description.version else { throw Self.otherVersion(item) }
        let pipe = try RangePipe()
        let received = Task {
            try await BlockingWorker.alone(label: "org.docent.range").run { cancellation in
                try pipe.receive(into: file, range, cancellation: cancellation, arrived: arrival.arrived)
            }
        }
        let reply: FileProviderInterface.FetchRange.Reply
        do {
            reply = try await withTaskCancellationHandler {
                try await ask(item, version, range, size, pipe, arrival)
            } onCancel: {
                received.cancel()
            }
        } catch {
            received.cancel()
            pipe.senderAnswered()
            _ = await received.result
            throw Self.translated(error, item)
        }
        pipe.senderAnswered()
        let outcome = try await withTaskCancellationHandler {
            try await received.value
        } onCancel: {
            received.cancel()
        }
        guard case .received(let count) = outcome else { throw Self.refusal(item, "more bytes than it was asked for") }
        guard let said = reply.version, version.isSame(as: said), Int64(reply.totalBytes ?? Int(size)) == size else {
            throw Self.otherVersion(item)
        }
        guard count == Int64(range.count), reply.completedBytes == range.count else {
            throw Self.refusal(item, "\(count) bytes of the \(range.count) that it was asked for")
        }
    }

    private func ask(
        _ item: RemoteItem, _ version: String, _ range: Range<Int64>, _ size: Int64, _ pipe: RangePipe,
        _ arrival: RangeArrival
    ) async throws -> FileProviderInterface.FetchRange.Reply {
        let isConfirmed = Mutex(false)
        return try await access.callWithProgress(
            FileProviderInterface.FetchRange.self,
            .init(
                domain: item.key.domain, identifier: item.key.identifier, version: version,
                offset: Int(range.lowerBound), length: range.count, destination: 0),
            provider: item.key.provider, domain: item.key.domain,
            descriptors: {
                // Called again when the account had to be signed in first.
                guard let number = try pipe.makeWriter()?.take() else {
                    throw Failure(
                        .unavailable, "The content of \"\(item.description.name)\" was interrupted.",
                        suggestion: "Try again.", provider: item.key.provider)
                }
                return DescriptorList(OwnedDescriptor(number))
            }
        ) { reply in
            if let total = reply.totalBytes, Int64(total) != size { return }
            // The last reply, perhaps: what came is compared with it first.
            guard reply.completedBytes < range.count else { return }
            guard let said = reply.version, said.isSame(as: version) else { return }
            let isFirst = isConfirmed.withLock { known in
                defer { known = true }
                return !known
            }
            if isFirst { arrival.confirmed() }
        }
    }

    // MARK: Failures

    private static func translated(_ error: any Error, _ item: RemoteItem) -> any Error {
        guard let failure = error as? Failure, failure.kind == .outdated else { return error }
        return otherVersion(item)
    }

    /// The failure when a document is no longer at the version of which parts are read.
    package static func otherVersion(_ item: RemoteItem) -> Failure {
        Failure(
            .conflict, "\"\(item.description.name)\" was changed while it was read.", suggestion: "Open it again.",
            provider: item.key.provider)
    }

    private static func refusal(_ item: RemoteItem, _ what: String) -> Failure {
        Failure(
            .providerFailed, "The content of \"\(item.description.name)\" was refused: the provider delivered \(what).",
            suggestion: "Report this to the authors of \(item.key.provider).", provider: item.key.provider)
    }
}
