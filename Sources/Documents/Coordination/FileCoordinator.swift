import Synchronization

/// Coordinates access with all other programs that read and write the same documents. Presenters of a document are
/// asked to relinquish it before an access, and notified afterwards.
///
/// Use one coordinator for one operation: claims of the same instance never wait for each other. Thread-safe.
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

    /// Creates a coordinator for one operation.
    ///
    /// - Parameters:
    ///   - client: the session that the accesses belong to.
    ///   - filePresenter: the presenter on whose behalf it works, which is neither asked nor notified of its accesses.
    ///     Coordinators with the same presenter never wait for each other.
    public init(client: DocumentsClient, filePresenter: (any FilePresenter)? = nil) {
        self.client = client
        presenter = filePresenter
    }

    // MARK: Properties

    /// Claims with the same purpose never wait for each other, even in different processes. The default is unique;
    /// coordinators with the same presenter share one.
    public var purposeIdentifier: String {
        if let set = state.withLock({ $0.purpose }) { return set }
        return registration?.purpose ?? ownPurpose
    }

    /// Sets the purpose. Possible only once, before the first access, and without a presenter.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` in any other case, or for an empty purpose.
    public func setPurposeIdentifier(_ purpose: String) throws(DocumentsError) {
        let isSet = state.withLock { state in
            guard presenter == nil, state.purpose == nil, !state.isUsed, !purpose.isEmpty else { return false }
            state.purpose = purpose
            return true
        }
        guard isSet else {
            throw DocumentsError(
                .invalidArgument, "The purpose of this coordinator cannot be set to \"\(purpose)\".",
                suggestion: "Set a non-empty purpose once, before the first access, and without a presenter.")
        }
    }

    /// The longest time that an access may wait; after that it fails with `deadlineExceeded`, and the message says who
    /// it waited for. Nil, the default, means five minutes, not counting the time to fetch the content.
    public var deadline: Duration? {
        get { state.withLock { $0.deadline } }
        set { state.withLock { $0.deadline = newValue } }
    }

    /// Ends waiting accesses and every later access of this coordinator with `cancelled`; their accessors are not
    /// called. An accessor that is running continues. May be called from any thread; returns at once.
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

    /// The claim to ask for, for some intents.
    ///
    /// - Throws: ``DocumentsError``: `cancelled`, or `invalidArgument` for misuse. Nothing was sent in either case.
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

    /// Registers a wait that ``cancel()`` can end.
    func begin() throws(DocumentsError) -> ClaimCancellation {
        let cancellation = ClaimCancellation()
        let isCancelled = state.withLock { state in
            state.waiting[ObjectIdentifier(cancellation)] = cancellation
            return state.isCancelled
        }
        if isCancelled { throw ClaimCancellation.error }
        return cancellation
    }

    /// Removes a wait that is over.
    func end(_ cancellation: ClaimCancellation) {
        state.withLock { $0.waiting[ObjectIdentifier(cancellation)] = nil }
    }

    /// Called when an access on behalf of the presenter has ended, because its item may exist now.
    func refreshPresenter() { registration?.refresh() }
}
