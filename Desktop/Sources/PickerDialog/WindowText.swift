import CommandConsole
import Documents
package import TerminalPicker

/// The words of the window. Whatever comes from programs, providers and servers is made harmless here, and is too short
/// to push a control off the screen. Pure.
package enum WindowText {
    /// A row of the list.
    package struct Row: Equatable, Sendable {
        /// The name of an icon of the desktop's theme.
        package var icon: String
        package var name: String
        package var detail: String
        package var isEnabled: Bool
    }

    /// A way on from a notice.
    package enum Way: Equatable, Sendable {
        case retry
        case replace
        case useCopies
    }

    /// The most characters of a foreign text in the window, and on a button.
    private static let longest = 200
    private static let longestButton = 24
    private static let longestQuestion = 60
    private static let mostNames = 3

    // MARK: The request

    package static func title(_ request: DialogRequest) -> String {
        request.title.map { foreign($0) } ?? words(request).title
    }

    package static func accept(_ request: DialogRequest) -> String {
        request.acceptLabel.map { foreign($0, longestButton) } ?? words(request).accept
    }

    /// Who asks; nil if the person began.
    package static func asker(_ model: WindowModel) -> String? {
        if let asker = model.asker {
            let process = asker.process.map { ", process \($0)" } ?? ""
            return "\(foreign(asker.client)) (\(foreign(asker.strength))\(process)) asks"
                + (asker.mayWrite ? " to change it" : "")
        }
        let unknown = model.request.files == nil ? nil : "A program asks"
        return model.request.program.map { "\(quoted($0)) asks" } ?? unknown
    }

    /// What it says itself.
    package static func reason(_ model: WindowModel) -> String? {
        (model.asker?.reason ?? model.request.reason).map { "It says: \(quoted($0))" }
    }

    /// The names that are saved in the chosen folder; nil if one or none is asked for.
    package static func names(_ request: DialogRequest) -> String? {
        guard let names = request.files?.names, !names.isEmpty else { return nil }
        let shown = names.prefix(mostNames).map { quoted($0) }.joined(separator: ", ")
        return "Saves \(shown)" + (names.count > mostNames ? " and \(names.count - mostNames) more" : "")
    }

    /// The questions of a program beside that for the files, and the names of its filters.
    package static func question(_ text: String) -> String { quoted(text, longestQuestion) }

    package static func others(_ model: WindowModel) -> String? {
        model.others > 0 ? PickerDrawing.others(model.others) : nil
    }

    /// The files beside the document that the program asks for too; nil for none.
    package static func companions(_ asker: PickerAsker) -> String? {
        guard !asker.companions.isEmpty else { return nil }
        return "With what is beside it: \(foreign(asker.companions.prefix(8).joined(separator: ", ")))"
    }

    private static func words(_ request: DialogRequest) -> (title: String, accept: String) {
        switch request.mode {
        case .open: (request.multiple ? "Choose Documents" : "Choose a Document", "Open")
        case .import: (request.multiple ? "Choose Documents to Copy" : "Choose a Document to Copy", "Import")
        case .folder:
            request.files?.names.isEmpty == false
                ? ("Choose Where to Save", "Save") : ("Choose a Folder", "Choose")
        case .export: ("Choose Where to Save", "Save")
        case .move: ("Choose Where to Move It", "Move")
        }
    }

    // MARK: Rows

    package static func place(_ model: WindowModel) -> String {
        guard let folder = model.folder else { return model.request.files == nil ? "Accounts" : "Places" }
        return foreign(LocalFiles.contains(folder) ? folder.path : folder.description, 1000)
    }

    package static func row(_ row: Int, of model: WindowModel) -> Row? {
        if let account = model.account(at: row) {
            return Row(
                icon: account.provider == LocalFiles.provider ? "user-home-symbolic" : "folder-remote-symbolic",
                name: foreign(account.title), detail: account.status, isEnabled: true)
        }
        guard let entry = model.entry(at: row) else { return nil }
        return Row(icon: icon(entry), name: foreign(entry.name), detail: detail(entry), isEnabled: model.isEnabled(row))
    }

    private static func detail(_ entry: PickerEntry) -> String {
        if entry.isFolder { return "Folder" }
        if entry.isLink { return "Link" }
        var words = entry.size.map { [ByteCount.text($0)] } ?? []
        if !entry.isDownloaded {
            words.append("will be downloaded")
        } else if entry.isStale {
            words.append("the newest will be downloaded")
        }
        return words.joined(separator: ", ")
    }

    private static func icon(_ entry: PickerEntry) -> String {
        if entry.isFolder { return "folder-symbolic" }
        if entry.isLink { return "emblem-symbolic-link" }
        let pictures: Set = ["public.image", "public.png", "public.jpeg", "public.svg-image", "com.compuserve.gif"]
        return pictures.contains(entry.contentType) ? "image-x-generic-symbolic" : "text-x-generic-symbolic"
    }

    // MARK: Notices

    /// What the window says below its list, and the ways on; nil if there is nothing to say.
    package static func notice(_ model: WindowModel) -> (text: String, ways: [Way])? {
        switch model.notice {
        case .problem(let error): (problem(error), [.retry])
        case .failed(let work, let error): (problem(error), work.hasCopies ? [.retry, .useCopies] : [.retry])
        case .remembered(let listing):
            ("\(foreign(listing.reason)) This is what the folder held before.", [.retry])
        case .signedOut(let provider, let domain):
            ("Sign in first: docent login \(foreign(domain.isEmpty ? provider : "\(provider)@\(domain)"))", [.retry])
        case .badName: ("Type a name without a slash.", [])
        case .folderHasName(let name): ("\(quoted(name)) is a folder. Type another name.", [])
        case .takenForGood(let entry): ("\(quoted(entry.name)) exists. Type another name.", [])
        case .taken(let entry):
            (
                "\(quoted(entry.name)) exists" + (entry.size.map { ", with \(ByteCount.text($0))" } ?? "")
                    + ". Its content would be replaced.", [.replace]
            )
        case nil:
            if !model.isComplete {
                ("Listing\u{2026}", [])
            } else if model.visible.isEmpty {
                (model.filter.isEmpty ? "Nothing is here." : "No name contains what you typed.", [])
            } else {
                nil
            }
        }
    }

    private static func problem(_ error: DocumentsError) -> String {
        [error.message, error.suggestion ?? ""].filter { !$0.isEmpty }.map { foreign($0) }.joined(separator: " ")
    }

    /// What the window waits for; nil if it waits for nothing.
    package static func work(_ model: WindowModel) -> String? {
        guard let work = model.work else { return nil }
        let name = work.answer.locations.first.map { quoted($0.name) } ?? ""
        switch work.kind {
        case .following: return "Following \(name)\u{2026}"
        case .lookingUp: return "Looking for \(name)\u{2026}"
        case .makingFolder: return "Making the folder \(name)\u{2026}"
        case .committing: return "Passing it on\u{2026}"
        case .downloading:
            let missing = work.missing.count == 1 ? quoted(work.missing[0].name) : "\(work.missing.count) documents"
            guard let progress = work.progress else { return "Fetching \(missing)\u{2026}" }
            var text = "Fetching \(missing): \(ByteCount.text(progress.completedBytes))"
            if let total = progress.totalBytes { text += " of \(ByteCount.text(total))" }
            if let seconds = work.secondsLeft {
                text += seconds < 60 ? ", \(seconds) s left" : ", \(seconds / 60) min left"
            }
            return text
        }
    }

    // MARK: Foreign words

    /// One line without characters that hide or move something, of limited length.
    private static func foreign(_ text: String, _ most: Int = longest) -> String {
        let safe = ForeignText.harmless(String(text.unicodeScalars.prefix(most)))
        return safe.count > most ? safe.prefix(most - 1) + "\u{2026}" : safe
    }

    /// The same between quotation marks that it cannot close.
    private static func quoted(_ text: String, _ most: Int = longest) -> String {
        "\"\(foreign(text, most).replacing("\"", with: "\\x22"))\""
    }
}
