import Documents
import FoundationEssentials
import Glibc
import ProviderInstallation

/// Adds a mounted folder to the places of file dialogs: those of GTK 3 and 4, and of KDE and Qt.
struct MountPlaces {
    private let gtk: String
    private let kde: String

    /// - Throws: ``DocumentsError`` `invalidArgument` if the environment names no home.
    init(_ environment: [String: String]) throws(DocumentsError) {
        gtk = try ConfigurationFolder.path(environment) + "/gtk-3.0/bookmarks"
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        kde = (data ?? (environment["HOME"] ?? "") + "/.local/share") + "/user-places.xbel"
    }

    /// - Parameter folder: its absolute path.
    func add(_ folder: String) throws {
        let (url, name) = (PlacesFile.url(of: folder), Self.name(of: folder))
        try change(gtk, isMade: true) { PlacesFile.addingLine(url, name, to: $0) }
        // KDE makes this file with its own places in it.
        try change(kde) { PlacesFile.addingBookmark(url, name, to: $0) }
    }

    func remove(_ folder: String) throws {
        let url = PlacesFile.url(of: folder)
        try change(gtk) { PlacesFile.removingLine(url, from: $0) }
        try change(kde) { PlacesFile.removingBookmark(url, from: $0) }
    }

    // A name on a line of its own.
    private static func name(of folder: String) -> String {
        let last = folder.split(separator: "/").last.map(String.init) ?? folder
        return String(last.map { $0.isNewline ? " " : $0 })
    }

    /// Replaces the content of a file, if it changes. A link to it stays one.
    ///
    /// - Parameter isMade: whether to make the file if there is none.
    private func change(_ path: String, isMade: Bool = false, _ body: (String) -> String?) throws {
        let target = FileWork.canonical(path) ?? path
        let isThere = FileWork.isFile(target)
        guard isThere || isMade else { return }
        let bytes = isThere ? try FileWork.read(target) : []
        guard let text = String(validating: bytes, as: UTF8.self), let changed = body(text) else {
            throw DocumentsError(
                .invalidArgument, "\(path) is not understood; it stays as it is.",
                suggestion: "Add the folder in a file manager instead.")
        }
        guard !changed.utf8.elementsEqual(bytes) else { return }
        try FileWork.makeDirectories(FileWork.parent(target), mode: 0o700)
        let temporary = "\(target).\(getpid()).new"
        try FileWork.remove(temporary)
        try FileWork.create(temporary, Array(changed.utf8))
        do {
            try FileWork.move(temporary, to: target)
        } catch {
            unlink(temporary)
            throw error
        }
    }
}
