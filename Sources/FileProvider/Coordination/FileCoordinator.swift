import DocentInterfaces
public import FoundationEssentials
import Synchronization

/// Reads and writes of a provider or a picker, coordinated with those of everybody else (H1): a writer waits for readers and writers of the
/// same item, and those who show it are told.
///
/// Whatever the SDK's methods are called for is coordinated already: who calls ``FileProviderExtension/startProvidingItem(at:)`` waits for it
/// with a claim on that item. A provider that coordinates on its own files therefore sets ``setPurposeIdentifier(_:)`` to its
/// ``FileProviderExtension/providerIdentifier`` first (H3). Without that it would wait for the reader who waits for it; the host sees that and
/// answers ``FileProviderError/Code/deadlock`` with the whole cycle (2.9).
///
/// The same purpose means that claims do not exclude each other, not even two of this process (2.7, complaint 7): tasks of
/// a provider that share a purpose need a lock of their own where they change the same file.
///
/// An extension can claim the items of its own provider. Its claims end with its process. Safe to use from any task.
public final class FileCoordinator: Sendable {
    private struct Purpose {
        var identifier = UUID().uuidString
        var isSet = false
    }

    /// How long a wish may wait, 30 seconds unless set. The host's own patience with a call that tells no progress is longer.
    public let deadline: Duration

    private let domain: String
    private let claims: ClaimHub
    private let identify: @Sendable (URL) async -> ItemIdentifier?
    private let purpose = Mutex(Purpose())

    init(
        domain: String, claims: ClaimHub, deadline: Duration,
        identify: @escaping @Sendable (URL) async -> ItemIdentifier?
    ) {
        self.domain = domain
        self.claims = claims
        self.deadline = deadline
        self.identify = identify
    }

    /// A coordinator for the items of a ``ReplicatedFileProvider``'s domain.
    public convenience init(host: FileProviderHost, deadline: Duration = .seconds(30)) {
        self.init(domain: host.domain, claims: host.claims, deadline: deadline) { _ in nil }
    }

    /// A coordinator for the documents of a provider, by URL or identifier.
    @ExtensionActor
    public convenience init(for provider: FileProviderExtension, deadline: Duration = .seconds(30)) {
        let host = provider.context.host
        self.init(domain: host.domain, claims: host.claims, deadline: deadline) { url in
            await provider.persistentIdentifierForItem(at: url).map(ItemIdentifier.init(rawValue:))
        }
    }

    /// What the claims are for: two of the same purpose never wait for each other, also between processes (2.7). One that nobody else has
    /// unless set.
    public var purposeIdentifier: String { purpose.withLock { $0.identifier } }

    /// Sets the purpose, usually to ``FileProviderExtension/providerIdentifier`` (H3).
    ///
    /// - Throws: ``FileProviderError`` for an empty purpose, and when it was set before.
    public func setPurposeIdentifier(_ identifier: String) throws {
        guard !identifier.isEmpty, identifier.utf8.count <= 256 else {
            throw FileProviderError(.invalidArgument, "The purpose of a coordinator has 1 to 256 bytes.")
        }
        try purpose.withLock { purpose in
            guard !purpose.isSet else {
                throw FileProviderError(.invalidArgument, "The purpose of a coordinator can be set only once.")
            }
            purpose = Purpose(identifier: identifier, isSet: true)
        }
    }

    /// Runs `accessor` while nobody else writes the item.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws.
    public func coordinate<Result>(
        readingItem item: ItemIdentifier, options: ReadingOptions = [], _ accessor: () async throws -> Result
    ) async throws -> Result {
        try await coordinate(with: [.reading(item, options: options)], accessor)
    }

    /// Runs `accessor` while nobody else reads or writes the item.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws.
    public func coordinate<Result>(
        writingItem item: ItemIdentifier, options: WritingOptions = [], _ accessor: () async throws -> Result
    ) async throws -> Result {
        try await coordinate(with: [.writing(item, options: options)], accessor)
    }

    /// Runs `accessor` while nobody else writes the document.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws; `invalidArgument` for a URL that is none of the provider's.
    public func coordinate<Result>(
        readingItemAt url: URL, options: ReadingOptions = [], _ accessor: (URL) async throws -> Result
    ) async throws -> Result {
        let item = try await identifier(of: url)
        return try await coordinate(with: [.reading(item, options: options)]) { try await accessor(url) }
    }

    /// Runs `accessor` while nobody else reads or writes the document.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws; `invalidArgument` for a URL that is none of the provider's.
    public func coordinate<Result>(
        writingItemAt url: URL, options: WritingOptions = [], _ accessor: (URL) async throws -> Result
    ) async throws -> Result {
        let item = try await identifier(of: url)
        return try await coordinate(with: [.writing(item, options: options)]) { try await accessor(url) }
    }

    /// Runs `accessor` with several accesses, asked for together: so they cannot end in a deadlock with others who do the same (2.9). The claim
    /// ends when `accessor` returns or throws; what goes on after that is not protected.
    ///
    /// - Throws: What `accessor` throws; `CancellationError`, and then `accessor` is not run. ``FileProviderError`` when the
    ///   claim is not granted: ``FileProviderError/Code/deadlock``, ``FileProviderError/Code/busy`` after the ``deadline``,
    ///   ``FileProviderError/Code/noSuchItem``, and what somebody who shows the item said who could not save.
    public func coordinate<Result>(
        with intents: [FileAccessIntent], _ accessor: () async throws -> Result
    ) async throws -> Result {
        guard !intents.isEmpty, intents.count <= 64 else {
            throw FileProviderError(.invalidArgument, "A claim is for 1 to 64 items.")
        }
        try Task.checkCancellation()
        let name = try await claims.acquire(
            ClaimHub.Message(
                kind: "request", claim: "", domain: domain.isEmpty ? nil : domain,
                accesses: intents.map {
                    Wire.ProviderAccess(
                        identifier: $0.item.rawValue, writing: $0.isWriting,
                        options: $0.options.isEmpty ? nil : $0.options)
                }, purpose: purposeIdentifier, within: HostCall.current?.text,
                enclosing: HostCall.claims.isEmpty ? nil : HostCall.claims), deadline: deadline)
        defer { claims.release(name) }
        return try await HostCall.$claims.withValue(HostCall.claims + [name]) { try await accessor() }
    }

    private func identifier(of url: URL) async throws -> ItemIdentifier {
        guard let identifier = await identify(url) else {
            throw FileProviderError(
                .invalidArgument, "\(url.absoluteString) is no document of this provider; give its identifier instead.")
        }
        return identifier
    }
}
