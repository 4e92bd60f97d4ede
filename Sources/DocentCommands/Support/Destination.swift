import CommandConsole
import Documents

/// Where a file of this machine is to go: a folder at a provider, and a name in it.
struct Destination: Equatable {
    let folder: DocumentLocation
    let name: String

    /// The new document's location.
    var location: DocumentLocation {
        let path = folder.path.hasSuffix("/") ? folder.path + name : folder.path + "/" + name
        return DocumentLocation(provider: folder.provider, domain: folder.domain, path: path)
    }

    /// What a location means: a folder that is there, or one that is written with a slash at its end, keeps the file's own
    /// name; anything else is the folder above it and a new name. Pure.
    ///
    /// - Parameter isFolder: what lies there; nil for nothing.
    init(_ location: DocumentLocation, fileName: String, isFolder: Bool?) {
        if isFolder == true || location.name.isEmpty || location.path.hasSuffix("/") {
            folder = location
            name = fileName
        } else {
            folder = location.parent
            name = location.name
        }
    }

    /// Looks at what is there.
    static func find(
        _ location: DocumentLocation, file: String, picker: DocumentPicker
    ) async throws -> Destination {
        let fileName = FileNames.last(of: file)
        guard !fileName.isEmpty else { throw DocumentsError(.invalidArgument, "\"\(file)\" is no name of a file.") }
        if location.name.isEmpty || location.path.hasSuffix("/") {
            return Destination(location, fileName: fileName, isFolder: true)
        }
        return Destination(location, fileName: fileName, isFolder: try await picker.knownItem(at: location)?.isFolder)
    }
}

extension DocumentPicker {
    /// The item at a location, nil when there is none, or none to be seen: a drop box shows nothing (A5).
    func existing(at location: DocumentLocation) async throws -> DocumentItem? {
        do {
            return try await item(at: location)
        } catch let error where [.notFound, .notPermitted].contains(error.code) {
            return nil
        }
    }

    /// The same where nobody can ask the provider now: nil also when nothing is known of the name in a folder that is known. What is put
    /// there waits to be sent, and replaces nothing then.
    func knownItem(at location: DocumentLocation) async throws -> DocumentItem? {
        do {
            return try await existing(at: location)
        } catch let error as DocumentsError where [.unavailable, .notAuthenticated].contains(error.code) {
            guard !location.name.isEmpty, let folder = try? await item(at: location.parent), folder.isFolder else {
                throw error
            }
            return nil
        }
    }
}
