package import FoundationEssentials

/// What makes a window a file dialog: files of this computer can be chosen too, and the answer is their paths. The
/// member `files` of a request, for `docent-portal`.
package struct FileDialog: Codable, Equatable, Sendable {
    /// A question of the program beside that for the files.
    package struct Choice: Codable, Equatable, Sendable {
        package struct Option: Codable, Equatable, Sendable {
            package var identifier: String
            package var label: String

            package init(identifier: String, label: String) {
                self.identifier = identifier
                self.label = label
            }
        }

        package var identifier: String
        package var label: String
        /// Empty for a box that is checked or not: `true` or `false`.
        package var options: [Option]
        /// The identifier of the option that is chosen at first.
        package var selected: String

        package init(identifier: String, label: String, options: [Option] = [], selected: String) {
            self.identifier = identifier
            self.label = label
            self.options = options
            self.selected = selected
        }
    }

    package var filters: [FileFilter] = []
    /// The position of the filter that is applied at first; nil for none.
    package var filter: Int?
    package var choices: [Choice] = []
    /// The names that are saved in the chosen folder; empty if one name or none is asked for.
    package var names: [String] = []
    /// The absolute path of the folder to begin in; nil for that of the last time.
    package var folder: String?
    /// The window that this one belongs to, as the portal names it: `x11:` and a number, or `wayland:` and a name.
    package var parentWindow: String?
    package var isModal = true
    /// Whether the person can narrow what the program gets to reading.
    package var canNarrow = false

    package init() {}
}

/// What a person chose in a file dialog: the member `files` of an answer.
package struct FileDialogAnswer: Codable, Equatable, Sendable {
    /// The absolute paths.
    package var paths: [String]
    /// The position of the filter that was applied.
    package var filter: Int?
    /// The answers to ``FileDialog/choices``, by their identifiers.
    package var choices: [String: String]
    /// Whether the program gets the files only for reading.
    package var isReadOnly: Bool

    package init(paths: [String], filter: Int? = nil, choices: [String: String] = [:], isReadOnly: Bool = false) {
        self.paths = paths
        self.filter = filter
        self.choices = choices
        self.isReadOnly = isReadOnly
    }

    private struct Line: Decodable { var files: FileDialogAnswer }

    /// Reads it from the line that the window has written; nil if that is none.
    package init?(line: Data) {
        guard let line = try? JSONDecoder().decode(Line.self, from: line) else { return nil }
        self = line.files
    }
}

/// What the window is reported while it is shown, one JSON object on a line.
package struct FileDialogNews: Codable, Equatable, Sendable {
    /// The number of other requests of the same program that wait.
    package var others: Int

    package init(others: Int) { self.others = others }

    /// Reads it from a line; nil if that is none.
    package init?(line: Data) {
        guard let news = try? JSONDecoder().decode(Self.self, from: line) else { return nil }
        self = news
    }
}
