package import DocentInterfaces
import ExtensionHosting
import FoundationEssentials
import HostCore
import Records
package import Rights
package import Storage
import Synchronization
import Varlink

/// The earlier contents of documents that their providers have, with the feature `versions`. What a provider says about
/// them is checked. Content is fetched only when somebody opens it. The caller has checked the client's right.
package final class ProviderHistory: Sendable {
    /// The most versions of a document that a provider may have.
    package static let mostVersions = 20_000
    /// How many contents a client may fetch at once.
    package static let mostFetches = 4
    /// The bytes of the disk that are left free for everybody else.
    private static let minimumFree: UInt64 = 64 << 20
    private static let mostKnown = 64
    /// How long a list is used for the pages after the first, and to open a version of it.
    private static let validity: Duration = .seconds(60)
    private static let watchPause: Duration = .milliseconds(200)

    private struct Known {
        let versions: [EarlierContent]
        let read: ContinuousClock.Instant
    }

    private struct State {
        var known: [ItemKey: Known] = [:]
        var fetches: [Principal: Int] = [:]
    }

    private let gateway: DocumentGateway
    private let parts: RemoteParts
    private let catalog: RemoteCatalog
    private let layout: StorageLayout
    private let worker: BlockingWorker
    private let state = Mutex(State())

    package init(
        gateway: DocumentGateway, parts: RemoteParts, catalog: RemoteCatalog, layout: StorageLayout,
        worker: BlockingWorker
    ) {
        self.gateway = gateway
        self.parts = parts
        self.catalog = catalog
        self.layout = layout
        self.worker = worker
    }

    // MARK: Lists

    /// The earlier contents of a document, newest first.
    ///
    /// - Parameter isFresh: whether the provider is asked even if it was asked a moment ago.
    /// - Returns: nil if there is no history: the provider has none at all or not for this document, or does not know
    ///   the document yet.
    /// - Throws: ``Failure`` when the provider cannot be asked, or returns nothing that can be used.
    package func versions(of given: ItemKey, isFresh: Bool) async throws -> [EarlierContent]? {
        let key = try await parts.current(given)
        guard !RemotePublisher.isProvisional(key.identifier), try await features(key).contains("versions") else {
            return nil
        }
        if !isFresh, let known = state.withLock({ $0.known[key] }), .now - known.read < Self.validity {
            return known.versions
        }
        do {
            let versions = EarlierContent.usable(try await list(key))
            state.withLock { state in
                if state.known.count >= Self.mostKnown { state.known = [:] }
                state.known[key] = Known(versions: versions, read: .now)
            }
            return versions
        } catch let failure as Failure where failure.kind == .unsupported {
            return nil
        }
    }

    private func list(_ key: ItemKey) async throws -> [Wire.EarlierVersion] {
        var said: [Wire.EarlierVersion] = []
        var limits = PageSequence.Limits()
        limits.items = Self.mostVersions
        var pages = PageSequence(provider: key.provider, folder: "history of \(key.identifier)", limits: limits)
        var token: String?
        repeat {
            try Task.checkCancellation()
            let reply = try await call(
                FileProviderInterface.ListVersions.self,
                .init(domain: key.domain, identifier: key.identifier, page: token), of: key)
            said += reply.versions
            token = try pages.next(
                reply.nextPage, items: reply.versions.count,
                bytes: reply.versions.reduce(0) { $0 + $1.identifier.utf8.count + ($1.savedBy?.utf8.count ?? 0) })
        } while token != nil
        return said
    }

    /// The version with a name that clients use; nil if there is none.
    package func version(_ name: String, of key: ItemKey) async throws -> EarlierContent? {
        guard name.hasPrefix(EarlierContent.prefix) else { return nil }
        if let known = try await versions(of: key, isFresh: false)?.first(where: { $0.name == name }) { return known }
        return try await versions(of: key, isFresh: true)?.first { $0.name == name }
    }

    private func forget(_ key: ItemKey) { state.withLock { $0.known[key] = nil } }

    // MARK: Contents

    /// Fetches a content into a file without a name.
    ///
    /// - Parameters:
    ///   - principal: who asks for it.
    ///   - progress: receives the bytes so far, and how many there will be, if known.
    /// - Returns: the file, for reading.
    /// - Throws: ``Failure``: `NotFound` if the content is gone; `NotSupported` if the provider can only restore it;
    ///   `Busy` if the client fetches too many at once; `ProviderFailed` if it is not as long as it should be.
    package func fetch(
        _ version: EarlierContent, of given: ItemKey, for principal: Principal,
        progress: @escaping @Sendable (Int, Int?) -> Void = { _, _ in }
    ) async throws -> OpenDescriptor {
        let key = try await parts.current(given)
        try begin(principal)
        defer { end(principal) }
        let file = try await worker.run { [layout] _ in
            let name = try FileName("version-" + String(UInt64.random(in: .min ... .max), radix: 36))
            let file = try PartialFile.create(name, in: try Directory(path: layout.downloadsDirectory))
            do {
                try file.reserve(UInt64(version.size ?? 0))
                return file
            } catch {
                try? file.remove()
                throw error
            }
        }
        do {
            let completed = try await filling(file, version, key, progress)
            return try await worker.run { cancellation in
                // A provider that still has the file open keeps what it has; the reader gets a copy.
                let sealed = try file.seal(cancellation: cancellation)
                try file.remove()
                guard sealed.status.size == UInt64(clamping: version.size ?? completed),
                    sealed.status.size == UInt64(clamping: completed)
                else { throw Self.wrongLength(key, version, Int(clamping: sealed.status.size)) }
                return sealed.file
            }
        } catch {
            // In a task of its own: this one may be cancelled.
            await Task { [worker] in try? await worker.run { _ in try file.remove() } }.value
            if let failure = error as? Failure, failure.kind == .missing || failure.kind == .unknownItem {
                forget(key)
                throw Failure(
                    .notFound, "\(key.provider) no longer has the content of this version.",
                    suggestion: "`docent history` lists the other versions.", provider: key.provider,
                    causes: failure.causes)
            }
            throw error
        }
    }

    /// - Returns: how many bytes the provider says that it has written.
    private func filling(
        _ file: PartialFile, _ version: EarlierContent, _ key: ItemKey,
        _ progress: @escaping @Sendable (Int, Int?) -> Void
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                try await self.callWithProgress(
                    FileProviderInterface.FetchVersion.self,
                    .init(
                        domain: key.domain, identifier: key.identifier, version: version.identifier, destination: 0),
                    of: key,
                    descriptors: {
                        guard let number = try file.makeDestination().take() else { return DescriptorList() }
                        return DescriptorList(OwnedDescriptor(number))
                    }
                ) { reply in progress(reply.completedBytes, version.size ?? reply.totalBytes) }.completedBytes
            }
            group.addTask { [worker] in
                while true {
                    try await Task.sleep(for: Self.watchPause)
                    let size = try await worker.run { _ in
                        try file.requireAvailable(keeping: Self.minimumFree)
                        return try file.size
                    }
                    if let expected = version.size, size > UInt64(expected) {
                        throw Self.wrongLength(key, version, Int(clamping: size))
                    }
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? 0
        }
    }

    private static func wrongLength(_ key: ItemKey, _ version: EarlierContent, _ length: Int) -> Failure {
        let expected = version.size.map { "\($0)" } ?? "another number of"
        return Failure(
            .providerFailed, "\(key.provider) delivered \(length) bytes of a version that has \(expected) bytes.",
            suggestion: "Try again. If it happens again, report it to the authors of \(key.provider).",
            provider: key.provider)
    }

    private func begin(_ principal: Principal) throws(Failure) {
        try state.withLock { state throws(Failure) in
            guard state.fetches[principal, default: 0] < Self.mostFetches else {
                throw Failure(
                    .busy, "This client fetches \(Self.mostFetches) versions already.",
                    suggestion: "Wait until one of them has arrived.")
            }
            state.fetches[principal, default: 0] += 1
        }
    }

    private func end(_ principal: Principal) {
        state.withLock { state in
            state.fetches[principal, default: 1] -= 1
            if state.fetches[principal] == 0 { state.fetches[principal] = nil }
        }
    }

    // MARK: Restoring

    /// Lets the provider make a version the content of its document, for one that cannot deliver it. The caller holds a
    /// writing claim.
    ///
    /// - Parameters:
    ///   - base: the version of the document that may be replaced.
    ///   - operation: names the change to the provider, so that it can be repeated.
    /// - Throws: ``Failure``: `Conflict` if the document has changes that were not sent, or was changed elsewhere.
    package func revert(
        _ given: ItemKey, to version: EarlierContent, base: String?, operation: String
    ) async throws -> Wire.Item {
        let key = try await parts.current(given)
        guard !parts.states.contains(key) else {
            throw Failure(
                .conflict, "The document has changes that are not sent yet.",
                suggestion: "Wait until they are: `docent transfers`.", provider: key.provider)
        }
        let said = try await call(
            FileProviderInterface.RestoreVersion.self,
            .init(
                domain: key.domain, identifier: key.identifier, version: version.identifier, baseVersion: base,
                operation: operation), of: key
        ).item
        forget(key)
        if let problem = ItemDescription.problem(said, isChild: true) {
            throw Self.broken(key, "returned an invalid item: \(problem)")
        }
        guard said.identifier.isSame(as: key.identifier) else {
            throw Self.broken(key, "restored a version of another document than it was asked to")
        }
        if try await gateway.isRemote(key.provider) {
            _ = try await catalog.take(said, as: ItemDescription(said, in: said.parent), key, isChild: true)
        }
        parts.changes.contentChanged(key)
        return try await gateway.item(key)
    }

    private static func broken(_ key: ItemKey, _ what: String) -> Failure {
        Failure(
            .providerFailed, "\(key.provider) \(what).", suggestion: "Report this to its authors.",
            provider: key.provider)
    }

    // MARK: Providers

    private func features(_ key: ItemKey) async throws -> Set<String> {
        try gateway.requireOpen(key)
        if try await gateway.isRemote(key.provider) { return try await parts.access.features(key.provider) }
        return try await gateway.fileProvider(key.provider).1.features
    }

    private func call<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of key: ItemKey
    ) async throws -> Method.Reply {
        if try await gateway.isRemote(key.provider) {
            return try await parts.access.call(method, parameters, provider: key.provider, domain: key.domain)
        }
        return try await gateway.fileProvider(key.provider).1.call(method, parameters).value
    }

    private func callWithProgress<Method: InterfaceMethod>(
        _ method: Method.Type, _ parameters: Method.Parameters, of key: ItemKey,
        descriptors: () throws -> DescriptorList, _ progress: (Method.Reply) -> Void
    ) async throws -> Method.Reply {
        if try await gateway.isRemote(key.provider) {
            return try await parts.access.callWithProgress(
                method, parameters, provider: key.provider, domain: key.domain, descriptors: descriptors, progress)
        }
        let (_, connection) = try await gateway.fileProvider(key.provider)
        return try await connection.callWithProgress(method, parameters, descriptors: try descriptors()) { reply in
            progress(reply)
        }.value
    }
}
