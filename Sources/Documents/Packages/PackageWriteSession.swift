import DocentInterfaces
public import FoundationEssentials
import Synchronization
import Varlink

/// A change of a package in progress: the staged elements replace the package as a whole, or not at all.
///
/// The new package starts as a copy of the current one, or empty when replacing. Only differences need to be staged,
/// and only they are transferred. Thread-safe.
public final class PackageWriteSession: Sendable, ClaimedSession {
    /// Identifies the change for ``DocumentsClient/outcome(of:)``, even after a lost reply.
    public let operation: String
    /// The package, or the folder of a new package.
    public let reference: DocumentReference
    /// The version that the change starts from.
    public let baseVersion: String?
    /// The elements before anything is staged; empty when replacing.
    public let elements: [PackageElement]

    private struct State {
        var isOpen = true
        var afterCommit: [@Sendable (DocumentItem) -> Void] = []
    }

    let client: DocumentsClient
    /// Whether it creates a package; ``reference`` is then the folder's.
    let isNew: Bool
    // Weak, because the claim refers to the session.
    private weak let claim: HeldClaim?
    private let claimName: String?
    private let index: Int
    private let state = Mutex(State())

    private init(
        operation: String, reference: DocumentReference, claim: (held: HeldClaim, index: Int)?, name: String?,
        client: DocumentsClient, begun: DocumentsInterface.BeginPackage.Reply, isNew: Bool = false
    ) {
        self.isNew = isNew
        self.operation = operation
        self.reference = reference
        self.claim = claim?.held
        claimName = name
        index = claim?.index ?? 0
        self.client = client
        baseVersion = begun.baseVersion
        elements = begun.elements.map(PackageElement.init)
    }

    /// Starts writing a granted package.
    ///
    /// - Parameters:
    ///   - replacing: whether to start with an empty package instead of the current one.
    ///   - claim: the writing claim that covers the package, and the package's index in it. Without one, a claim is
    ///     made for the moment of publishing.
    ///   - claimName: the claim's name.
    static func begin(
        _ reference: DocumentReference, replacing: Bool, claim: (held: HeldClaim, index: Int)? = nil,
        claimName: String? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> PackageWriteSession {
        let operation = OperationIdentifier.make()
        let name = claim?.held.operation ?? claimName
        let reply = try await client.call(
            DocumentsInterface.BeginPackage.self,
            .init(reference: reference.wire, replacing: replacing, operation: operation, claim: name),
            attempts: WriteSession.attempts
        ).value
        return PackageWriteSession(
            operation: operation, reference: reference, claim: claim, name: name, client: client, begun: reply)
    }

    /// Starts creating a package in a folder that the client has a right to. Nothing is ever replaced.
    ///
    /// - Parameters:
    ///   - name: its name in the folder, with the extension of a package type.
    ///   - folder: the folder for the package.
    ///   - contentType: its uniform type, when the name does not determine it.
    ///   - client: the session that has the right to the folder.
    /// - Throws: ``DocumentsError``: `conflict` when the name is taken, `invalidArgument` when the name is not that of
    ///   a package.
    public static func create(
        _ name: String, in folder: DocumentReference, contentType: String? = nil, client: DocumentsClient
    ) async throws(DocumentsError) -> PackageWriteSession {
        let operation = OperationIdentifier.make()
        let reply = try await client.call(
            DocumentsInterface.BeginPackage.self,
            .init(
                reference: folder.wire, replacing: false, operation: operation, name: name, contentType: contentType),
            attempts: WriteSession.attempts
        ).value
        return PackageWriteSession(
            operation: operation, reference: folder, claim: nil, name: nil, client: client, begun: reply, isNew: true)
    }

    /// Whether neither ``commit()`` nor ``abandon()`` has been called.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    // MARK: Staging

    /// Stages new content for the element at a path, creating the folders above it.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file open for reading; borrowed. It is copied from its start before this returns.
    ///   - path: the element's path in the package.
    public func write(contentsOf descriptor: CInt, at path: String) async throws(DocumentsError) {
        try await write(try ElementContent.reopen(descriptor), at: path)
    }

    /// Stages new content for the element at a path, creating the folders above it.
    public func write(_ contents: Data, at path: String) async throws(DocumentsError) {
        try await write(try ElementContent.data(contents).open(), at: path)
    }

    func write(_ file: consuming OwnedDescriptor, at path: String) async throws(DocumentsError) {
        try await stage(path, descriptors: DescriptorList(file)) { $0.file = 0 }
    }

    /// Creates a folder, and the folders above it.
    public func makeFolder(at path: String) async throws(DocumentsError) { try await stage(path) { $0.folder = true } }

    /// Removes the element at a path; a folder with everything in it.
    public func remove(at path: String) async throws(DocumentsError) { try await stage(path) { $0.removed = true } }

    /// Uses an unchanged element of the previous package at a path of the new one.
    ///
    /// - Parameters:
    ///   - base: the element's path in ``elements``.
    ///   - path: its path in the new package.
    public func keep(elementAt base: String, at path: String) async throws(DocumentsError) {
        try await stage(path) { $0.from = base }
    }

    private func stage(
        _ path: String, descriptors: DescriptorList = DescriptorList(),
        _ change: (inout DocumentsInterface.StageElement.Parameters) -> Void
    ) async throws(DocumentsError) {
        _ = try ElementName.components(of: path)
        var parameters = DocumentsInterface.StageElement.Parameters(operation: operation, path: path)
        change(&parameters)
        _ = try await client.call(
            DocumentsInterface.StageElement.self, parameters, descriptors: descriptors, attempts: WriteSession.attempts)
    }

    // MARK: The end

    /// Publishes what was staged. When it returns, the change is durable.
    ///
    /// If the daemon has died, the commit continues with a new one.
    ///
    /// - Returns: the package as it is now.
    /// - Throws: ``DocumentsError``. `conflict` when the package changed meanwhile: nothing is lost, both contents are
    ///   kept. `claimLost` when someone else changed it while the claim was lost with the daemon: nothing was
    ///   published.
    @discardableResult
    public func commit() async throws(DocumentsError) -> DocumentItem {
        state.withLock { $0.isOpen = false }
        do throws(DocumentsError) {
            return try await publish()
        } catch {
            guard error.code == .claimLost, let claim, claim.isLost else { throw error }
            try await BlockingWork.value { () throws(DocumentsError) in try claim.recoverBlocking() }
            return try await publish()
        }
    }

    private func publish() async throws(DocumentsError) -> DocumentItem {
        let item: DocumentItem
        do throws(DocumentsError) {
            item = DocumentItem(
                try await client.call(
                    DocumentsInterface.CommitWrite.self, .init(operation: operation, claim: claimName),
                    attempts: WriteSession.attempts
                ).value.item)
        } catch {
            guard let committed = await committed(after: error) else { throw error }
            item = committed
        }
        claim?.note(item, at: index)
        let handlers = state.withLock { state in
            defer { state.afterCommit = [] }
            return state.afterCommit
        }
        for handler in handlers { handler(item) }
        return item
    }

    /// The package, if the change is durable although the commit ended with an error: the first reply was lost with its
    /// daemon, and it was the second call that failed.
    private func committed(after error: DocumentsError) async -> DocumentItem? {
        guard [.notFound, .unavailable, .failed].contains(error.code), !Task.isCancelled,
            let outcome = try? await client.outcome(of: operation),
            outcome.state == .committed || outcome.state == .finished, let reference = outcome.reference
        else { return nil }
        return try? await client.document(reference).item()
    }

    /// Discards the change.
    public func abandon() async throws(DocumentsError) {
        state.withLock { state in
            state.isOpen = false
            state.afterCommit = []
        }
        _ = try await client.call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    /// Adds a handler that runs once the change is durable.
    func afterCommit(_ handler: @escaping @Sendable (DocumentItem) -> Void) {
        state.withLock { $0.afterCommit.append(handler) }
    }
}
