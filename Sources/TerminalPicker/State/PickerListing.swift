package import Documents

/// A list on the screen: the accounts, or a folder. Pure.
package struct PickerListing: Sendable, Equatable {
    /// What is listed.
    package enum Place: Hashable, Sendable {
        case accounts
        case folder(DocumentLocation)
    }

    package let place: Place
    /// The request for its rows; replies to others are ignored.
    package let serial: Int
    package private(set) var accounts: [PickerAccount] = []
    package private(set) var entries: [PickerEntry] = []
    /// Whether all rows are here.
    package var isComplete = false
    /// Why the rows are remembered ones.
    package var remembered: RememberedListing?
    /// Why there are no more rows.
    package var problem: DocumentsError?
    package private(set) var filter = TextField()
    /// The rows that the filter leaves.
    package private(set) var visible: [Int] = []
    /// The position of the cursor among the shown rows. The first is the folder itself if ``showsPlace``.
    package private(set) var cursor = 0
    /// The position of the first shown row.
    package private(set) var top = 0
    /// Whether the first row is the folder itself, to choose it.
    package let showsPlace: Bool
    /// The name that the cursor looks for: the folder that the person came from.
    private var sought: String?
    private var names = NameIndex()

    /// - Parameters:
    ///   - showsPlace: whether the folder itself can be chosen.
    ///   - sought: the name that gets the cursor when it arrives.
    init(place: Place, serial: Int, showsPlace: Bool = false, sought: String? = nil) {
        self.place = place
        self.serial = serial
        self.showsPlace = showsPlace
        self.sought = sought
    }

    package static func == (left: PickerListing, right: PickerListing) -> Bool {
        left.serial == right.serial && left.place == right.place && left.entries == right.entries
            && left.accounts == right.accounts && left.visible == right.visible && left.cursor == right.cursor
            && left.filter == right.filter && left.isComplete == right.isComplete && left.problem == right.problem
            && left.remembered == right.remembered
    }

    /// The folder; nil for the accounts.
    package var folder: DocumentLocation? {
        guard case .folder(let location) = place else { return nil }
        return location
    }

    /// Whether the row of the folder itself is shown now. A filter hides it.
    package var hasPlaceRow: Bool { showsPlace && filter.text.isEmpty }

    /// The number of rows that are shown or can be scrolled to.
    package var count: Int { visible.count + (hasPlaceRow ? 1 : 0) }

    /// The total number of rows without a filter.
    package var total: Int { folder == nil ? accounts.count : entries.count }

    /// Whether the cursor is on the row of the folder itself.
    package var isOnPlace: Bool { hasPlaceRow && cursor == 0 }

    /// The entry at a position; nil for the folder itself, and in the list of accounts.
    package func entry(at position: Int) -> PickerEntry? {
        index(at: position).flatMap { folder != nil && entries.indices.contains($0) ? entries[$0] : nil }
    }

    /// The account at a position.
    package func account(at position: Int) -> PickerAccount? {
        index(at: position).flatMap { folder == nil && accounts.indices.contains($0) ? accounts[$0] : nil }
    }

    package var entry: PickerEntry? { entry(at: cursor) }
    package var account: PickerAccount? { account(at: cursor) }

    private func index(at position: Int) -> Int? {
        let position = position - (hasPlaceRow ? 1 : 0)
        return visible.indices.contains(position) ? visible[position] : nil
    }

    // MARK: Changes

    mutating func show(_ accounts: [PickerAccount]) {
        self.accounts = accounts
        names = NameIndex()
        for account in accounts { names.append(account.title) }
        isComplete = true
        refilter()
    }

    mutating func set(_ space: AccountUsage, provider: String, domain: String) {
        for index in accounts.indices where accounts[index].provider == provider && accounts[index].domain == domain {
            accounts[index].space = space
        }
    }

    mutating func append(_ more: [PickerEntry]) {
        let first = entries.count
        entries += more
        for entry in more { names.append(entry.name) }
        if filter.text.isEmpty {
            visible += first..<entries.count
        } else {
            let current = index(at: cursor)
            visible = names.matches(filter.text)
            // The cursor stays on its row when better ones arrive, if the person has moved it.
            if cursor > 0, let current, let position = visible.firstIndex(of: current) { cursor = position }
        }
        if let sought, let found = more.firstIndex(where: { $0.name == sought }), filter.text.isEmpty {
            cursor = first + found + (hasPlaceRow ? 1 : 0)
            self.sought = nil
        }
    }

    /// Handles a key that belongs to the filter.
    mutating func type(_ key: Key) {
        let before = filter.text
        guard filter.take(key), filter.text != before else { return }
        sought = nil
        refilter()
    }

    mutating func setFilter(_ text: String) {
        filter = TextField(text)
        sought = nil
        refilter()
    }

    private mutating func refilter() {
        visible = names.matches(filter.text)
        cursor = 0
        top = 0
    }

    /// Moves the cursor, and stops at the ends.
    mutating func move(by rows: Int) {
        sought = nil
        cursor = max(0, min(count - 1, cursor + rows))
    }

    mutating func move(to position: Int) {
        sought = nil
        cursor = max(0, min(count - 1, position))
    }

    /// Scrolls so that the cursor is among the shown rows.
    mutating func scroll(rows: Int) {
        let rows = max(1, rows)
        cursor = max(0, min(count - 1, cursor))
        if cursor < top { top = cursor }
        if cursor >= top + rows { top = cursor - rows + 1 }
        top = max(0, min(top, max(0, count - rows)))
    }

    /// Shows the rows after those that are shown; the first ones after the last.
    mutating func turnPage(rows: Int) {
        top = top + rows < count ? top + rows : 0
        cursor = top
    }
}
