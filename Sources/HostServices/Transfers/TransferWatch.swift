package import Access
package import DocentInterfaces
import FoundationEssentials
package import HostCore
package import Records
package import RemoteDocuments
import Rights
package import Transfers
import Varlink

/// The transfers of a document, or of everything in a folder, as clients see them (N6).
///
/// Nobody is asked because of it: the queue and the index know everything that is shown. A confined client learns of
/// what it may read, and of nothing else in the account.
package struct TransferWatch: Sendable {
    /// What is shown at one moment.
    package typealias Reply = DocumentsInterface.Watch.Reply

    /// The most transfers in one reply.
    static let mostShown = 200
    // The least time between two replies.
    private static let interval = Duration.milliseconds(250)

    private let transfers: TransferService
    private let queue: TransferQueue
    private let gateway: DocumentGateway
    private let index: ItemIndex
    private let access: AccessControl
    private let aliases: ItemAliases
    private let news: ItemNews
    private let shares = ShareCounter(PrincipalLimits.watches)

    package init(
        transfers: TransferService, queue: TransferQueue, gateway: DocumentGateway, index: ItemIndex,
        access: AccessControl, aliases: ItemAliases, news: ItemNews
    ) {
        (self.transfers, self.queue, self.gateway, self.index) = (transfers, queue, gateway, index)
        (self.access, self.aliases, self.news) = (access, aliases, news)
    }

    // MARK: Calls

    /// What is shown now.
    ///
    /// - Throws: ``Failure`` `NotPermitted` for a confined client without a right to the item; why the item cannot be
    ///   described.
    package func look(_ session: Session, _ reference: Wire.ItemReference) async throws -> Reply {
        let item = try await watched(session, reference)
        var view = View(item, session.principal.isConfined, index)
        return try await reply(&view, ended: ([], false), item: item)
    }

    /// Sends what is shown now, then every change, until the task is cancelled or the right ends.
    ///
    /// - Throws: ``Failure``: as ``look(_:_:)``; `Unavailable` when the client watches too much.
    package func follow(
        _ session: Session, _ reference: Wire.ItemReference, _ send: @escaping @Sendable (Reply) async throws -> Void
    ) async throws {
        let holder = session.principal.shareHolder
        do throws(PrincipalShares.Refusal) {
            try shares.take(for: holder)
        } catch {
            throw error.failure(holder, "watched documents", suggestion: "End one of them, then try again.")
        }
        defer { shares.give(of: holder) }
        let item = try await watched(session, reference)
        guard session.principal.isConfined else { return try await follow(session, item, send) }
        try await access.whileAllowed(session, item.reference.key, .read) { try await follow(session, item, send) }
    }

    /// The item that a client names; the target of a link.
    private func watched(_ session: Session, _ reference: Wire.ItemReference) async throws -> Wire.Item {
        let key = aliases.current(reference.key)
        guard session.principal.isConfined else {
            guard key.isStorable else { throw Failure(.notFound, "An identifier with a NUL names no item.") }
            return try await SymbolicLinks.end(of: try await gateway.item(key)) { try await gateway.item($0) }
        }
        try await access.require(session, key, .read, for: "watch")
        let used = try await access.used(session, key, .read, for: "watch")
        return try await access.told(session, gateway.item(used))
    }

    // MARK: Following

    /// What a client sees, and what it was sent last.
    private struct View: Sendable {
        let item: Wire.Item
        let isConfined: Bool
        var membership: FolderMembership
        var last: Reply?

        var key: ItemKey { item.reference.key }

        init(_ item: Wire.Item, _ isConfined: Bool, _ index: ItemIndex) {
            self.item = item
            self.isConfined = isConfined
            membership = FolderMembership(item.reference.key, index: index)
        }
    }

    private func follow(
        _ session: Session, _ item: Wire.Item, _ send: @Sendable (Reply) async throws -> Void
    ) async throws {
        let key = item.reference.key
        // Before the first look, so that nothing is missed between it and the first change.
        let follower = queue.followers.add(DomainKey(key))
        defer { queue.followers.remove(follower) }
        let listener = news.listen(to: DomainKey(key))
        defer { news.remove(listener) }
        let told = PendingNews()
        let listening = Task {
            try? await listener.deliver { news in
                told.add(news)
                follower.wake()
            }
        }
        defer { listening.cancel() }
        var view = View(item, session.principal.isConfined, index)
        var known = item
        let first = try await reply(&view, ended: ([], false), item: item)
        view.last = first
        try await send(first)
        for await _ in follower.changes {
            try await Task.sleep(for: Self.interval)
            let news = told.take()
            view.membership.forget(news)
            let taken = follower.take()
            var changed: Wire.Item?
            if !item.isFolder, !taken.ended.isEmpty || news.isAll || !news.changed.isEmpty {
                let now = try await described(session, aliases.current(key))
                if now != known { changed = now }
                known = now
            }
            let next = try await reply(&view, ended: taken, item: changed)
            guard next != view.last || next.item != nil || next.ended != nil else { continue }
            if view.isConfined, !(await access.stillAllows(session, aliases.current(key), .read)) {
                throw AccessControl.refusal(session, .read)
            }
            view.last = next
            try await send(next)
        }
    }

    private func described(_ session: Session, _ key: ItemKey) async throws -> Wire.Item {
        let item = try await gateway.item(key)
        return session.principal.isConfined ? await access.told(session, item) : item
    }

    // MARK: Replies

    private func reply(
        _ view: inout View, ended taken: (ended: [EndedTransfer], isCut: Bool), item: Wire.Item?
    ) async throws -> Reply {
        let key = aliases.current(view.key)
        let account = DomainKey(key)
        let all = try await transfers.transfers(provider: key.provider).filter { $0.reference.domain == key.domain }
        var current: [(key: ItemKey, transfer: Wire.Transfer)] = []
        for transfer in all { current.append((aliases.current(transfer.reference.key), transfer)) }
        let gone = taken.ended.map { (key: aliases.current($0.last.key.item), ended: $0) }
        if view.item.isFolder {
            if view.membership.folder != key { view.membership = FolderMembership(key, index: index) }
            try await view.membership.learn(current.map(\.key) + gone.map(\.key))
        }
        let membership = view.membership
        let isWhole = view.item.isFolder && key.identifier == ItemKey.rootIdentifier && !view.isConfined
        func isShown(_ item: ItemKey) -> Bool {
            guard DomainKey(item) == account else { return false }
            return item == key || (view.item.isFolder && (isWhole || membership.contains(item)))
        }
        let shown = current.filter { isShown($0.key) }.map { entry in
            Self.transfer(entry.transfer, entry.key, size: membership.size(of: entry.key), view.isConfined)
        }.sorted { Self.rank($0) < Self.rank($1) }
        let over = gone.filter { isShown($0.key) }.map { Self.transfer($0.ended, $0.key, view.isConfined) }
        var reply = Reply(
            item: item, transfers: Array(shown.prefix(Self.mostShown)), ended: over.isEmpty ? nil : over, running: 0,
            waiting: 0, failed: 0, completedBytes: 0,
            isCut: taken.isCut || shown.count > Self.mostShown ? true : nil)
        Self.count(shown, in: &reply)
        return reply
    }

    private static func rank(_ transfer: Wire.DocumentTransfer) -> Int {
        switch transfer.state {
        case "running": 0
        case "failed": 2
        default: 1
        }
    }

    private static func count(_ shown: [Wire.DocumentTransfer], in reply: inout Reply) {
        var total: Int? = 0
        var rate: Double?
        for transfer in shown {
            switch transfer.state {
            case "running": reply.running += 1
            case "failed":
                reply.failed += 1
                continue
            default: reply.waiting += 1
            }
            reply.completedBytes = sum(reply.completedBytes, transfer.completedBytes)
            if let known = total, let size = transfer.totalBytes {
                total = sum(known, max(size, transfer.completedBytes))
            } else {
                total = nil
            }
            if let speed = transfer.bytesPerSecond { rate = (rate ?? 0) + speed }
        }
        reply.totalBytes = reply.running + reply.waiting > 0 ? total : nil
        reply.bytesPerSecond = rate
    }

    // Sizes are a provider's: their sum may be more than a number holds.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooLarge) = left.addingReportingOverflow(max(0, right))
        return isTooLarge ? .max : sum
    }

    private static func transfer(
        _ transfer: Wire.Transfer, _ key: ItemKey, size: Int64?, _ isConfined: Bool
    ) -> Wire.DocumentTransfer {
        // Why an account cannot be reached is no business of a confined program.
        let message = isConfined && ["paused", "retrying"].contains(transfer.state) ? nil : transfer.message
        let isDownload = transfer.kind == TransferKind.download.rawValue
        return Wire.DocumentTransfer(
            reference: key.reference, name: transfer.name, kind: transfer.kind, state: transfer.state,
            completedBytes: transfer.completedBytes,
            totalBytes: transfer.totalBytes ?? (isDownload ? size.map { Int(max(0, $0)) } : nil),
            bytesPerSecond: transfer.bytesPerSecond, message: message, nextAttempt: transfer.nextAttempt)
    }

    private static func transfer(
        _ ended: EndedTransfer, _ key: ItemKey, _ isConfined: Bool
    ) -> Wire.DocumentTransfer {
        let last = ended.last
        let state =
            switch ended.failure?.code {
            case nil: "finished"
            case .cancelled: "cancelled"
            default: "failed"
            }
        let isWhole = ended.failure == nil
        let isOfAccount = ended.failure.map { Self.ofAccount.contains($0.code) } ?? false
        return Wire.DocumentTransfer(
            reference: key.reference, name: last.name, kind: last.key.kind.rawValue, state: state,
            completedBytes: Int(isWhole ? last.total ?? last.completed : last.completed),
            totalBytes: last.total.map(Int.init),
            message: isConfined && isOfAccount ? nil : ended.failure?.message)
    }

    // Failures that say something of the account, not of the document.
    private static let ofAccount: Set<FailureCode> = [.unavailable, .notAuthenticated, .deadlineExceeded]
}
