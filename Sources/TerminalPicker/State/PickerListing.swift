package import Documents

/// A list on the screen: the accounts, or a folder. Pure.
package struct PickerListing: Sendable, Equatable {
    /// What is listed.
    package enum Place: Hashable, Sendable {
        case accounts
        case folder(DocumentLocation)
        /// What was used last, or is marked, in all accounts.
        case shortcut(PickerShortcut)
        /// What a search in all accounts finds.
        case search(String)

        /// Whether this is one folder.
        var isFolder: Bool { if case .folder = self { true } else { false } }
    }

    package let place: Place
    /// The request for its rows; replies to others are ignored.
    package let serial: Int
    package private(set) var accounts: [PickerAccount] = []
    /// The rows above the accounts.
    package private(set) var shortcuts: [PickerShortcut] = []
    package private(set) var entries: [PickerEntry] = []
    /// Whether all rows are here.
    package var isComplete = false
    /// Why the rows are remembered ones.
    package var remembered: RememberedListing?
    /// Why there are no more rows.
    package var problem: DocumentsError?
    /// What a search did not cover.
    package var gaps: [PickerGap] = []
    /// Whether a search found more than is listed.
    package var isCut = false
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
            && left.remembered == right.remembered && left.shortcuts == right.shortcuts && left.gaps == right.gaps
            && left.isCut == right.isCut
    }

    /// The folder; nil for other lists.
    package var folder: DocumentLocation? {
        guard case .folder(let location) = place else { return nil }
        return location
    }

    /// Whether the accounts are listed.
    package var isOfAccounts: Bool { place == .accounts }

    /// Where an entry of this list is.
    package func location(of entry: PickerEntry) -> DocumentLocation? {
        entry.location ?? folder?.appending(entry.name)
    }

    /// Whether the row of the folder itself is shown now. A filter hides it.
    package var hasPlaceRow: Bool { showsPlace && filter.text.isEmpty }

    /// The number of rows that are shown or can be scrolled to.
    package var count: Int { visible.count + (hasPlaceRow ? 1 : 0) }

    /// The total number of rows without a filter.
    package var total: Int { isOfAccounts ? shortcuts.count + accounts.count : entries.count }

    /// Whether the cursor is on the row of the folder itself.
    package var isOnPlace: Bool { hasPlaceRow && cursor == 0 }

    /// The entry at a position; nil for the folder itself, and in the list of accounts.
    package func entry(at position: Int) -> PickerEntry? {
        index(at: position).flatMap { !isOfAccounts && entries.indices.contains($0) ? entries[$0] : nil }
    }

    /// The account at a position.
    package func account(at position: Int) -> PickerAccount? {
        index(at: position).flatMap { index in
            let index = index - shortcuts.count
            return isOfAccounts && accounts.indices.contains(index) ? accounts[index] : nil
        }
    }

    /// The list from all accounts at a position of the list of accounts.
    package func shortcut(at position: Int) -> PickerShortcut? {
        index(at: position).flatMap { isOfAccounts && shortcuts.indices.contains($0) ? shortcuts[$0] : nil }
    }

    package var entry: PickerEntry? { entry(at: cursor) }
    package var account: PickerAccount? { account(at: cursor) }
    package var shortcut: PickerShortcut? { shortcut(at: cursor) }

    private func index(at position: Int) -> Int? {
        let position = position - (hasPlaceRow ? 1 : 0)
        return visible.indices.contains(position) ? visible[position] : nil
    }

    // MARK: Changes

    mutating func show(_ accounts: [PickerAccount], _ shortcuts: [PickerShortcut]) {
        self.accounts = accounts
        self.shortcuts = shortcuts
        names = NameIndex()
        for title in shortcuts.map(\.title) + accounts.map(\.title) { names.append(title) }
        isComplete = true
        refilter()
        // The first account, as without the rows above it.
        if filter.text.isEmpty, !accounts.isEmpty { cursor = shortcuts.count }
    }

    mutating func set(_ space: AccountUsage, provider: String, domain: String) {
        for index in accounts.indices where accounts[index].provider == provider && accounts[index].domain == domain {
            accounts[index].space = space
        }
    }

    mutating func append(_ more: [PickerEntry]) {
        let first = entries.count
        entries += more
        for entry in more { names.append(entry.location?.description ?? entry.name) }
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
