import DocentInterfaces
public import FoundationEssentials
import Synchronization

/// Coordinates the reads and writes of a provider or a picker with those of all other processes: a writer waits for
/// readers and writers of the same item, and the item's presenters are informed.
///
/// The methods that the SDK calls are coordinated already: the client for which
/// ``FileProviderExtension/startProvidingItem(at:)`` is called holds a claim on that item while it waits. A provider
/// that coordinates access to its own files therefore first sets ``setPurposeIdentifier(_:)`` to its
/// ``FileProviderExtension/providerIdentifier``. Otherwise it would wait for the reader that waits for it; the host
/// detects that and answers ``FileProviderError/Code/deadlock`` with the whole cycle.
///
/// Claims with the same purpose do not exclude each other, not even within one process: tasks of a provider that share
/// a purpose need a lock of their own where they change the same file.
///
/// An extension can claim the items of its own provider. Its claims end with its process. Safe to use from any task.
public final class FileCoordinator: Sendable {
    private struct Purpose {
        var identifier = UUID().uuidString
        var isSet = false
    }

    /// How long a request may wait; 30 seconds by default. The host waits longer for a call that reports no progress.
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

    /// Creates a coordinator for the items of a ``ReplicatedFileProvider``'s domain.
    public convenience init(host: FileProviderHost, deadline: Duration = .seconds(30)) {
        self.init(domain: host.domain, claims: host.claims, deadline: deadline) { _ in nil }
    }

    /// Creates a coordinator for the documents of a provider, by URL or identifier.
    @ExtensionActor
    public convenience init(for provider: FileProviderExtension, deadline: Duration = .seconds(30)) {
        let host = provider.context.host
        self.init(domain: host.domain, claims: host.claims, deadline: deadline) { url in
            await provider.persistentIdentifierForItem(at: url).map(ItemIdentifier.init(rawValue:))
        }
    }

    /// The purpose of the claims: two claims with the same purpose never wait for each other, even between processes.
    /// By default it is unique to this coordinator.
    public var purposeIdentifier: String { purpose.withLock { $0.identifier } }

    /// Sets the purpose, usually to ``FileProviderExtension/providerIdentifier``.
    ///
    /// - Throws: ``FileProviderError`` for an empty purpose, and when it was set before.
    public func setPurposeIdentifier(_ identifier: String) throws {
        guard !identifier.isEmpty, identifier.utf8.count <= 256 else {
            throw FileProviderError(.invalidArgument, "The purpose of a coordinator must have 1 to 256 bytes.")
        }
        try purpose.withLock { purpose in
            guard !purpose.isSet else {
                throw FileProviderError(.invalidArgument, "The purpose of a coordinator can be set only once.")
            }
            purpose = Purpose(identifier: identifier, isSet: true)
        }
    }

    /// Runs `accessor` while no other process writes the item.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws.
    public func coordinate<Result>(
        readingItem item: ItemIdentifier, options: ReadingOptions = [], _ accessor: () async throws -> Result
    ) async throws -> Result {
        try await coordinate(with: [.reading(item, options: options)], accessor)
    }

    /// Runs `accessor` while no other process reads or writes the item.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws.
    public func coordinate<Result>(
        writingItem item: ItemIdentifier, options: WritingOptions = [], _ accessor: () async throws -> Result
    ) async throws -> Result {
        try await coordinate(with: [.writing(item, options: options)], accessor)
    }

    /// Runs `accessor` while no other process writes the document.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws; `invalidArgument` for a URL outside the provider.
    public func coordinate<Result>(
        readingItemAt url: URL, options: ReadingOptions = [], _ accessor: (URL) async throws -> Result
    ) async throws -> Result {
        let item = try await identifier(of: url)
        return try await coordinate(with: [.reading(item, options: options)]) { try await accessor(url) }
    }

    /// Runs `accessor` while no other process reads or writes the document.
    ///
    /// - Throws: What ``coordinate(with:_:)`` throws; `invalidArgument` for a URL outside the provider.
    public func coordinate<Result>(
        writingItemAt url: URL, options: WritingOptions = [], _ accessor: (URL) async throws -> Result
    ) async throws -> Result {
        let item = try await identifier(of: url)
        return try await coordinate(with: [.writing(item, options: options)]) { try await accessor(url) }
    }

    /// Runs `accessor` with several accesses that are requested together, so that they cannot deadlock with others that
    /// do the same. The claim ends when `accessor` returns or throws; work that continues after that is not protected.
    ///
    /// - Throws: What `accessor` throws; `CancellationError`, and then `accessor` is not run. ``FileProviderError``
    ///   when the claim is not granted: ``FileProviderError/Code/deadlock``, ``FileProviderError/Code/busy`` after the
    ///   ``deadline``, ``FileProviderError/Code/noSuchItem``, or the error of a presenter that could not save.
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
                .invalidArgument, "\(url.absoluteString) is not a document of this provider; use its identifier.")
        }
        return identifier
    }
}
