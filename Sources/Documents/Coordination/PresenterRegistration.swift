import DocentInterfaces
import Synchronization
import Varlink

/// The daemon's view of one of this program's presenters: a stream of messages on its own connection, each handled
/// after the previous one. After a restart it is opened again with the new daemon.
final class PresenterRegistration: Sendable {
    struct State {
        var isAdded = false
        var isRunning = false
        var isRemoved = false
        var isHandling = false
        var place: DocumentPlace?
        var connection: VarlinkConnection?
        /// The epoch of the daemon that has registered it.
        var epoch: Int?
        /// The version that was last reported to the presenter.
        var version: String?
        var adding: [CheckedContinuation<Result<Void, DocumentsError>, Never>] = []
        var removing: [CheckedContinuation<Void, Never>] = []
        var reacquirers: [(message: String, run: @Sendable () async -> Void)] = []
        var reacquiresAfterNext = false
    }

    weak let presenter: (any FilePresenter)?
    weak let client: DocumentsClient?
    /// Its name, which is also the purpose of its coordinators.
    let purpose = OperationIdentifier.make()
    private let state = Mutex(State())

    init(_ presenter: any FilePresenter, _ client: DocumentsClient) {
        self.presenter = presenter
        self.client = client
    }

    // MARK: For coordinators

    /// Its name, if the daemon of that epoch has registered it.
    func name(in epoch: Int) -> String? { state.withLock { $0.epoch == epoch ? purpose : nil } }

    var isAdded: Bool { state.withLock { $0.isAdded } }

    /// Records a version that the presenter itself produced, so that it is not notified of it.
    func note(_ item: DocumentItem) { state.withLock { $0.version = item.version } }

    /// Switches to the item that the presenter presents now, if it is another one.
    func refresh() {
        guard isAdded, let place = presenter?.presentedItem else { return }
        let (starts, stale) = state.withLock { state -> (Bool, VarlinkConnection?) in
            guard state.isAdded, !state.isRemoved else { return (false, nil) }
            guard state.isRunning else {
                state.isRunning = true
                return (true, nil)
            }
            return (false, state.place == place ? nil : state.connection)
        }
        if starts { start() }
        stale?.close()
    }

    // MARK: Adding and removing

    /// Adds the presenter; returns when the daemon has registered it.
    func add() async throws(DocumentsError) {
        let isNew = state.withLock { state in
            defer { state.isAdded = true }
            return !state.isAdded && !state.isRemoved
        }
        guard isNew, presenter?.presentedItem != nil else { return }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRemoved = state.withLock { state in
                    if !state.isRemoved {
                        state.adding.append(continuation)
                        state.isRunning = true
                    }
                    return state.isRemoved
                }
                if isRemoved { return continuation.resume(returning: .failure(ClaimCancellation.error)) }
                start()
            }
        } onCancel: {
            end()
        }
        try result.get()
    }

    /// Removes the presenter and waits for a running handler.
    func remove() async {
        end()
        let isInside = CoordinationContext.current.messages.contains { $0.registration === self }
        guard !isInside else { return }
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isHandling { state.removing.append(continuation) }
                return state.isHandling
            }
            if !waits { continuation.resume() }
        }
    }

    /// Removes the presenter at once.
    func end() {
        let (connection, adding) = state.withLock { state in
            state.isRemoved = true
            state.isAdded = false
            defer {
                state.adding = []
                state.connection = nil
            }
            return (state.connection, state.adding)
        }
        connection?.close()
        for continuation in adding { continuation.resume(returning: .failure(ClaimCancellation.error)) }
    }

    /// Whether the presenter was removed.
    var isRemoved: Bool { state.withLock { $0.isRemoved } }

    // MARK: The stream

    private func start() {
        Task { await run() }
    }

    private enum Ending {
        case again
        case over
    }

    private func run() async {
        var failures = 0
        while !isRemoved {
            let before = state.withLock { $0.epoch }
            guard await listen() == .again else { return }
            failures = state.withLock { $0.epoch } == before ? failures + 1 : 0
            if failures > 0 { try? await Task.sleep(for: .milliseconds(min(2000, 20 << min(failures, 7)))) }
        }
    }

    /// Presents until the stream ends.
    private func listen() async -> Ending {
        var opened: (connection: VarlinkConnection, epoch: Int)?
        do {
            guard let (replies, connection, epoch) = try await open() else { return .over }
            opened = (connection, epoch)
            var iterator = replies.makeAsyncIterator()
            while let reply = try await iterator.next() {
                guard !isRemoved else { break }
                await handle(reply.value, epoch)
            }
            connection.close()
            return .again
        } catch {
            if let opened { client?.lose(opened.connection, opened.epoch) }
            return await ended(DocumentsClient.explain(error), isTransport: error is VarlinkError)
        }
    }

    private func open() async throws -> (VarlinkReplies<DocumentsInterface.Present.Reply>, VarlinkConnection, Int)? {
        guard let client, let presenter, let place = presenter.presentedItem else {
            // `refresh` starts it again.
            state.withLock { $0.isRunning = false }
            return nil
        }
        // A presenter that was registered before does not start a daemon: one that was stopped on purpose stays
        // stopped.
        let isFirst = state.withLock { !$0.adding.isEmpty }
        let (connection, epoch) = try await client.takeWithoutBlocking(fresh: true, starts: isFirst)
        let version = state.withLock { state -> String?? in
            guard !state.isRemoved else { return nil }
            state.connection = connection
            if state.place != place, state.place != nil { state.epoch = nil }
            state.place = place
            return .some(state.version)
        }
        guard let version else {
            connection.close()
            return nil
        }
        let replies = connection.stream(
            DocumentsInterface.Present.name,
            DocumentsInterface.Present.Parameters(
                place: place.wire, presenter: purpose, purpose: purpose, thread: presenter.blocksThread?.name,
                version: version),
            DocumentsInterface.Present.Reply.self)
        return (replies, connection, epoch)
    }

    private func ended(_ error: DocumentsError, isTransport: Bool) async -> Ending {
        let adding = state.withLock { state in
            state.connection = nil
            defer { if !isTransport { state.adding = [] } }
            return isTransport ? [] : state.adding
        }
        guard !isRemoved else { return .over }
        if !adding.isEmpty {
            state.withLock { state in
                state.isAdded = false
                state.isRunning = false
            }
            for continuation in adding { continuation.resume(returning: .failure(error)) }
            return .over
        }
        if isTransport || error.code == .unavailable { return .again }
        // The item can no longer be presented.
        let isGone = error.code == .notFound
        await handling(nil) { presenter in
            if isGone { await presenter.presentedItemDidDelete(PresentedChange()) }
        }
        await reacquireAll()
        end()
        return .over
    }

    // MARK: Messages

    private func handle(_ reply: DocumentsInterface.Present.Reply, _ epoch: Int) async {
        guard reply.kind != "registered" else { return await registered(reply, epoch) }
        let isNews = reply.message == nil
        let message = ReceivedMessage(reply)
        let error = await handling(reply.message) { presenter async -> String? in
            let (outcome, reacquirer) = await message.deliver(to: presenter)
            if let reacquirer, let name = reply.message {
                self.state.withLock { $0.reacquirers.append((name, reacquirer)) }
            }
            return outcome
        }
        if let version = reply.version, message.tellsVersion { state.withLock { $0.version = version } }
        if reply.kind == "reacquire" {
            await reacquire(reply.message)
        } else if !isNews, let name = reply.message, let client {
            // A failure does not matter: either the time for the answer is over, or the daemon has gone.
            _ = try? await client.call(
                DocumentsInterface.AnswerPresenter.self,
                .init(presenter: purpose, message: name, error: error ?? nil), attempts: 1)
        }
        if isNews, state.withLock({ $0.reacquiresAfterNext }) { await reacquireAll() }
    }

    private func registered(_ reply: DocumentsInterface.Present.Reply, _ epoch: Int) async {
        let version = reply.version ?? reply.item?.version
        let (adding, reacquires) = state.withLock { state in
            state.epoch = epoch
            let isNewer =
                state.version != nil && version != nil && state.version != version
                && reply.item?.formerVersion != state.version
            if let version { state.version = version }
            let owes = !state.reacquirers.isEmpty
            // First report what the writer did whose claim was lost.
            state.reacquiresAfterNext = owes && isNewer
            defer { state.adding = [] }
            return (state.adding, owes && !isNewer)
        }
        for continuation in adding { continuation.resume(returning: .success(())) }
        if reacquires { await reacquireAll() }
    }

    private func reacquire(_ message: String?) async {
        let run = state.withLock { state in
            let index = state.reacquirers.firstIndex { $0.message == message }
            return index.map { state.reacquirers.remove(at: $0).run }
        }
        guard let run else { return }
        await handling(nil) { _ in await run() }
    }

    private func reacquireAll() async {
        let all = state.withLock { state in
            defer {
                state.reacquirers = []
                state.reacquiresAfterNext = false
            }
            return state.reacquirers
        }
        for one in all { await handling(nil) { _ in await one.run() } }
    }

    /// Runs a handler. Claims made within it carry the message that it handles. Returns nil when the presenter no
    /// longer exists.
    @discardableResult
    private func handling<Result: Sendable>(
        _ message: String?, _ body: (any FilePresenter) async -> Result
    ) async -> Result? {
        guard let presenter else {
            end()
            return nil
        }
        let mayRun = state.withLock { state in
            guard !state.isRemoved else { return false }
            state.isHandling = true
            return true
        }
        guard mayRun else { return nil }
        let context = CoordinationContext(
            messages: [CoordinationContext.Message(identifier: message, registration: self)])
        let result = await CoordinationContext.$current.withValue(context) { await body(presenter) }
        let waiting = state.withLock { state in
            state.isHandling = false
            defer { state.removing = [] }
            return state.removing
        }
        for continuation in waiting { continuation.resume() }
        return result
    }
}
