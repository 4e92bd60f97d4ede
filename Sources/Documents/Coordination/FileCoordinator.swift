import Synchronization

/// Takes turns with all other programs that read and write the same documents, asks those who present them to let go first, and
/// tells them afterwards (H1 to H9, SEMANTICS 2).
///
/// One coordinator is for one operation: claims of one instance never wait for each other. Thread-safe.
///
/// ```swift
/// let coordinator = FileCoordinator(client: client)
/// let text = try await coordinator.coordinate(readingItemAt: reference) { access in
///     try read(access.descriptor)
/// }
/// ```
public final class FileCoordinator: Sendable {
    private struct State {
        var purpose: String?
        var deadline: Duration?
        var isUsed = false
        var isCancelled = false
        var waiting: [ObjectIdentifier: ClaimCancellation] = [:]
    }

    /// The session whose grants are used.
    public let client: DocumentsClient
    private let presenter: (any FilePresenter)?
    private let ownPurpose = ClaimName.make()
    private let state = Mutex(State())

    /// A coordinator for one operation.
    ///
    /// - Parameters:
    ///   - client: the session that the accesses belong to.
    ///   - filePresenter: on whose behalf: it is neither asked nor told of what this coordinator does. Coordinators
    ///     with the same presenter never wait for each other.
    public init(client: DocumentsClient, filePresenter: (any FilePresenter)? = nil) {
        self.client = client
        presenter = filePresenter
    }

    // MARK: Properties

    /// Claims with the same purpose never wait for each other, also in different processes (2.7). Unlike all others unless set;
    /// coordinators with the same presenter have the same one.
    public var purposeIdentifier: String {
        if let set = state.withLock({ $0.purpose }) { return set }
        return registration?.purpose ?? ownPurpose
    }

    /// States the purpose: once, before the first access, and not with a presenter.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` otherwise, or for an empty one.
    public func setPurposeIdentifier(_ purpose: String) throws(DocumentsError) {
        let isSet = state.withLock { state in
            guard presenter == nil, state.purpose == nil, !state.isUsed, !purpose.isEmpty else { return false }
            state.purpose = purpose
            return true
        }
        guard isSet else {
            throw DocumentsError(
                .invalidArgument, "The purpose of this coordinator cannot be set to \"\(purpose)\".",
                suggestion: "Set one that is not empty, once, before the first access, without a presenter.")
        }
    }

    /// How long an access may wait at most; then it fails with `deadlineExceeded`, which names who is waited for. Nil, the default,
    /// for five minutes, in which the time is not counted that its content takes to be fetched.
    public var deadline: Duration? {
        get { state.withLock { $0.deadline } }
        set { state.withLock { $0.deadline = newValue } }
    }

    /// Ends what waits, with `cancelled`, and every later access of this coordinator; its accessor is not called. An accessor that
    /// runs goes on (2.8). From any thread; returns at once.
    public func cancel() {
        let waiting = state.withLock { state in
            state.isCancelled = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for cancellation in waiting { cancellation.cancel() }
    }

    // MARK: Claims

    private var registration: PresenterRegistration? { presenter.map { client.registration(of: $0) } }

    /// What is asked for now, for some intents.
    ///
    /// - Throws: ``DocumentsError``: `cancelled`, `invalidArgument` for misuse (2.9). Nothing was sent then.
    func query(_ intents: [FileAccessIntent], blocks: Bool) throws(DocumentsError) -> ClaimQuery {
        let context = CoordinationContext.current
        try context.check(intents, by: self)
        let registration = registration
        let (isCancelled, purpose, deadline) = state.withLock { state in
            state.isUsed = true
            return (state.isCancelled, state.purpose, state.deadline)
        }
        guard !isCancelled else { throw ClaimCancellation.error }
        var query = ClaimQuery(intents: intents)
        query.registration = registration
        query.purpose = purpose ?? registration?.purpose ?? ownPurpose
        query.within = context.within(client)
        query.answering = context.answering(client)
        query.thread = blocks && PresenterThread.isMain ? PresenterThread.main.name : nil
        query.opens = intents.first?.readsContent ?? false
        query.deadline = deadline.map { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 }
        return query
    }

    /// Has ``cancel()`` end a wait.
    func begin() throws(DocumentsError) -> ClaimCancellation {
        let cancellation = ClaimCancellation()
        let isCancelled = state.withLock { state in
            state.waiting[ObjectIdentifier(cancellation)] = cancellation
            return state.isCancelled
        }
        if isCancelled { throw ClaimCancellation.error }
        return cancellation
    }

    /// The wait is over.
    func end(_ cancellation: ClaimCancellation) {
        state.withLock { $0.waiting[ObjectIdentifier(cancellation)] = nil }
    }

    /// An access on behalf of the presenter is over: what it presents may be there now.
    func refreshPresenter() { registration?.refresh() }
}
