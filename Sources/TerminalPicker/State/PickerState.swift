import Documents

/// The state of the picker. Pure: an event changes it, and says what is to be done.
///
/// ``handle(_:)`` is the only way to change it. What is drawn is a function of it (``PickerDrawing``).
package struct PickerState: Sendable, Equatable {
    package let task: PickerTask
    package internal(set) var size: TerminalSize
    package internal(set) var listing: PickerListing
    package internal(set) var panel = PickerPanel.list
    /// What was marked, in the order of marking.
    package internal(set) var marks: [PickedItem] = []
    package internal(set) var terms: PickerTerms
    /// The first lines of the document under the cursor; nil without a preview.
    package internal(set) var preview: [String]?
    package internal(set) var showsPreview: Bool
    /// A message at the bottom. It may quote others.
    package internal(set) var message: String?
    /// How many other requests wait.
    package internal(set) var otherRequests = 0
    /// Whether the confirming key counts.
    package internal(set) var isArmed: Bool
    var isFinished = false
    var serial = 0
    /// The numbers of the latest steps.
    var armSerial = 0
    var workSerial = 0
    var previewSerial = 0
    /// The document that the preview is of.
    var previewed: DocumentLocation?
    /// The account whose space was asked for last.
    var measured: DocumentLocation?
    /// What to do after a sign-in.
    var afterSignIn: PickerProblem?

    /// - Parameter showsPreview: whether there is a preview if there is room.
    package init(task: PickerTask, size: TerminalSize, showsPreview: Bool = true) {
        self.task = task
        self.size = size
        self.showsPreview = showsPreview
        listing = PickerListing(place: .accounts, serial: 0)
        terms = task.terms
        if let asker = task.asker, !asker.mayWrite { terms.isReadOnly = true }
        isArmed = task.asker == nil
    }

    /// Whether something is awaited that changes what is shown.
    package var isBusy: Bool {
        if case .work = panel { return true }
        return !listing.isComplete && listing.problem == nil
    }

    /// Handles an event.
    ///
    /// - Returns: what is to be done, in order.
    package mutating func handle(_ event: PickerEvent) -> [PickerEffect] {
        guard !isFinished else { return [] }
        var effects = respond(to: event)
        listing.scroll(rows: listRows)
        effects += refreshPreview()
        if effects.contains(where: { if case .finish = $0 { true } else { false } }) { isFinished = true }
        return effects
    }

    private mutating func respond(to event: PickerEvent) -> [PickerEffect] {
        switch event {
        case .began: return begin()
        case .key(let key): return handle(key)
        case .line(let text): return handle(line: text)
        case .resized(let size):
            self.size = size
            return [.redraw]
        case .accounts(let accounts, let shortcuts, let serial):
            guard serial == listing.serial else { return [] }
            listing.show(accounts, shortcuts.filter { $0 == .starred || !task.wantsOnlyFolder })
        case .space(let space, let provider, let domain):
            listing.set(space, provider: provider, domain: domain)
        case .page(let entries, let remembered, let isLast, let serial):
            guard serial == listing.serial else { return [] }
            listing.append(entries)
            listing.remembered = remembered ?? listing.remembered
            listing.isComplete = isLast
        case .searched(let gaps, let isCut, let serial):
            guard serial == listing.serial else { return [] }
            (listing.gaps, listing.isCut, listing.isComplete) = (gaps, isCut, true)
        case .listingFailed(let error, let serial):
            guard serial == listing.serial else { return [] }
            listing.problem = error
        case .preview(let lines, let serial):
            if serial == previewSerial { preview = lines }
        case .followed(let entry, let serial):
            guard isWaiting(for: serial) else { return [] }
            panel = .list
            return activate(entry)
        case .lookedUp(let entry, let serial):
            guard isWaiting(for: serial) else { return [] }
            return nameIsFree(unless: entry)
        case .madeFolder(let name, let serial):
            guard isWaiting(for: serial), let folder = listing.folder else { return [] }
            panel = .list
            return open(.folder(folder.appending(name)))
        case .progressed(let progress, let serial):
            guard isWaiting(for: serial), case .work(var work) = panel else { return [] }
            work.progress = progress
            panel = .work(work)
        case .worked(let serial):
            guard isWaiting(for: serial), case .work(let work) = panel, let next = work.next else { return [] }
            return work.kind == .committing ? [.remember(folder(of: next)), .finish(next)] : confirmed(next)
        case .failed(let error, let serial):
            guard isWaiting(for: serial), case .work(let work) = panel else { return [] }
            show(error, of: work)
        case .signedIn(let error): return signedIn(error)
        case .requests(let isWaiting, let others):
            otherRequests = others
            // While the answer is checked, the daemon does not list the request.
            if case .work = panel { return [] }
            if !isWaiting { return [.finish(.withdrawn)] }
        case .armed(let serial): if serial == armSerial { isArmed = true }
        case .ended: return [.finish(.cancelled)]
        }
        return []
    }

    private func isWaiting(for serial: Int) -> Bool {
        guard case .work = panel else { return false }
        return serial == workSerial
    }

    private mutating func begin() -> [PickerEffect] {
        var effects: [PickerEffect] = task.asker == nil ? [] : arm()
        effects += open(task.start.map { .folder($0) } ?? .accounts)
        return effects
    }

    // MARK: Steps

    /// The next number.
    mutating func next() -> Int {
        serial += 1
        return serial
    }

    /// Lets the confirming key count only after it has been visible for a while.
    mutating func arm() -> [PickerEffect] {
        isArmed = false
        armSerial = next()
        return [.arm(serial: armSerial)]
    }

    /// Shows a step, and returns its number.
    mutating func work(_ kind: PickerWork.Kind, _ text: String, next outcome: PickerOutcome? = nil) -> Int {
        workSerial = next()
        panel = .work(PickerWork(kind: kind, text: text, next: outcome))
        return workSerial
    }

    /// Shows a place.
    ///
    /// - Parameter sought: the name that gets the cursor.
    mutating func open(_ place: PickerListing.Place, seeking sought: String? = nil) -> [PickerEffect] {
        let serial = next()
        listing = PickerListing(
            place: place, serial: serial, showsPlace: task.wantsFolder && place.isFolder, sought: sought)
        panel = .list
        message = nil
        switch place {
        case .accounts: return [.loadAccounts(serial: serial)]
        case .folder(let location): return [.list(location, serial: serial)]
        case .shortcut(let shortcut): return [.listShortcut(shortcut, serial: serial)]
        case .search(let text): return [.search(text, serial: serial)]
        }
    }

    /// Asks for the beginning of the document under the cursor, if it is another one now.
    private mutating func refreshPreview() -> [PickerEffect] {
        var wanted: DocumentLocation?
        if showsPreview, panel == .list, hasPreviewRoom, let entry = listing.entry, entry.isDownloaded,
            !entry.isFolder, !entry.isLink, (entry.size ?? 0) > 0
        {
            wanted = listing.location(of: entry)
        }
        guard wanted != previewed else { return measure() }
        previewed = wanted
        preview = nil
        previewSerial = next()
        return measure() + [
            .preview(wanted, contentType: listing.entry?.contentType ?? "", serial: previewSerial)
        ]
    }

    /// Asks how much space the account under the cursor has, if it is another one now.
    private mutating func measure() -> [PickerEffect] {
        guard panel == .list, let account = listing.account, account.state == "ready", account.space == nil,
            account.location != measured
        else { return [] }
        measured = account.location
        return [.measure(provider: account.provider, domain: account.domain)]
    }

    // MARK: Sizes

    /// Whether the terminal is wide enough for a list and a preview.
    package var hasPreviewRoom: Bool { size.columns >= 76 && size.rows >= 8 }

    /// The number of rows for the list.
    package var listRows: Int { max(1, size.rows - headRows - footRows) }

    /// The rows above the list: the title, who asks, the place, the filter.
    package var headRows: Int { size.rows < 8 ? 1 : 3 + askerRows }

    /// The rows below: a message, and the keys.
    package var footRows: Int { size.rows < 6 ? 1 : 2 }

    /// The rows for who asks.
    package var askerRows: Int {
        guard let asker = task.asker else { return 0 }
        let rows = 1 + (asker.reason == nil ? 0 : 1) + (otherRequests > 0 ? 1 : 0)
        return size.rows < 12 ? 1 : rows
    }
}
