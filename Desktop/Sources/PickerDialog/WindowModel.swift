package import Documents
package import TerminalPicker

/// What the window shows, and what a click means. Pure.
package struct WindowModel: Sendable {
    /// What the window wants done.
    package enum Step: Equatable, Sendable {
        /// Shows another place. Replies with an older number are ignored.
        case load(PickerListing.Place, serial: Int)
        /// Looks where a link leads.
        case follow(DocumentLocation, serial: Int)
        /// Looks for what has the chosen name already.
        case lookUp(DocumentLocation, serial: Int)
        /// Makes a folder in another one.
        case makeFolder(DocumentLocation, name: String, serial: Int)
        /// Fetches the content of these.
        case download([DocumentLocation], serial: Int)
        /// Passes the choice on, while the window is still shown.
        case commit(DialogAnswer, serial: Int)
        /// Ends the last of the steps after ``load(_:serial:)``.
        case cancelWork
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
        /// A document has the name, and it stays.
        case takenForGood(PickerEntry)
        /// A step after the choice failed; it can be tried again.
        case failed(WindowWork, DocumentsError)
    }

    package let request: DialogRequest
    /// The program that the choice is passed on to while the window is shown; nil if the choice is only reported.
    package let asker: PickerAsker?
    /// What that program gets.
    package var terms = PickerTerms()
    /// What the person sets in a file dialog beside the files.
    package internal(set) var dialog = FileDialogAnswer(paths: [])
    /// Where the row of this computer leads to.
    package var home = LocalFiles.location("/")
    /// The number of other requests that wait.
    package var others = 0
    package private(set) var place = PickerListing.Place.accounts
    package private(set) var accounts: [PickerAccount] = []
    package private(set) var entries: [PickerEntry] = []
    /// The rows that the filter leaves: positions in ``accounts`` or ``entries``.
    package private(set) var visible: [Int] = []
    package private(set) var filter = ""
    /// The positions of the selected rows among the visible ones, in their order; at most one unless several can be
    /// chosen.
    package private(set) var selection: [Int] = []
    package internal(set) var notice: Notice?
    /// What the window waits for; nil if the person can choose.
    package internal(set) var work: WindowWork?
    /// Whether all rows are here.
    package private(set) var isComplete = false
    /// Whether a confirmation counts: the window has been visible long enough.
    package private(set) var isArmed = false
    private var names = NameIndex()
    /// The number of the last step, and that of the listing that is shown.
    private var serial = 0
    private var listSerial = 0
    package internal(set) var isFinished = false

    package init(_ request: DialogRequest, asker: PickerAsker? = nil) {
        self.request = request
        self.asker = asker
        guard let files = request.files else { return }
        dialog.filter = files.filter
        for choice in files.choices { dialog.choices[choice.identifier] = choice.selected }
    }

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
        return entry.isFolder || entry.isLink
            || request.mode != .folder && entry.isChoosable && (fileFilter?.matches(entry) ?? true)
    }

    /// The filter of a file dialog that is applied to its rows; nil for none.
    private var fileFilter: FileFilter? {
        guard let filters = request.files?.filters, let filter = dialog.filter, request.choosesDocuments,
            filters.indices.contains(filter)
        else { return nil }
        return filters[filter]
    }

    /// Whether the confirming button can be pressed.
    package var canConfirm: Bool {
        guard isArmed, work == nil, folder != nil else { return false }
        return request.choosesDocuments ? selection.contains(where: isEnabled) : true
    }

    /// Whether a folder can be made in the one that is shown.
    package var canMakeFolder: Bool { !request.choosesDocuments && folder != nil && work == nil }

    mutating func nextSerial() -> Int {
        serial += 1
        return serial
    }

    // MARK: From outside

    /// - Parameter folder: that of the last time; nil for the accounts.
    package mutating func begin(in folder: DocumentLocation? = nil) -> [Step] {
        let asked = request.files?.folder.map(LocalFiles.location) ?? request.currentFolder
        return open((asked ?? folder).map { .folder($0) } ?? .accounts)
    }

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
        refilter()
    }

    /// The step with this number has failed.
    package mutating func failed(_ error: DocumentsError, serial: Int) {
        if let work, work.serial == serial {
            self.work = nil
            notice = error.code == .cancelled ? nil : .failed(work, error)
            return
        }
        guard serial == listSerial else { return }
        isComplete = true
        if error.code == .notAuthenticated, let folder {
            notice = .signedOut(provider: folder.provider, domain: folder.domain)
        } else {
            notice = .problem(error)
        }
    }

    // MARK: The person

    package mutating func setFilter(_ text: String) {
        guard text != filter else { return }
        filter = text
        selection = []
        refilter()
    }

    package mutating func select(_ rows: [Int]) {
        selection = rows.filter(visible.indices.contains).sorted()
        if !request.multiple { selection = Array(selection.prefix(1)) }
    }

    /// Shows what contains this folder.
    package mutating func up() -> [Step] {
        guard let folder else { return [] }
        return open(folder.name.isEmpty ? .accounts : .folder(folder.parent))
    }

    /// What the person has set in a file dialog. What cannot be chosen with its filter is no longer selected.
    package mutating func set(_ dialog: FileDialogAnswer) {
        self.dialog = dialog
        selection = selection.filter(isEnabled)
    }

    package mutating func dismissNotice() { notice = nil }

    package mutating func open(_ place: PickerListing.Place) -> [Step] {
        guard !isFinished, work == nil else { return [] }
        listSerial = nextSerial()
        self.place = place
        entries = []
        names = NameIndex()
        visible = []
        filter = ""
        selection = []
        notice = nil
        isComplete = false
        return [.load(place, serial: listSerial)]
    }

    /// Applies the filter again. What is selected stays selected if it is still visible.
    private mutating func refilter() {
        let selected = Set(selection.map { visible[$0] })
        visible = names.matches(filter)
        selection = selected.isEmpty ? [] : visible.indices.filter { selected.contains(visible[$0]) }
    }
}
