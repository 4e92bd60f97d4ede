package import Documents
package import FoundationEssentials

/// What `docent-picker` is asked on standard input, as JSON.
package struct DialogRequest: Equatable, Sendable {
    /// What a person chooses.
    package enum Mode: String, Codable, Sendable {
        /// Documents that are used where they are.
        case open
        /// Documents that are copied.
        case `import`
        /// A folder.
        case folder
        /// A folder and a name for a copy.
        case export
        /// A folder and a name for something that goes there. Nothing is replaced.
        case move
    }

    /// The most bytes of a request, and of that for a file dialog, which can have a thousand names.
    package static let longest = 1 << 16
    package static let longestDialog = 1 << 20

    package var mode: Mode
    /// Whether several documents can be chosen.
    package var multiple = false
    /// Whether the content of the chosen documents is fetched before the answer.
    package var downloads = false
    /// The title of the window; nil for Docent's own words.
    package var title: String?
    /// The confirming button; nil for Docent's own words.
    package var acceptLabel: String?
    /// The uniform types that can be chosen; nil for all.
    package var types: [String]?
    /// The proposed name, for ``Mode/export`` and ``Mode/move``.
    package var currentName: String?
    /// The folder to begin in; nil for that of the last time.
    package var currentFolder: DocumentLocation?
    /// The identifier of the program that asks; nil if the person began.
    package var program: String?
    /// The program's own words.
    package var reason: String?
    /// What a file dialog shows; nil if locations are chosen, not paths.
    package var files: FileDialog?

    private struct File: Codable {
        var mode: Mode
        var multiple: Bool?
        var downloads: Bool?
        var title: String?
        var acceptLabel: String?
        var types: [String]?
        var currentName: String?
        var currentFolder: String?
        var program: String?
        var reason: String?
        var files: FileDialog?
    }

    /// - Parameter mode: what is chosen. Content is fetched for ``Mode/open`` and ``Mode/import``.
    package init(mode: Mode) {
        self.mode = mode
        downloads = mode == .open || mode == .import
    }

    /// Reads a request. Members that are not known are ignored.
    ///
    /// - Parameter most: the bytes that it may have.
    /// - Throws: ``DocumentsError`` `invalidArgument` if it is too long, no JSON of this form, or names a folder that
    ///   is no location.
    package init(json: Data, most: Int = longest) throws(DocumentsError) {
        guard json.count <= most else { throw DocumentsError(.invalidArgument, "The request is too long.") }
        let file: File
        do { file = try JSONDecoder().decode(File.self, from: json) } catch {
            throw DocumentsError(.invalidArgument, "The request is not JSON of the expected form.")
        }
        self.init(mode: file.mode)
        multiple = (file.multiple ?? false) && choosesDocuments
        downloads = (file.downloads ?? downloads) && choosesDocuments
        title = file.title
        acceptLabel = file.acceptLabel
        types = file.types
        currentName = file.currentName
        program = file.program
        reason = file.reason
        files = file.files
        guard let folder = file.currentFolder else { return }
        do { currentFolder = try DocumentLocation(folder) } catch {
            throw DocumentsError(.invalidArgument, "currentFolder is not a location.")
        }
    }

    /// The request as JSON on one line.
    package func json() throws -> Data {
        try JSONEncoder().encode(
            File(
                mode: mode, multiple: multiple, downloads: downloads, title: title, acceptLabel: acceptLabel,
                types: types, currentName: currentName, currentFolder: currentFolder?.description, program: program,
                reason: reason, files: files))
    }

    /// Whether documents are chosen, not folders.
    package var choosesDocuments: Bool { mode == .open || mode == .import }

    /// Whether a name is chosen, and what has it already matters.
    package var choosesName: Bool { mode == .export || mode == .move }

    /// The mode that the providers must have. A program uses the paths of a file dialog itself, also to save.
    package var providerMode: String { mode == .folder || files != nil ? Mode.open.rawValue : mode.rawValue }
}
