import CommandConsole
import Documents

/// The destination of a local file: a folder at a provider, and a name in it.
struct Destination: Equatable {
    let folder: DocumentLocation
    let name: String

    /// A folder and a name that were chosen.
    init(folder: DocumentLocation, name: String) {
        self.folder = folder
        self.name = name
    }

    /// The new document's location.
    var location: DocumentLocation {
        let path = folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
        return DocumentLocation(provider: folder.provider, domain: folder.domain, path: path)
    }

    /// Interprets a location. An existing folder, or a location with a trailing slash, is the folder, and the file
    /// keeps its own name. Otherwise the location is a folder followed by a new name. Pure.
    ///
    /// - Parameter isFolder: whether a folder is there; nil if nothing is.
    init(_ location: DocumentLocation, fileName: String, isFolder: Bool?) {
        if isFolder == true || location.name.isEmpty || location.path.hasSuffix("/") {
            folder = location
            name = fileName
        } else {
            folder = location.parent
            name = location.name
        }
    }

    /// Looks up what is at the location, and interprets it.
    static func find(
        _ location: DocumentLocation, file: String, picker: DocumentPicker
    ) async throws -> Destination {
        let fileName = FileNames.last(of: file)
        guard !fileName.isEmpty else {
            throw DocumentsError(.invalidArgument, "\"\(file)\" is not the name of a file.")
        }
        if location.name.isEmpty || location.path.hasSuffix("/") {
            return Destination(location, fileName: fileName, isFolder: true)
        }
        return Destination(location, fileName: fileName, isFolder: try await picker.knownItem(at: location)?.isFolder)
    }
}

extension DocumentPicker {
    /// The item at a location; nil if there is none, or if it cannot be seen: a drop box shows nothing (A5).
    func existing(at location: DocumentLocation) async throws -> DocumentItem? {
        do {
            return try await item(at: location)
        } catch let error where [.notFound, .notPermitted].contains(error.code) {
            return nil
        }
    }

    /// Like ``existing(at:)``, but also nil if the provider cannot be asked now, and the name is not known in a known
    /// folder. A document put there waits to be sent, and then replaces nothing.
    func knownItem(at location: DocumentLocation) async throws -> DocumentItem? {
        do {
            return try await existing(at: location)
        } catch let error as DocumentsError where [.unavailable, .notAuthenticated].contains(error.code) {
            guard !location.name.isEmpty, let folder = try? await item(at: location.parent), folder.isFolder else {
                throw error
            }
            // The folder may be known because the provider has answered again: it was restarted, or busy for a moment.
            do {
                return try await existing(at: location)
            } catch let error as DocumentsError where [.unavailable, .notAuthenticated].contains(error.code) {
                return nil
            }
        }
    }
}
