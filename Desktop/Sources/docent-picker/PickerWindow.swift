import CGTK
import Documents
import PickerDialog
import TerminalPicker

/// The window: it shows ``WindowModel``, and does what that wants done.
@MainActor
final class PickerWindow {
    /// How long the window is visible before a confirmation counts.
    private static let arming: Duration = .milliseconds(500)
    /// The window of this program, for the callbacks of GTK.
    private(set) static var shared: PickerWindow?

    private(set) var model: WindowModel
    private let source: WindowSource
    private let widgets: PickerWidgets
    private let commit: @MainActor (DialogAnswer, PickerTerms) async throws(DocumentsError) -> [String]
    private let finished: @MainActor (DialogAnswer?) -> Void
    private var listing: Task<Void, Never>?
    private var working: Task<Void, Never>?
    /// The rows that GTK knows, and what they are rows of.
    private var shownRows: [Int] = []
    private var shownPlace: PickerListing.Place?
    /// Whether the window itself changes what it shows, so that GTK's reports mean nothing.
    private var isShowing = false

    /// - Parameters:
    ///   - source: where the lists come from.
    ///   - commit: passes a choice on while the window is shown, if a program waits for it. Returns the paths of the
    ///     choice, for a file dialog.
    ///   - finished: called once, with the choice; nil if nothing was chosen.
    init(
        _ model: WindowModel, source: WindowSource,
        commit: @escaping @MainActor (DialogAnswer, PickerTerms) async throws(DocumentsError) -> [String] = { _, _ in
            []
        },
        finished: @escaping @MainActor (DialogAnswer?) -> Void
    ) {
        self.model = model
        self.source = source
        self.commit = commit
        self.finished = finished
        widgets = PickerWidgets(model)
        Self.shared = self
    }

    func show() {
        perform(model.begin(in: source.start()))
        draw()
        widgets.present()
        Task {
            try? await Task.sleep(for: Self.arming)
            model.arm()
            draw()
        }
    }

    // MARK: Signals

    func handle(_ signal: WindowSignal) {
        guard !isShowing, !model.isFinished else { return }
        switch signal {
        case .cancel: perform(model.cancel())
        case .escape: perform(model.escape())
        case .stop: perform(model.stop())
        case .up: perform(model.up())
        case .confirm: perform(model.confirm(name: widgets.name))
        case .filter: model.setFilter(widgets.filter)
        case .name: model.dismissNotice()
        case .retry: perform(model.retry())
        case .replace: perform(model.replace())
        case .useCopies: perform(model.useCopies())
        case .newFolder: widgets.askForFolder(!widgets.asksForFolder)
        case .makeFolder: perform(model.makeFolder(name: widgets.folderName))
        case .reload: perform(model.open(model.place))
        case .select: model.select(widgets.selection)
        case .terms: model.terms = widgets.terms ?? model.terms
        case .dialog:
            model.set(widgets.dialog ?? model.dialog)
            // Other rows can be chosen now.
            widgets.showRows(kept: 0, of: model.visible.count)
            select(model.selection)
        case .enter: return activate(model.selection.first ?? 0)
        case .down:
            if model.selection.isEmpty { model.select([0]) }
            select(model.selection)
            widgets.focusRows()
        }
        draw()
    }

    /// A key that means the same everywhere in the window.
    ///
    /// - Returns: whether it was used.
    func press(_ key: guint, _ hasAlt: Bool, _ hasControl: Bool) -> Bool {
        switch CInt(bitPattern: key) {
        case GDK_KEY_Escape: handle(.escape)
        case GDK_KEY_Up where hasAlt, GDK_KEY_Left where hasAlt: handle(.up)
        case GDK_KEY_F5: handle(.reload)
        case GDK_KEY_r where hasControl: handle(.reload)
        case GDK_KEY_Down where widgets.isFiltering && !model.visible.isEmpty: handle(.down)
        // GTK 4.8 goes through all rows, ten thousand if there are so many.
        case GDK_KEY_Tab where widgets.isInRows: widgets.focusAfterRows()
        case GDK_KEY_ISO_Left_Tab where widgets.isInRows: widgets.focusFilter()
        default: return false
        }
        return true
    }

    func activate(_ row: Int) {
        guard !isShowing, !model.isFinished else { return }
        if model.request.choosesName, let entry = model.entry(at: row), !entry.isFolder {
            // The name of a document is a proposal for what is saved.
            widgets.name = entry.name
        }
        perform(model.activate(row))
        draw()
    }

    /// What a row shows.
    func row(_ row: Int) -> WindowText.Row? { WindowText.row(row, of: model) }

    // MARK: From outside

    /// The program no longer waits.
    func withdraw() { perform(model.withdraw()) }

    /// So many other requests wait.
    func showOthers(_ count: Int) {
        model.others = count
        draw()
    }

    // MARK: Steps

    private func perform(_ steps: [WindowModel.Step]) {
        for step in steps {
            switch step {
            case .load(let place, let serial): load(place, serial)
            case .follow(let location, let serial):
                work(serial) { [source] window throws(DocumentsError) in
                    let entry = try await source.follow(location)
                    window.perform(window.model.followed(entry, at: location, serial: serial))
                }
            case .lookUp(let location, let serial):
                work(serial) { [source] window throws(DocumentsError) in
                    let entry = try await source.lookUp(location)
                    window.perform(window.model.lookedUp(entry, serial: serial))
                }
            case .makeFolder(let folder, let name, let serial):
                work(serial) { [source] window throws(DocumentsError) in
                    try await source.makeFolder(in: folder, name: name)
                    window.perform(window.model.worked(serial: serial))
                }
            case .download(let locations, let serial): download(locations, serial)
            case .commit(let answer, let serial):
                work(serial) { [commit, terms = model.terms] window throws(DocumentsError) in
                    let paths = try await commit(answer, terms)
                    window.perform(window.model.worked(serial: serial, paths: paths))
                }
            case .cancelWork: working?.cancel()
            case .finish(let answer): finish(answer)
            }
        }
    }

    private func load(_ place: PickerListing.Place, _ serial: Int) {
        listing?.cancel()
        listing = Task { [source] in
            do throws(DocumentsError) {
                switch place {
                case .accounts:
                    // This computer is there at once, whatever becomes of the accounts.
                    if !source.ownPlaces.isEmpty {
                        model.show(source.ownPlaces, serial: serial)
                        draw()
                    }
                    model.show(source.ownPlaces + (try await source.accounts()), serial: serial)
                case .folder(let folder):
                    try await source.list(folder) { entries, remembered, isLast in
                        Task { @MainActor in
                            self.model.append(entries, remembered: remembered, isLast: isLast, serial: serial)
                            self.draw()
                        }
                    }
                // Only the picker on the terminal has lists from all accounts; nothing here leads to one.
                case .shortcut, .search: break
                }
            } catch { model.failed(error, serial: serial) }
            draw()
        }
    }

    private func download(_ locations: [DocumentLocation], _ serial: Int) {
        work(serial) { [source] window throws(DocumentsError) in
            for location in locations {
                try await source.download(location) { progress in
                    Task { @MainActor in
                        window.model.progressed(progress, serial: serial)
                        window.draw()
                    }
                }
            }
            window.perform(window.model.worked(serial: serial))
        }
    }

    private func work(
        _ serial: Int, _ body: @escaping @MainActor (PickerWindow) async throws(DocumentsError) -> Void
    ) {
        working?.cancel()
        working = Task {
            do throws(DocumentsError) { try await body(self) } catch { model.failed(error, serial: serial) }
            draw()
        }
    }

    private func finish(_ answer: DialogAnswer?) {
        listing?.cancel()
        if answer != nil { source.remember(model.folder) }
        isShowing = true
        widgets.close()
        finished(answer)
    }

    // MARK: Drawing

    private func draw() {
        guard !model.isFinished else { return }
        isShowing = true
        defer { isShowing = false }
        showRows()
        widgets.showPlace(WindowText.place(model), hasUp: model.folder != nil && model.work == nil)
        if widgets.filter != model.filter { widgets.filter = model.filter }
        widgets.setConfirmable(model.canConfirm)
        widgets.showOthers(WindowText.others(model))
        let notice = WindowText.notice(model)
        widgets.showNotice(notice?.text ?? "", ways: notice?.ways ?? [], isArmed: model.canConfirm)
        widgets.showWork(
            WindowText.work(model), fraction: model.work?.fraction, canStop: model.work?.canStop ?? false)
        widgets.setCanMakeFolder(model.canMakeFolder)
    }

    private func showRows() {
        guard shownRows != model.visible || shownPlace != model.place else { return }
        // The focus does not stay on a row that now stands for something else and is not selected.
        if shownPlace != model.place {
            if widgets.isInRows || widgets.asksForFolder { widgets.focusFilter() }
            widgets.askForFolder(false)
        }
        // While a folder arrives, what is there already stays where it is.
        let isLonger = shownPlace == model.place && !shownRows.isEmpty && model.visible.starts(with: shownRows)
        widgets.showRows(kept: isLonger ? shownRows.count : 0, of: model.visible.count)
        (shownRows, shownPlace) = (model.visible, model.place)
        if !isLonger { widgets.select(model.selection) }
    }

    private func select(_ rows: [Int]) {
        isShowing = true
        widgets.select(rows)
        isShowing = false
    }
}
