import DocentInterfaces

/// Decides what is shown when: one notification for each document, program and folder that somebody has to decide
/// about, replaced when it changes, and taken away when it is settled, wherever that was. Pure: the caller shows and
/// closes, and says what came of it.
///
/// Times are durations since any fixed moment.
package struct NoticePlan: Sendable {
    /// How many documents may get conflicts within ``burstTime`` before they share one notification.
    package static let burst = 3
    package static let burstTime = Duration.seconds(60)
    /// How long it waits after a notification could not be shown.
    package static let retryTime = Duration.seconds(60)
    /// How long a desktop may take to close a notification because of a click on it.
    package static let clickTime = Duration.seconds(5)

    /// A step for the caller; the steps are in order.
    package enum Effect: Sendable, Hashable {
        /// Show a notice, in the place of the notification with this number if there is one; then call
        /// ``NoticePlan/shown(_:as:at:)``.
        case show(NoticeKey, Notice, replacing: UInt32?)
        /// Take away the notification with this number.
        case close(UInt32)
    }

    private struct Entry: Sendable {
        /// The notice to show.
        var notice: Notice
        /// Its number at the notification server, while it is shown.
        var number: UInt32?
        /// Whether it was closed, and does not come back until it changes.
        var isDismissed = false
        /// Not to be shown before, because that has failed.
        var notBefore: Duration?
        /// Until when a click on it may be why it is closed.
        var clickedUntil: Duration?
        /// Whether a chosen command is running.
        var isActing = false
        /// Why what was chosen last has failed.
        var failure: String?
    }

    private var entries: [NoticeKey: Entry] = [:]
    /// The documents with conflicts when it was looked last.
    private var known: [Wire.ItemReference: ConflictedDocument] = [:]
    /// When documents got conflicts, of the last minute.
    private var arrivals: [Wire.ItemReference: Duration] = [:]
    /// The documents that share one notification.
    private var together: Set<Wire.ItemReference> = []

    package init() {}

    // MARK: What there is

    /// The decisions that wait for the user now.
    package mutating func saw(_ attention: Attention, at now: Duration) -> [Effect] {
        gather(attention.conflicts, at: now)
        let wanted = notices(attention)
        var effects: [Effect] = []
        for (key, entry) in entries where !wanted.contains(where: { $0.key == key }) {
            if let number = entry.number { effects.append(.close(number)) }
            entries[key] = nil
        }
        // In a fixed order, whatever that of a dictionary is.
        effects.sort { Self.number($0) < Self.number($1) }
        for (key, notice) in wanted {
            if let effect = update(key, notice, at: now) { effects.append(effect) }
        }
        return effects
    }

    private mutating func gather(_ conflicts: [ConflictedDocument], at now: Duration) {
        let current = Dictionary(conflicts.map { ($0.reference, $0) }) { first, _ in first }
        arrivals = arrivals.filter { current[$0.key] != nil && now - $0.value < Self.burstTime }
        for reference in current.keys where known[reference] == nil { arrivals[reference] = now }
        known = current
        together.formIntersection(current.keys)
        if arrivals.count > Self.burst { together.formUnion(arrivals.keys) }
    }

    private func notices(_ attention: Attention) -> [(key: NoticeKey, notice: Notice)] {
        var wanted: [(key: NoticeKey, notice: Notice)] = []
        for document in attention.conflicts where !together.contains(document.reference) {
            wanted.append((.conflict(document.reference), NoticeText.conflict(document)))
        }
        if !together.isEmpty { wanted.append((.manyConflicts, NoticeText.conflicts(together))) }
        for held in attention.programs {
            wanted.append((.program(kind: held.clientKind, client: held.client), NoticeText.program(held)))
        }
        for held in attention.listings { wanted.append((.listing(held.reference), NoticeText.listing(held))) }
        return wanted
    }

    private mutating func update(_ key: NoticeKey, _ given: Notice, at now: Duration) -> Effect? {
        guard var entry = entries[key] else {
            entries[key] = Entry(notice: given)
            return .show(key, given, replacing: nil)
        }
        // Fewer things to decide about, or other words for them, do not bring back what a person has closed.
        if !Set(given.subject).isSubset(of: entry.notice.subject) {
            entry.failure = nil
            entry.isDismissed = false
        }
        let notice = entry.failure.map { NoticeText.failed(given, $0) } ?? given
        let hasChanged = entry.notice != notice
        entry.notice = notice
        entries[key] = entry
        if let number = entry.number { return hasChanged ? .show(key, notice, replacing: number) : nil }
        guard !entry.isDismissed, !entry.isActing, (entry.notBefore ?? now) <= now else { return nil }
        return .show(key, notice, replacing: nil)
    }

    private static func number(_ effect: Effect) -> UInt32 {
        if case .close(let number) = effect { number } else { 0 }
    }

    // MARK: What became of it

    /// A notice is shown.
    ///
    /// - Parameter number: that of the notification; nil if it could not be shown.
    package mutating func shown(_ key: NoticeKey, as number: UInt32?, at now: Duration) {
        entries[key]?.number = number
        entries[key]?.notBefore = number == nil ? now + Self.retryTime : nil
    }

    /// A notification was closed: by a person, or because its time was over.
    package mutating func closed(_ number: UInt32, at now: Duration) {
        guard let key = key(of: number), var entry = entries[key] else { return }
        entry.number = nil
        if let until = entry.clickedUntil, now < until {
            // The person wanted to look, and has not decided yet.
            entry.clickedUntil = nil
        } else {
            entry.isDismissed = true
        }
        entries[key] = entry
    }

    /// There is no notification server any more: it takes its notifications along.
    package mutating func serverEnded() {
        for key in entries.keys { entries[key]?.number = nil }
    }

    /// There is a notification server, perhaps a new one.
    package mutating func serverBegan() {
        for key in entries.keys { entries[key]?.notBefore = nil }
    }

    /// The numbers of all notifications: to be closed when nothing is to be shown any more.
    package mutating func end() -> [Effect] {
        let numbers = entries.values.compactMap(\.number).sorted()
        entries = [:]
        return numbers.map { .close($0) }
    }

    // MARK: What a person chose

    /// A button was pressed, or the notification itself.
    ///
    /// - Parameter action: as the server reports it.
    /// - Returns: what is to be done, for which ``finished(_:failure:)`` is to be called; nil if that is not offered,
    ///   or being done already.
    package mutating func chose(
        _ action: String, in number: UInt32, at now: Duration
    ) -> (key: NoticeKey, command: NoticeCommand)? {
        guard let key = key(of: number), var entry = entries[key], !entry.isActing else { return nil }
        guard var action = NoticeAction(rawValue: action) else { return nil }
        if action == .standard {
            guard let standard = entry.notice.standard else { return nil }
            action = standard
        }
        guard entry.notice.actions.contains(action), let command = command(action, key) else { return nil }
        entry.isActing = true
        entry.failure = nil
        entry.clickedUntil = now + Self.clickTime
        entries[key] = entry
        return (key, command)
    }

    private func command(_ action: NoticeAction, _ key: NoticeKey) -> NoticeCommand? {
        switch (key, action) {
        case (.conflict(let reference), .keepMine), (.conflict(let reference), .keepTheirs),
            (.conflict(let reference), .keepBoth):
            return known[reference]?.location.map { .settle($0, choice: action.rawValue) }
        case (.conflict(let reference), .compare):
            guard let document = known[reference], let location = document.location,
                let version = document.versions.first
            else { return nil }
            return .compare(location, version: version.identifier)
        case (.conflict, .show), (.manyConflicts, .show): return .showConflicts
        case (.program(let kind, let client), .allow): return .allow(kind: kind, client: client)
        case (.program, .show), (.listing, .show): return .showHeld
        default: return nil
        }
    }

    /// The chosen command has ended.
    ///
    /// - Parameter failure: why it could not be done.
    package mutating func finished(_ key: NoticeKey, failure: String?) {
        guard entries[key] != nil else { return }
        entries[key]?.isActing = false
        entries[key]?.failure = failure
        // So that it comes back with the reason, also if the desktop has closed it.
        if failure != nil { entries[key]?.isDismissed = false }
    }

    private func key(of number: UInt32) -> NoticeKey? { entries.first { $0.value.number == number }?.key }
}
