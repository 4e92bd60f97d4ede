import FoundationEssentials
package import PickerDialog

/// A call of `org.freedesktop.impl.portal.FileChooser`. Pure.
package struct PortalRequest: Equatable, Sendable {
    package enum Method: String, Sendable {
        case openFile = "OpenFile"
        case saveFile = "SaveFile"
        case saveFiles = "SaveFiles"
    }

    /// More of anything is no request of an honest program.
    private static let mostNames = 1000
    private static let mostFilters = 64
    private static let mostPatterns = 1024
    /// The questions that fit into the window. The others get the answer that the program proposes.
    private static let mostChoices = 6
    private static let mostOptions = 64
    private static let longest = 4096
    /// The words of the window's own buttons: a program cannot call its button `Cancel`.
    private static let ownWords: Set = [
        "cancel", "refuse", "stop", "try again", "replace", "use the copy here", "make folder", "close", "back",
    ]

    package let method: Method
    /// The path of the object that ends the request.
    package let handle: String
    /// What the window shows.
    package let dialog: DialogRequest
    /// The filters and questions as they were sent, for the answer.
    let filters: [PortalFilter]
    /// The answers to questions that are not shown.
    let hiddenChoices: [(identifier: String, value: String)]

    /// - Parameter parameters: those of the call: handle, app_id, parent_window, title, options.
    /// - Returns: nil if that is no request that can be shown.
    package init?(method: Method, parameters: PortalValue) {
        guard let parameters = parameters.list, parameters.count == 5, let handle = parameters[0].text,
            let program = parameters[1].text, let parent = parameters[2].text, let title = parameters[3].text,
            let options = parameters[4].dictionary
        else { return nil }
        self.method = method
        self.handle = handle
        let isFolder = method == .openFile && options["directory"]?.boolean == true
        let choosesFolder = method == .saveFiles || isFolder
        var dialog = DialogRequest(mode: method == .saveFile ? .export : choosesFolder ? .folder : .open)
        var files = FileDialog()
        dialog.multiple = dialog.mode == .open && options["multiple"]?.boolean == true
        dialog.program = program.isEmpty ? nil : Self.short(program)
        // The program's words stand in quotation marks: the title of the window is Docent's.
        dialog.reason = title.isEmpty ? nil : Self.short(title)
        dialog.acceptLabel = options["accept_label"]?.text.flatMap(Self.label)
        files.parentWindow = parent.isEmpty ? nil : Self.short(parent)
        files.isModal = options["modal"]?.boolean ?? true
        // Only the rights of programs in a sandbox can be narrowed.
        files.canNarrow = method == .openFile && dialog.program != nil
        files.folder = options["current_folder"]?.path.flatMap(Self.absolute)

        switch method {
        case .openFile: break
        case .saveFile:
            dialog.currentName = options["current_name"]?.text.flatMap(Self.name)
            if let file = options["current_file"]?.path.flatMap(Self.absolute), let slash = file.lastIndex(of: "/") {
                dialog.currentName = Self.name(String(file[slash...].dropFirst())) ?? dialog.currentName
                files.folder = slash == file.startIndex ? "/" : String(file[..<slash])
            }
        case .saveFiles:
            guard let names = options["files"]?.list, !names.isEmpty, names.count <= Self.mostNames else { return nil }
            let plain = names.compactMap { $0.path.flatMap(Self.name) }
            guard plain.count == names.count else { return nil }
            files.names = plain
        }

        filters = PortalFilter.all(options, mostFilters: Self.mostFilters, mostPatterns: Self.mostPatterns)
        files.filters = filters.map(\.shown)
        if let current = options["current_filter"].flatMap(PortalFilter.init) {
            files.filter = filters.firstIndex(of: current)
        }
        if files.filter == nil, !filters.isEmpty { files.filter = 0 }

        let choices = (options["choices"]?.list ?? []).prefix(Self.mostNames).compactMap(Self.choice)
        files.choices = Array(choices.prefix(Self.mostChoices))
        hiddenChoices = choices.dropFirst(Self.mostChoices).map { ($0.identifier, $0.selected) }
        dialog.files = files
        self.dialog = dialog
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.method == right.method && left.handle == right.handle && left.dialog == right.dialog
            && left.filters == right.filters && left.hiddenChoices.elementsEqual(right.hiddenChoices, by: ==)
    }

    /// Who asked, for the order of the windows: the program, or the connection of one without a name.
    package var caller: String { dialog.program ?? connection ?? "" }

    /// The connection of the program that asked, as its handle names it; nil if it names none.
    package var connection: String? {
        let prefix = "/org/freedesktop/portal/desktop/request/"
        guard handle.hasPrefix(prefix) else { return nil }
        let sender = handle.dropFirst(prefix.count).prefix { $0 != "/" }
        guard !sender.isEmpty, sender.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "_") }) else {
            return nil
        }
        return ":" + sender.replacing("_", with: ".")
    }

    // MARK: Parts

    private static func short(_ text: String) -> String { String(text.unicodeScalars.prefix(longest)) }

    private static func absolute(_ path: String) -> String? {
        path.hasPrefix("/") && path.utf8.count <= longest ? path : nil
    }

    /// A name without a folder.
    private static func name(_ text: String) -> String? {
        let isPlain = !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 255
        return isPlain && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 } ? text : nil
    }

    /// The words of the confirming button, without the mark of its key; nil for Docent's own.
    private static func label(_ text: String) -> String? {
        var words = ""
        var rest = short(text)[...]
        while let letter = rest.popFirst() {
            guard letter == "_" else {
                words.append(letter)
                continue
            }
            if rest.first == "_" {
                words.append("_")
                rest.removeFirst()
            }
        }
        // Letters and spaces only: nothing that is hidden, moves something, or makes a word look like another.
        let isPlain = words.unicodeScalars.allSatisfy { letter in
            letter.properties.isAlphabetic || " -.&".unicodeScalars.contains(letter)
        }
        let name = words.split(separator: " ").joined(separator: " ")
        guard isPlain, !name.isEmpty, !ownWords.contains(name.lowercased().filter { $0 != "." }) else { return nil }
        return name
    }

    private static func choice(_ value: PortalValue) -> FileDialog.Choice? {
        guard let parts = value.list, parts.count == 4, let identifier = parts[0].text, let label = parts[1].text,
            let options = parts[2].list, let selected = parts[3].text
        else { return nil }
        let known = options.prefix(mostOptions).compactMap { option -> FileDialog.Choice.Option? in
            guard let parts = option.list, parts.count == 2, let identifier = parts[0].text, let label = parts[1].text
            else { return nil }
            return .init(identifier: identifier, label: short(label))
        }
        let initial =
            if known.isEmpty {
                selected == "true" ? "true" : "false"
            } else {
                known.contains { $0.identifier == selected } ? selected : known[0].identifier
            }
        return .init(identifier: identifier, label: short(label), options: known, selected: initial)
    }
}
