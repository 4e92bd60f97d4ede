import DocentInterfaces
import Varlink

/// Reads a package element by element.
///
/// Use it within a coordinated read, so that no one replaces the package between two elements;
/// ``ReadingAccess/package`` returns one.
public struct PackageReader: Sendable {
    /// The package.
    public let reference: DocumentReference
    /// The package's version when the reader was created; nil when unknown.
    public let version: String?
    /// The session with the right to the package.
    public let client: DocumentsClient

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - reference: the package.
    ///   - version: the package's current version, if known; ``FileWrapper`` needs it to save incrementally.
    ///   - client: the session that has the right to the package.
    public init(reference: DocumentReference, version: String? = nil, client: DocumentsClient) {
        self.reference = reference
        self.version = version
        self.client = client
    }

    /// All files and folders of the package, at any depth, each folder before its contents.
    ///
    /// - Throws: ``DocumentsError``; `notSupported` for a package that contains a symbolic link or too many elements.
    public func elements() async throws(DocumentsError) -> [PackageElement] {
        var found: [PackageElement] = []
        var folders = [(path: "", reference: reference)]
        while let folder = folders.popLast() {
            for item in try await items(in: folder.reference) {
                try ElementName.check(item.name)
                let path = folder.path.isEmpty ? item.name : folder.path + "/" + item.name
                guard item.contentType != "public.symlink" else {
                    throw DocumentsError(
                        .notSupported, "The package contains a symbolic link, \"\(path)\".",
                        suggestion: "Replace the link by its target; packages consist of files and folders.")
                }
                let element = DocumentReference(item.reference)
                found.append(
                    PackageElement(
                        path: path, isFolder: item.isFolder, size: item.isFolder ? nil : item.size,
                        version: item.version, reference: element, formerVersion: item.formerVersion))
                guard found.count <= Self.mostElements else { throw Self.tooMany }
                if item.isFolder { folders.append((path, element)) }
            }
        }
        return found
    }

    // A provider with in-place documents could return endless elements, or endless empty pages.
    private static let mostElements = 10_000

    private static var tooMany: DocumentsError {
        DocumentsError(
            .notSupported, "The package has more than \(mostElements) elements.",
            suggestion: "Keep its content in an ordinary folder.")
    }

    /// Opens an element for reading.
    ///
    /// - Returns: a new open file description, positioned at the start, which the caller closes. It keeps reading the
    ///   same content when the element is replaced.
    /// - Throws: ``DocumentsError``: `invalidArgument` for a folder, `notFound`, or the provider's error.
    public func openForReading(_ element: PackageElement) async throws(DocumentsError) -> CInt {
        guard let reference = element.reference, !element.isFolder else {
            throw DocumentsError(.invalidArgument, "\"\(element.path)\" cannot be read: it is a folder.")
        }
        let reply = try await client.call(DocumentsInterface.Open.self, .init(reference: reference.wire))
        do { return try reply.descriptors.take(reply.value.file).release() } catch {
            throw DocumentsError(Failure.from(error))
        }
    }

    private func items(in folder: DocumentReference) async throws(DocumentsError) -> [Wire.Item] {
        var items: [Wire.Item] = []
        var pages = 0
        var page: String?
        repeat {
            let reply = try await client.call(DocumentsInterface.List.self, .init(reference: folder.wire, page: page))
                .value
            items += reply.items
            pages += 1
            guard items.count <= Self.mostElements, pages <= Self.mostElements else { throw Self.tooMany }
            page = reply.nextPage
        } while page != nil
        return items
    }
}
