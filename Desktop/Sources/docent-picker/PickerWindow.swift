import CGTK
import CommandConsole
import Documents
import FoundationEssentials
import Glibc
import PickerDialog
import TerminalPicker

/// The window: it shows ``WindowModel``, and does what that wants done.
@MainActor
final class PickerWindow {
    /// What a signal is about.
    enum Signal: Int {
        case cancel = 1
        case up
        case confirm
        case filter
        case name
        case retry
        case replace
        case select
        /// Enter in the filter.
        case enter
    }

    /// How long the window is visible before a confirmation counts.
    private static let arming: Duration = .milliseconds(500)
    /// The window of this program, for the callbacks of GTK.
    private(set) static var shared: PickerWindow?

    private var model: WindowModel
    private let source: DaemonPickerSource
    private let widgets: PickerWidgets
    private var listing: Task<Void, Never>?
    /// The number of visible rows that GTK knows, and what they are a list of.
    private var shownRows: [Int] = []
    private var shownPlace: PickerListing.Place?
    /// Whether the window itself changes what it shows, so that GTK's reports mean nothing.
    private var isShowing = false

    init(_ request: DialogRequest) {
        model = WindowModel(request)
        widgets = PickerWidgets(request)
        source = DaemonPickerSource(
            client: DocumentsClient(.init(clientIdentifier: "org.docent.picker")),
            mode: request.mode == .save ? nil : "open", types: request.types,
            memory: PickerMemory(environment: ProcessInfo.processInfo.environment),
            chooser: "window:\(request.program ?? "")",
            actions: .init(signIn: { _, _ in throw DocumentsError(.notSupported, "The window signs nobody in.") }))
        Self.shared = self
    }

    func show() {
        perform(model.begin())
        widgets.present()
        Task {
            try? await Task.sleep(for: Self.arming)
            model.arm()
            draw()
        }
    }

    // MARK: Signals

    func handle(_ signal: Signal) {
        guard !isShowing else { return }
        switch signal {
        case .cancel: perform(model.cancel())
        case .up: perform(model.up())
        case .confirm: perform(model.confirm(name: widgets.name))
        case .filter: model.setFilter(widgets.filter)
        case .name: model.dismissNotice()
        case .retry: perform(model.reload())
        case .replace: perform(model.replace())
        case .select: model.select(widgets.selection)
        case .enter: return activate(model.selection ?? 0)
        }
        draw()
    }

    func activate(_ row: Int) {
        if model.request.mode == .save, let entry = model.entry(at: row), !entry.isFolder {
            // The name of a document is a proposal for what is saved.
            widgets.name = entry.name
        }
        perform(model.activate(row))
        draw()
    }

    /// What a row shows.
    func row(_ row: Int) -> (name: String, detail: String, isEnabled: Bool)? {
        if let account = model.account(at: row) {
            return (SafeText.escaped(account.title), SafeText.escaped(account.status), true)
        }
        guard let entry = model.entry(at: row) else { return nil }
        let detail =
            entry.isFolder
            ? "Folder"
            : [entry.size.map(Self.size), entry.isDownloaded ? nil : "will be downloaded"]
                .compactMap(\.self).joined(separator: ", ")
        return (SafeText.escaped(entry.name), detail, model.isEnabled(row))
    }

    private static func size(_ bytes: Int) -> String {
        var value = Double(bytes)
        for unit in ["bytes", "kB", "MB", "GB"] {
            if value < 1000 { return unit == "bytes" ? "\(bytes) bytes" : "\((value * 10).rounded() / 10) \(unit)" }
            value /= 1000
        }
        return "\((value * 10).rounded() / 10) TB"
    }

    // MARK: Steps

    private func perform(_ steps: [WindowModel.Step]) {
        for step in steps {
            switch step {
            case .load(let place, let serial): load(place, serial)
            case .lookUp(let location, let serial): lookUp(location, serial)
            case .finish(let answer): finish(answer)
            }
        }
    }

    private func load(_ place: PickerListing.Place, _ serial: Int) {
        listing?.cancel()
        listing = Task { [source] in
            do throws(DocumentsError) {
                switch place {
                case .accounts: model.show(try await source.accounts(), serial: serial)
                case .folder(let folder):
                    try await source.list(folder) { entries, remembered, isLast in
                        Task { @MainActor in
                            self.model.append(entries, remembered: remembered, isLast: isLast, serial: serial)
                            self.draw()
                        }
                    }
                }
            } catch { model.failed(error, serial: serial) }
            draw()
        }
    }

    private func lookUp(_ location: DocumentLocation, _ serial: Int) {
        Task { [source] in
            do throws(DocumentsError) {
                let entry = try await source.lookUp(location)
                perform(model.lookedUp(entry, at: location, serial: serial))
            } catch { model.failed(error, serial: serial) }
            draw()
        }
    }

    private func finish(_ answer: DialogAnswer?) -> Never {
        guard let answer, let json = try? answer.json() else { exit(ExitStatus.cancelled.rawValue) }
        do { try StandardOutput.write(String(decoding: json, as: UTF8.self) + "\n") } catch {
            exit(ExitStatus.failed.rawValue)
        }
        exit(ExitStatus.done.rawValue)
    }

    // MARK: Drawing

    private func draw() {
        isShowing = true
        defer { isShowing = false }
        if shownRows != model.visible || shownPlace != model.place {
            // GTK asks for the text of a row when it shows it.
            widgets.showRows(model.visible.count)
            (shownRows, shownPlace) = (model.visible, model.place)
            widgets.select(model.selection)
        }
        widgets.showPlace(
            model.folder.map { SafeText.escaped($0.description) } ?? "Accounts", hasUp: model.folder != nil)
        if widgets.filter != model.filter { widgets.filter = model.filter }
        widgets.setConfirmable(model.canConfirm)
        let (text, way) = notice()
        widgets.showNotice(text, way: way)
    }

    private func notice() -> (String?, Signal?) {
        switch model.notice {
        case .problem(let error): (SafeText.escaped(error.message), .retry)
        case .remembered(let listing):
            (SafeText.escaped(listing.reason) + " This is what the folder held before.", .retry)
        case .signedOut(let provider, let domain):
            (
                "Sign in first: docent login \(SafeText.escaped(domain.isEmpty ? provider : "\(provider)@\(domain)"))",
                .retry
            )
        case .badName: ("Type a name without a slash.", nil)
        case .folderHasName(let name):
            ("\u{201C}\(SafeText.escaped(name))\u{201D} is a folder. Type another name.", nil)
        case .taken(let entry):
            (
                "\u{201C}\(SafeText.escaped(entry.name))\u{201D} exists\(entry.size.map { ", with \(Self.size($0))" } ?? "").",
                .replace
            )
        case nil: (model.isComplete ? (model.visible.isEmpty ? "Nothing is here." : nil) : "Listing\u{2026}", nil)
        }
    }
}
