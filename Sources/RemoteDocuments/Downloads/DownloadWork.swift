import DocentInterfaces
import FoundationEssentials
package import HostCore
import Records
package import Rights
import Storage
import Varlink

/// One attempt of a download. It makes room, lets the provider write into a file of ours, and resumes an interrupted
/// attempt. Only complete and checked content is published (HAZARDS 16, 21, 22).
package struct DownloadWork: Sendable {
    private let catalog: RemoteCatalog
    private let local: LocalStore
    private let files: DownloadFiles
    private let contents: SparseContents
    private let publisher: DownloadPublisher
    private let evictor: Evictor
    private let usage: DocumentUsage
    private let audit: AuditLog

    package init(
        catalog: RemoteCatalog, local: LocalStore, files: DownloadFiles, contents: SparseContents,
        publisher: DownloadPublisher, evictor: Evictor, usage: DocumentUsage, audit: AuditLog
    ) {
        self.contents = contents
        self.catalog = catalog
        self.local = local
        self.files = files
        self.publisher = publisher
        self.evictor = evictor
        self.usage = usage
        self.audit = audit
    }

    /// The queue's work for an item. The download is recorded in the audit log with its cause.
    package func body(_ key: ItemKey, for cause: DownloadCause) -> TransferBody {
        { report in try await run(key, cause, report) }
    }

    private func run(
        _ key: ItemKey, _ cause: DownloadCause, _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws {
        guard var item = try await catalog.known(key), !item.isProvisional else { return }
        if catalog.states.contains(item.key), item.local == nil {
            // After a conflict, the content saved here is given up just before its state is.
            try await publisher.waitForRecording(of: item.key)
            guard let now = try await catalog.known(item.key) else { return }
            item = now
        }
        guard !catalog.states.contains(item.key) else { return }
        if item.isCurrent, try await local.open(item) != nil { return }
        try await evictor.reserve(item.key, size: item.description.size ?? 0)
        do {
            try await usage.whileFetching(item.key) { try await fetch(item, report) }
            await evictor.release(item.key)
            audit.noteDownloaded(
                cause.principal, item.key, detail: cause.purpose, process: cause.process, executable: cause.executable)
        } catch {
            await evictor.release(item.key)
            throw error
        }
    }

    private func fetch(_ item: RemoteItem, _ report: @escaping @Sendable (Int64, Int64?) -> Void) async throws {
        let features = try await catalog.access.features(item.key.provider)
        let mayBeInParts = await contents.mayBeOpened(item, features: features)
        do {
            guard mayBeInParts else { return try await fetchWhole(item, features, nil, report) }
            if try await contents.hasParts(item) { throw MadeWay() }
            try await fetchMakingWay(item, features, report)
        } catch is MadeWay {
            do {
                try await fetchRest(item, report)
            } catch let failure as Failure where failure.kind == .unsupported {
                await contents.noteRefused(item)
                try await fetchWhole(item, features, nil, report)
            }
        }
    }

    private func fetchMakingWay(
        _ item: RemoteItem, _ features: Set<String>, _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws {
        let download = await contents.begin(item.key)
        do {
            try await fetchWhole(item, features, download, report)
            await contents.ended(item.key, download, isComplete: true)
        } catch {
            await contents.ended(item.key, download, isComplete: false)
            throw error
        }
    }

    /// Fetches what is missing of a content of which parts are here.
    private func fetchRest(
        _ item: RemoteItem, _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws {
        let content = try await contents.open(item)
        let whole = 0..<content.size
        let reporting = Task {
            while !Task.isCancelled {
                report(content.count(in: whole), content.size)
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        defer { reporting.cancel() }
        do {
            try await content.require(whole)
            let now = try await catalog.ask(item.key)
            guard now.description.version.isSame(as: item.description.version), now.description.size == content.size
            else { throw RangeFetch.otherVersion(item) }
            try await publisher.publish(content.file, length: content.size, item, said: now.description)
            await contents.gone(content)
        } catch let refusal as DownloadRefusal {
            await contents.gone(content)
            await files.discard(item, content.file)
            throw refusal.failure
        } catch {
            await contents.close(content)
            throw error
        }
    }

    private func fetchWhole(
        _ item: RemoteItem, _ features: Set<String>, _ download: WholeDownload?,
        _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws {
        let (file, offset) = try await files.file(for: item, canResume: features.contains("resume"))
        defer { files.ended(item.key) }
        let progress = AttemptProgress(offset: offset)
        report(offset, item.description.size)
        let recording = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(900))
                if let now = progress.toRecord { try await files.record(item, file, now.completed, now.total) }
            }
        }
        do {
            let reply: FileProviderInterface.Fetch.Reply
            if let download {
                reply = try await download.run { try await ask(item, file, offset, progress, report) }
            } else {
                reply = try await ask(item, file, offset, progress, report)
            }
            await end(recording)
            try await finish(item, file, offset, reply)
        } catch {
            await end(recording)
            await keep(item, file, progress, error)
            throw (error as? DownloadRefusal)?.failure ?? error
        }
    }

    private func end(_ recording: Task<Void, any Error>) async {
        recording.cancel()
        _ = await recording.result
    }

    private func ask(
        _ item: RemoteItem, _ file: PartialFile, _ offset: Int64, _ progress: AttemptProgress,
        _ report: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws -> FileProviderInterface.Fetch.Reply {
        try await catalog.access.callWithProgress(
            FileProviderInterface.Fetch.self,
            .init(
                domain: item.key.domain, identifier: item.key.identifier, destination: 0,
                offset: offset > 0 ? Int(offset) : nil, version: offset > 0 ? item.description.version : nil),
            provider: item.key.provider, domain: item.key.domain,
            descriptors: {
                guard let number = try file.makeDestination().take() else { return DescriptorList() }
                return DescriptorList(OwnedDescriptor(number))
            }
        ) { reply in
            progress.note(completed: reply.completedBytes, total: reply.totalBytes, began: reply.offset)
            report(Int64(reply.completedBytes), reply.totalBytes.map(Int64.init) ?? item.description.size)
        }
    }

    // Keeps what an attempt received before it was interrupted, so that the next one need not download it again.
    private func keep(
        _ item: RemoteItem, _ file: PartialFile, _ progress: AttemptProgress, _ error: any Error
    ) async {
        if error is DownloadRefusal || Existence(FailureMapping.failure(error)) == .missing || progress.isOverwritten {
            await files.discard(item, file)
        } else if let now = progress.toRecord, item.description.version != nil {
            do {
                try await files.record(item, file, now.completed, now.total)
            } catch {
                await files.discard(item, file)
            }
        } else if progress.offset == 0 {
            await files.discard(item, file)
        }
    }

    private func finish(
        _ item: RemoteItem, _ file: PartialFile, _ offset: Int64, _ reply: FileProviderInterface.Fetch.Reply
    ) async throws {
        let said = reply.item.map { ItemDescription($0) }
        if let said, item.key.sibling(said.identifier) != item.key {
            throw DownloadRefusal(item, "the provider delivered a different document from the one requested")
        }
        let length = try await publisher.trim(
            file, offset: offset, began: Int64(reply.offset ?? 0), completed: Int64(reply.completedBytes))
        switch DownloadPlan.verdict(length: length, said: said, described: item.description) {
        case .complete: break
        case .broken(let what): throw DownloadRefusal(item, what)
        }
        try await publisher.publish(file, length: length, item, said: try await described(item, said))
    }

    // The received version is accepted once the provider describes the item with it. Otherwise it is another document's
    // content, or the document changed while it was read.
    private func described(_ item: RemoteItem, _ said: ItemDescription?) async throws -> ItemDescription {
        guard let said, !said.version.isSame(as: item.description.version) else { return said ?? item.description }
        let now = try await catalog.ask(item.key)
        guard now.description.version.isSame(as: said.version) else {
            throw DownloadRefusal(
                item, "the content received does not belong to the document's current version", isLasting: false)
        }
        return now.description
    }
}
