package import Documents
package import TerminalPicker

/// What the window shows, and what a click means. Pure.
package struct WindowModel: Sendable {
    /// What the window wants done.
    package enum Step: Equatable, Sendable {
        /// Shows another place. Replies with an older number are ignored.
        case load(PickerListing.Place, serial: Int)
        /// Looks for what has the chosen name already.
        case lookUp(DocumentLocation, serial: Int)
        case finish(DialogAnswer?)
    }

    /// What a person has to see or decide before it goes on.
    package enum Notice: Equatable, Sendable {
        case problem(DocumentsError)
        /// The folder cannot be asked now: this is what was known.
        case remembered(RememberedListing)
        /// The account needs a sign-in.
        case signedOut(provider: String, domain: String)
        /// A name that cannot be used.
        case badName
        /// A folder has the name.
        case folderHasName(String)
        /// A document has the name; it can be replaced.
        case taken(PickerEntry)
    }

    package let request: DialogRequest
    package private(set) var place = PickerListing.Place.accounts
    package private(set) var accounts: [PickerAccount] = []
    package private(set) var entries: [PickerEntry] = []
    /// The rows that the filter leaves: positions in ``accounts`` or ``entries``.
    package private(set) var visible: [Int] = []
    package private(set) var filter = ""
    /// The position of the selected row among the visible ones.
    package private(set) var selection: Int?
    package private(set) var notice: Notice?
    /// Whether all rows are here.
    package private(set) var isComplete = false
    /// Whether a confirmation counts: the window has been visible long enough.
    package private(set) var isArmed = false
    /// Whether the chosen name is being looked up.
    package private(set) var isLookingUp = false
    private var names = NameIndex()
    /// The number of the last step, and those of the listing and the search that are shown.
    private var serial = 0
    private var listSerial = 0
    private var lookUpSerial = 0
    private var isFinished = false

    package init(_ request: DialogRequest) { self.request = request }

    /// The folder that is shown; nil for the accounts.
    package var folder: DocumentLocation? {
        guard case .folder(let folder) = place else { return nil }
        return folder
    }

    /// The entry of a visible row; nil among the accounts.
    package func entry(at row: Int) -> PickerEntry? {
        folder != nil && visible.indices.contains(row) ? entries[visible[row]] : nil
    }

    /// The account of a visible row.
    package func account(at row: Int) -> PickerAccount? {
        folder == nil && visible.indices.contains(row) ? accounts[visible[row]] : nil
    }

    /// Whether the row can be opened or chosen. Others are dimmed.
    package func isEnabled(_ row: Int) -> Bool {
        guard let entry = entry(at: row) else { return account(at: row) != nil }
        return entry.isFolder || entry.isLink || request.mode != .folder && entry.isChoosable
    }

    /// Whether the confirming button can be pressed.
    package var canConfirm: Bool {
        guard isArmed, !isLookingUp, folder != nil else { return false }
        switch request.mode {
        case .open: return selection.map(isEnabled) ?? false
        case .folder, .save: return true
        }
    }

    // MARK: From outside

    package mutating func begin() -> [Step] { open(request.currentFolder.map { .folder($0) } ?? .accounts) }

    /// The window has been visible for half a second.
    package mutating func arm() { isArmed = true }

    package mutating func show(_ accounts: [PickerAccount], serial: Int) {
        guard serial == listSerial, folder == nil else { return }
        self.accounts = accounts
        names = NameIndex()
        for account in accounts { names.append(account.title) }
        isComplete = true
        refilter()
    }

    package mutating func append(
        _ more: [PickerEntry], remembered: RememberedListing?, isLast: Bool, serial: Int
    ) {
        guard serial == listSerial, folder != nil else { return }
        entries += more
        for entry in more { names.append(entry.name) }
        if let remembered { notice = .remembered(remembered) }
        isComplete = isLast
        let selected = selection.map { visible[$0] }
        visible = names.matches(filter)
        selection = selected.flatMap { visible.firstIndex(of: $0) }
    }

    package mutating func failed(_ error: DocumentsError, serial: Int) {
        guard serial == listSerial || isLookingUp && serial == lookUpSerial else { return }
        if serial == listSerial { isComplete = true } else { isLookingUp = false }
        if error.code == .notAuthenticated, let folder {
            notice = .signedOut(provider: folder.provider, domain: folder.domain)
        } else {
            notice = .problem(error)
        }
    }

    /// What has the chosen name; nil if nothing has.
    package mutating func lookedUp(_ entry: PickerEntry?, at location: DocumentLocation, serial: Int) -> [Step] {
        guard serial == lookUpSerial, isLookingUp else { return [] }
        isLookingUp = false
        guard let entry else { return finish(DialogAnswer(location: location)) }
        notice = entry.isFolder ? .folderHasName(entry.name) : .taken(entry)
        return []
    }

    // MARK: The person

    package mutating func setFilter(_ text: String) {
        guard text != filter else { return }
        filter = text
        refilter()
    }

    package mutating func select(_ row: Int?) { selection = row.flatMap { visible.indices.contains($0) ? $0 : nil } }

    /// A double click on a row, or Enter.
    package mutating func activate(_ row: Int) -> [Step] {
        if let account = account(at: row) {
            guard !account.needsSignIn else {
                notice = .signedOut(provider: account.provider, domain: account.domain)
                return []
            }
            return open(.folder(account.location))
        }
        guard let entry = entry(at: row), isEnabled(row), let folder else { return [] }
        let location = folder.appending(entry.name)
        if entry.isFolder { return open(.folder(location)) }
        selection = row
        return request.mode == .open ? confirm(name: "") : []
    }

    /// The confirming button.
    ///
    /// - Parameter name: what was typed, for ``DialogRequest/Mode/save``.
    package mutating func confirm(name: String) -> [Step] {
        guard canConfirm, let folder else { return [] }
        switch request.mode {
        case .open:
            guard let entry = selection.flatMap({ entry(at: $0) }) else { return [] }
            let location = folder.appending(entry.name)
            return entry.isFolder ? open(.folder(location)) : finish(DialogAnswer(location: location))
        case .folder: return finish(DialogAnswer(location: folder))
        case .save:
            guard Self.isName(name) else {
                notice = .badName
                return []
            }
            notice = nil
            isLookingUp = true
            serial += 1
            lookUpSerial = serial
            return [.lookUp(folder.appending(name), serial: serial)]
        }
    }

    /// The person agrees to replace what has the name.
    package mutating func replace() -> [Step] {
        guard case .taken(let entry) = notice, isArmed, let folder else { return [] }
        return finish(DialogAnswer(location: folder.appending(entry.name), replaces: true))
    }

    /// Shows what contains this folder.
    package mutating func up() -> [Step] {
        guard let folder else { return [] }
        return open(folder.name.isEmpty ? .accounts : .folder(folder.parent))
    }

    package mutating func reload() -> [Step] { open(place) }

    package mutating func dismissNotice() { notice = nil }

    package mutating func cancel() -> [Step] { finish(nil) }

    package mutating func open(_ place: PickerListing.Place) -> [Step] {
        guard !isFinished else { return [] }
        serial += 1
        listSerial = serial
        self.place = place
        entries = []
        names = NameIndex()
        visible = []
        filter = ""
        selection = nil
        notice = nil
        isComplete = false
        isLookingUp = false
        return [.load(place, serial: serial)]
    }

    private mutating func finish(_ answer: DialogAnswer?) -> [Step] {
        guard !isFinished else { return [] }
        isFinished = true
        return [.finish(answer)]
    }

    private mutating func refilter() {
        visible = names.matches(filter)
        selection = nil
    }

    private static func isName(_ name: String) -> Bool {
        !name.allSatisfy(\.isWhitespace) && name != "." && name != ".." && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.utf8.contains(0)
    }
}
