import Documents

@testable import TerminalPicker

/// States and events for the tests of the picker.
enum PickerSamples {
    static let folder = DocumentLocation(provider: "org.docent.LocalFolder", path: "/Papers")

    static let accounts = [
        PickerAccount(provider: "org.docent.LocalFolder", providerName: "Local Folder"),
        PickerAccount(
            provider: "org.docent.WebDAV", domain: "work", providerName: "WebDAV", displayName: "Work",
            state: "signedOut"),
        PickerAccount(
            provider: "org.docent.WebDAV", domain: "home", providerName: "WebDAV", displayName: "Home",
            state: "offline", pendingChanges: 3),
        PickerAccount(
            provider: "org.docent.Rclone", domain: "drive", providerName: "Rclone", displayName: "Drive",
            space: AccountUsage(availableBytes: 10)),
    ]

    static let entries = [
        PickerEntry(name: "Archive", contentType: "public.folder", isFolder: true),
        PickerEntry(
            name: "minutes.txt", contentType: "public.plain-text", size: 12_500, modificationDate: 1_780_000_000),
        PickerEntry(name: "photo.png", contentType: "public.png", size: 4_200_000, isChoosable: false),
        PickerEntry(name: "remote.txt", contentType: "public.plain-text", size: 999, isDownloaded: false),
    ]

    static let open = PickerTask(title: "Choose a document", verb: "open")

    /// A picker that shows a folder with these entries.
    static func shown(
        _ task: PickerTask = open, _ entries: [PickerEntry] = entries, size: TerminalSize = TerminalSize()
    ) -> PickerState {
        var task = task
        task.start = folder
        var state = PickerState(task: task, size: size)
        _ = state.handle(.began)
        _ = state.handle(.page(entries, remembered: nil, isLast: true, serial: state.listing.serial))
        return state
    }

    /// The lines as a terminal shows them, without trailing spaces.
    static func text(_ state: PickerState) -> [String] {
        PickerDrawing(state).frame().lines.map { line in
            var cells: [String] = []
            for span in line.spans.sorted(by: { $0.column < $1.column }) {
                while cells.count < span.column { cells.append(" ") }
                cells.removeLast(max(0, cells.count - span.column))
                for character in span.text {
                    cells.append(String(character))
                    // A wide letter takes two cells.
                    if character.unicodeScalars.contains(where: { $0.value >= 0x1100 && $0.value < 0xFFFF }),
                        character != "…"
                    {
                        cells.append("")
                    }
                }
            }
            let text = cells.joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension PickerState {
    /// Types keys, and returns the effects of the last, without those for what is under the cursor.
    @discardableResult
    mutating func type(_ keys: Key...) -> [PickerEffect] {
        var effects: [PickerEffect] = []
        for key in keys { effects = handle(.key(key)) }
        return effects.filter {
            switch $0 {
            case .preview, .measure: false
            default: true
            }
        }
    }

    @discardableResult
    mutating func type(_ text: String) -> [PickerEffect] {
        var effects: [PickerEffect] = []
        for character in text { effects = type(.character(character)) }
        return effects
    }
}
