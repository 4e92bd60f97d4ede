import DocentInterfaces
import FoundationEssentials
import HostCore
package import Records
package import Rights
import Synchronization

/// The contents of which parts are here, and the downloads that make way for them.
package actor SparseContents {
    /// Smaller contents are fetched as a whole: that is as fast, and they can then be read without a network.
    package static let smallest: Int64 = 2 << 20

    private struct Open {
        let content: SparseContent
        var uses: Int
        let recording: Task<Void, Never>
    }

    private let files: DownloadFiles
    private let fetch: RangeFetch
    private let evictor: Evictor
    private let audit: AuditLog
    private var open: [ItemKey: Open] = [:]
    private var opening: [ItemKey: Task<SparseContent, any Error>] = [:]
    private var closing: [ItemKey: Task<Void, Never>] = [:]
    private var downloads: [ItemKey: WholeDownload] = [:]
    private var refused: Set<DomainKey> = []

    package init(files: DownloadFiles, fetch: RangeFetch, evictor: Evictor, audit: AuditLog) {
        self.files = files
        self.fetch = fetch
        self.evictor = evictor
        self.audit = audit
    }

    // MARK: Whether

    /// Whether a content may be fetched in parts.
    ///
    /// - Parameter features: what its provider has declared.
    package func mayBeOpened(_ item: RemoteItem, features: Set<String>) -> Bool {
        features.contains("ranges") && item.description.version != nil && !item.isProvisional
            && (item.description.size ?? 0) >= Self.smallest && !refused.contains(DomainKey(item.key))
    }

    /// Records that an account cannot deliver parts, although its provider can.
    package func noteRefused(_ item: RemoteItem) { refused.insert(DomainKey(item.key)) }

    /// Whether parts of this version are here already, or are being read.
    func hasParts(_ item: RemoteItem) async throws -> Bool {
        // What is being closed is recorded first.
        await closing[item.key]?.value
        if isOpen(item) || opening[item.key] != nil { return true }
        // Nothing more is recorded of the former version.
        await endFormer(item)
        return try await files.hasParts(of: item)
    }

    private func endFormer(_ item: RemoteItem) async {
        guard let known = open[item.key], !isOpen(item) else { return }
        known.content.end(RangeFetch.otherVersion(known.content.item))
        await drop(item.key)
    }

    private func isOpen(_ item: RemoteItem) -> Bool {
        guard let known = open[item.key]?.content else { return false }
        return known.item.description.version.isSame(as: item.description.version)
    }

    // MARK: Opening

    /// Opens a content, whose parts are then fetched when they are needed. Balance it with ``close(_:)``.
    ///
    /// - Throws: ``WholeIsHere`` when a running download of the whole has just been completed.
    func open(_ item: RemoteItem) async throws -> SparseContent {
        while true {
            let content = try await openOnce(item)
            // Another use of it may have been the last in the meantime.
            if !content.hasEnded { return content }
        }
    }

    private func openOnce(_ item: RemoteItem) async throws -> SparseContent {
        await closing[item.key]?.value
        if isOpen(item), let known = open[item.key] {
            open[item.key]?.uses += 1
            return known.content
        }
        await endFormer(item)
        let task: Task<SparseContent, any Error>
        if let running = opening[item.key] {
            task = running
        } else {
            // It writes to the same file. What it has is kept.
            if await downloads[item.key]?.makeWay() == true { throw WholeIsHere() }
            if let running = opening[item.key] {
                task = running
            } else {
                task = Task { try await self.make(item) }
                opening[item.key] = task
            }
        }
        defer { if opening[item.key] == task { opening[item.key] = nil } }
        let content = try await task.value
        if content.hasEnded { return content }
        if open[item.key]?.content === content {
            open[item.key]?.uses += 1
        } else {
            open[item.key] = Open(content: content, uses: 1, recording: record(content))
        }
        return content
    }

    private func make(_ item: RemoteItem) async throws -> SparseContent {
        let size = item.description.size ?? 0
        let (file, here) = try await files.inParts(item, size: size)
        let fetching: SparseContent.Fetching = { [fetch, audit] content, range, arrival in
            try await fetch(item, range, of: size, held: content.count(in: 0..<size), into: file, arrival)
            guard let cause = DownloadCause.current, content.isNew("\(cause.purpose) \(cause.process ?? 0)") else {
                return
            }
            audit.noteDownloaded(
                cause.principal, item.key, detail: cause.purpose + ", in parts", process: cause.process,
                executable: cause.executable)
        }
        do {
            return try SparseContent(item, size: size, file: file, here: here, fetching: fetching)
        } catch {
            files.ended(item.key)
            throw error
        }
    }

    // MARK: Recording and closing

    private static let recordingPause = Duration.milliseconds(900)

    private func record(_ content: SparseContent) -> Task<Void, Never> {
        Task { [files] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.recordingPause)
                guard !Task.isCancelled, let here = content.takeUnrecorded() else { continue }
                // If it fails, what came since the last time is fetched again after a restart.
                try? await files.record(content, here)
            }
        }
    }

    /// Ends one use. After the last one, nothing more is fetched; what is here stays.
    package func close(_ content: SparseContent) async {
        let key = content.item.key
        guard open[key]?.content === content else { return }
        open[key]?.uses -= 1
        guard open[key]?.uses == 0 else { return }
        content.end(
            Failure(
                .cancelled, "The reading of \"\(content.item.description.name)\" has ended.",
                suggestion: "Open it again."))
        await drop(key)
    }

    private func drop(_ key: ItemKey) async {
        guard let known = open.removeValue(forKey: key) else { return }
        let task = Task { [files, evictor] in
            known.recording.cancel()
            await known.recording.value
            await known.content.waitForFlights()
            if let here = known.content.takeUnrecorded() { try? await files.record(known.content, here) }
            await evictor.release(key)
            files.ended(key)
        }
        closing[key] = task
        await task.value
        if closing[key] == task { closing[key] = nil }
    }

    /// Called when a content was published or found to be wrong: its file is no longer a partial one.
    func gone(_ content: SparseContent) async {
        let key = content.item.key
        guard let known = open[key], known.content === content else { return }
        open[key] = nil
        known.recording.cancel()
        await known.recording.value
        await evictor.release(key)
        files.ended(key)
    }

    // MARK: Whole downloads

    /// A download from the start on begins. It makes way when somebody wants to read parts: both would fetch the same
    /// bytes, and write to the same file. Balance it with ``ended(_:_:isComplete:)``.
    func begin(_ key: ItemKey) -> WholeDownload {
        let download = WholeDownload()
        downloads[key] = download
        return download
    }

    /// The download has ended, and what it has is recorded.
    func ended(_ key: ItemKey, _ download: WholeDownload, isComplete: Bool) {
        if downloads[key] === download { downloads[key] = nil }
        download.ended(isComplete: isComplete)
    }
}
