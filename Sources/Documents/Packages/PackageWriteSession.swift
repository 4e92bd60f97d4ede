import DocentInterfaces
public import FoundationEssentials
import Synchronization
import Varlink

/// One change of a package in the making: what is staged replaces the package as a whole, or not at all (W0, M4).
///
/// The new package begins as a copy of what is there, or empty when replacing; only what is different needs to be staged, and
/// only that is transferred (N3). Thread-safe.
public final class PackageWriteSession: Sendable, ClaimedSession {
    /// Names the change in ``DocumentsClient/outcome(of:)``, also after a lost reply.
    public let operation: String
    /// The package; of a new one, the folder that it is made in.
    public let reference: DocumentReference
    /// The version that the change starts from.
    public let baseVersion: String?
    /// What the package consists of before anything is staged; nothing when replacing.
    public let elements: [PackageElement]

    private struct State {
        var isOpen = true
        var afterCommit: [@Sendable (DocumentItem) -> Void] = []
    }

    let client: DocumentsClient
    /// Whether it makes a package; ``reference`` is then that of the folder.
    let isNew: Bool
    // Weak, for the claim knows it too.
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
    ///   - replacing: start with nothing instead of what is there.
    ///   - claim: the writing claim that covers it, and the number of the package in it; without one, a claim is taken for the
    ///     moment of publishing.
    ///   - claimName: that claim's name.
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

    /// Starts making a package in a folder to which the client has the right, never replacing anything.
    ///
    /// - Parameters:
    ///   - name: its name there, with the extension of a package type.
    ///   - folder: the folder that it goes into.
    ///   - contentType: its uniform type, where the name does not tell.
    ///   - client: the session that has the right to the folder.
    /// - Throws: ``DocumentsError``: `conflict` when the name is taken, `invalidArgument` for a name of no package.
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

    /// Whether neither ``commit()`` nor ``abandon()`` was called yet.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    // MARK: Staging

    /// Stages new content of the element at a path; folders on the way are made.
    ///
    /// - Parameters:
    ///   - descriptor: a regular file open for reading, borrowed; it is copied from its start before this returns.
    ///   - path: its path in the package.
    public func write(contentsOf descriptor: CInt, at path: String) async throws(DocumentsError) {
        try await write(try ElementContent.reopen(descriptor), at: path)
    }

    /// Stages new content of the element at a path; folders on the way are made.
    public func write(_ contents: Data, at path: String) async throws(DocumentsError) {
        try await write(try ElementContent.data(contents).open(), at: path)
    }

    func write(_ file: consuming OwnedDescriptor, at path: String) async throws(DocumentsError) {
        try await stage(path, descriptors: DescriptorList(file)) { $0.file = 0 }
    }

    /// Makes a folder; folders on the way are made too.
    public func makeFolder(at path: String) async throws(DocumentsError) { try await stage(path) { $0.folder = true } }

    /// Removes what is at a path, a folder with all that is in it.
    public func remove(at path: String) async throws(DocumentsError) { try await stage(path) { $0.removed = true } }

    /// Takes an element over from the package as it was, unchanged, to a path of the new one.
    ///
    /// - Parameters:
    ///   - base: the element's path in ``elements``.
    ///   - path: its path in the package.
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
    /// It goes on with another daemon when the one that began it has died (D3).
    ///
    /// - Returns: the package as it now is.
    /// - Throws: ``DocumentsError``. `conflict` when it changed meanwhile; nothing is lost, both contents are kept. `claimLost`
    ///   when somebody else changed it while the claim was lost with a daemon; nothing was published then.
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

    /// The package, where the change is durable although its commit was answered with an error: the first reply was lost with
    /// its daemon, and what failed is the second call.
    private func committed(after error: DocumentsError) async -> DocumentItem? {
        guard [.notFound, .unavailable, .failed].contains(error.code), !Task.isCancelled,
            let outcome = try? await client.outcome(of: operation),
            outcome.state == .committed || outcome.state == .finished, let reference = outcome.reference
        else { return nil }
        return try? await client.document(reference).item()
    }

    /// Drops the change.
    public func abandon() async throws(DocumentsError) {
        state.withLock { state in
            state.isOpen = false
            state.afterCommit = []
        }
        _ = try await client.call(DocumentsInterface.AbandonWrite.self, .init(operation: operation))
    }

    /// Has something done once the change is durable.
    func afterCommit(_ handler: @escaping @Sendable (DocumentItem) -> Void) {
        state.withLock { $0.afterCommit.append(handler) }
    }
}
