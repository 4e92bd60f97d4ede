package import Access
import DocentInterfaces
import ExtensionHosting
package import HostCore
import Records
import RemoteDocuments
package import Rights
package import Storage

/// Documents of which clients read only parts.
extension DocumentService {
    /// What a client gets for a range.
    package struct FetchedRange: Sendable {
        /// How many bytes from the beginning of the range on are here.
        package var count: Int64
        /// The content is in this file now.
        package var file: OpenDescriptor?
        /// Whether all of the content is here.
        package var isComplete: Bool
    }

    /// Opens a granted document of which the client wants to read parts; nil when it is to be opened as a whole.
    ///
    /// - Parameter other: the program for which the client opens it.
    package func openParts(
        _ session: Session, _ key: ItemKey, for other: DownloadCause.OtherProgram?
    ) async throws -> OpenedDocument? {
        try await access.require(session, key, .read, for: "open")
        let opened = try await access.whileAllowed(session, key, .read) { try await gateway.parts(key) }
        guard let (item, content) = opened else { return nil }
        do {
            return try await opening(session, item, content, other)
        } catch {
            await gateway.reader.close(content)
            throw error
        }
    }

    private func opening(
        _ session: Session, _ item: Wire.Item, _ content: SparseContent, _ other: DownloadCause.OtherProgram?
    ) async throws -> OpenedDocument? {
        let used = item.reference.key
        guard await access.stillAllows(session, used, .read) else {
            try access.requireOpen(session.principal, used)
            throw AccessControl.refusal(session, .read)
        }
        guard let file = try await file(session, content),
            let number = readings.add(.init(key: used, content: content, other: other), session)
        else {
            await gateway.reader.close(content)
            return nil
        }
        noteUse(session, item, nil)
        // If the session ended in the meantime, its cleanup missed this reading.
        if session.hasEnded { sessionEnded(session) }
        var opened = OpenedDocument(json: item.hotJSON, item: item, file: file, lease: nil)
        opened.reading = number
        return opened
    }

    // A confined client gets no descriptor that could be reopened for writing, and no copy of something incomplete.
    private func file(_ session: Session, _ content: SparseContent) async throws -> OpenDescriptor? {
        guard session.principal.isConfined else { return try OpenDescriptor.reopenReadOnly(content.reader.number) }
        return try await worker.run { [views] _ in views.open(sameAs: content.reader) }
    }

    /// Fetches a range of a document that was opened in parts, and answers when it is here.
    ///
    /// - Throws: ``Failure``: `NotFound` when there is no such reading; `NotPermitted` when the right has ended;
    ///   `Conflict` when the document has another version; why the range cannot be fetched.
    package func fetchRange(
        _ session: Session, _ number: Int, _ range: Range<Int64>
    ) async throws -> FetchedRange {
        guard let reading = readings.reading(number, session) else {
            throw Failure(.notFound, "No document is read under this number.", suggestion: "Open it again.")
        }
        let (key, content) = (reading.key, reading.content)
        guard await access.stillAllows(session, key, .read) else {
            try access.requireOpen(session.principal, key)
            throw AccessControl.refusal(session, .read)
        }
        do {
            try await session.causing("opened for reading", for: reading.other) {
                try await access.whileAllowed(session, key, .read) { try await content.require(range) }
            }
        } catch let failure as Failure where failure.kind == .unsupported {
            await gateway.reader.noteRefused(content)
            return try await fetchWhole(session, reading, range)
        } catch let failure as Failure where failure.kind == .conflicting {
            // The description of the document is out of date.
            Task { [gateway] in _ = try? await gateway.refreshed(key) }
            throw failure
        }
        let isComplete = content.isComplete
        if isComplete { await gateway.reader.keepComplete(content) }
        return FetchedRange(count: content.count(from: range.lowerBound), file: nil, isComplete: isComplete)
    }

    private func fetchWhole(
        _ session: Session, _ reading: PartialReadings.Reading, _ range: Range<Int64>
    ) async throws -> FetchedRange {
        let opened = try await open(session, reading.key, lease: false, for: reading.other)
        guard opened.item.version.isSame(as: reading.content.item.description.version) else {
            throw RangeFetch.otherVersion(reading.content.item)
        }
        let size = Int64(clamping: try FileStatus(of: opened.file.number).size)
        return FetchedRange(count: max(0, size - range.lowerBound), file: opened.file, isComplete: true)
    }

    /// How many bytes of a range are here; nil when there is no such reading.
    package func progress(_ session: Session, _ number: Int, _ range: Range<Int64>) -> Int64? {
        readings.reading(number, session)?.content.count(in: range)
    }

    /// Ends the reading of a document that was opened in parts.
    package func closeReading(_ session: Session, _ number: Int) async {
        guard let reading = readings.remove(number, session) else { return }
        await gateway.reader.close(reading.content)
    }

    /// Ends the readings of a session that has ended.
    func endReadings(_ session: Session) {
        let ended = readings.removeAll(of: session)
        guard !ended.isEmpty else { return }
        Task { [gateway] in for reading in ended { await gateway.reader.close(reading.content) } }
    }
}
