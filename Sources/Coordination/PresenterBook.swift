/// The presenters, with an index for every kind of lookup. Nothing here iterates over all presenters.
struct PresenterBook: Sendable {
    private(set) var records: [Presenter.Identifier: PresenterRecord] = [:]
    private var items = Multimap<CoordinatedItem, Presenter.Identifier>()
    private var inside = Multimap<CoordinatedItem, Presenter.Identifier>()
    private var owners = Multimap<Claim.Owner, Presenter.Identifier>()
    /// The presenters of the messages that have not been answered.
    private(set) var addressees: [PresenterMessage.Identifier: Presenter.Identifier] = [:]
    /// The number of entries examined or changed since the beginning: a measure of cost for tests.
    private(set) var visits = 0

    var isEmpty: Bool { records.isEmpty }

    subscript(id: Presenter.Identifier) -> PresenterRecord? { records[id] }

    mutating func insert(_ presenter: Presenter) {
        records[presenter.id] = PresenterRecord(presenter)
        owners.insert(presenter.id, for: presenter.owner)
        index(presenter, adding: true)
    }

    mutating func remove(_ id: Presenter.Identifier) -> PresenterRecord? {
        guard let record = records.removeValue(forKey: id) else { return nil }
        if let message = record.unanswered { addressees[message.id] = nil }
        for message in record.late.keys { addressees[message] = nil }
        owners.remove(id, for: record.presenter.owner)
        index(record.presenter, adding: false)
        return record
    }

    mutating func relocate(_ id: Presenter.Identifier, to location: ItemLocation) {
        guard let old = records[id]?.presenter else { return }
        index(old, adding: false)
        records[id]?.presenter.location = location
        if let new = records[id]?.presenter { index(new, adding: true) }
    }

    private mutating func index(_ presenter: Presenter, adding: Bool) {
        visits += presenter.location.folders.count + 1
        if adding {
            items.insert(presenter.id, for: presenter.location.item)
            for folder in presenter.location.folders { inside.insert(presenter.id, for: folder) }
        } else {
            items.remove(presenter.id, for: presenter.location.item)
            for folder in presenter.location.folders { inside.remove(presenter.id, for: folder) }
        }
    }

    // MARK: Lookups

    mutating func presenters(of item: CoordinatedItem) -> Set<Presenter.Identifier> {
        let result = items[item]
        visits += result.count + 1
        return result
    }

    mutating func presenters(of items: [CoordinatedItem]) -> Set<Presenter.Identifier> {
        items.reduce(into: []) { $0.formUnion(presenters(of: $1)) }
    }

    mutating func presenters(inside folder: CoordinatedItem) -> Set<Presenter.Identifier> {
        let result = inside[folder]
        visits += result.count + 1
        return result
    }

    func presenters(of owner: Claim.Owner) -> [Presenter.Identifier] { owners[owner].sorted() }

    // MARK: Messages

    /// Adds a message to its presenter's queue.
    ///
    /// - Parameter isNext: whether it goes ahead of other unsent messages.
    mutating func append(_ message: PresenterMessage, isNext: Bool) {
        guard var queue = records[message.presenter]?.queue else { return }
        queue.insert(message, at: isNext ? queue.startIndex : queue.endIndex)
        records[message.presenter]?.queue = queue
    }

    /// Withdraws an unsent message.
    mutating func withdraw(_ message: PresenterMessage.Identifier, from id: Presenter.Identifier) {
        records[id]?.queue.removeAll { $0.id == message }
    }

    /// Takes the next message that may be sent; it counts as sent.
    mutating func next(for id: Presenter.Identifier) -> PresenterMessage? {
        visits += 1
        guard let record = records[id], record.unanswered == nil, let message = records[id]?.queue.popFirst() else {
            return nil
        }
        if message.needsAnswer {
            records[id]?.unanswered = message
            addressees[message.id] = id
        }
        return message
    }

    /// Ends the wait for the answer to a message; nil when no answer is expected.
    mutating func finish(_ id: PresenterMessage.Identifier) -> PresenterMessage? {
        guard let presenter = addressees[id], let message = records[presenter]?.unanswered, message.id == id else {
            return nil
        }
        addressees[id] = nil
        records[presenter]?.unanswered = nil
        return message
    }

    /// Remembers a message that was not answered in time.
    mutating func remember(late message: PresenterMessage) {
        guard records[message.presenter] != nil else { return }
        var claim: Claim.Identifier?
        if case .claim(let id) = message.origin { claim = id }
        records[message.presenter]?.late[message.id] = .init(claim: claim, isRelinquish: message.kind.isRelinquish)
        addressees[message.id] = message.presenter
    }

    /// Handles a late answer.
    mutating func finishLate(
        _ id: PresenterMessage.Identifier
    ) -> (presenter: Presenter.Identifier, late: PresenterRecord.Late)? {
        guard let presenter = addressees[id], let late = records[presenter]?.late.removeValue(forKey: id) else {
            return nil
        }
        addressees[id] = nil
        return (presenter, late)
    }
}
