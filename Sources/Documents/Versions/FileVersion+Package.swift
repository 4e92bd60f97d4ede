import DocentInterfaces
import Varlink

extension FileVersion {
    /// All files and folders in a version of a package, at any depth, each folder before its contents.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted` without a right to the document; `notFound` when the version has
    ///   been removed; `invalidArgument` for a version that is a file.
    public func elements() async throws(DocumentsError) -> [PackageElement] {
        guard !isCurrent else { return try await reader.elements() }
        var found: [PackageElement] = []
        var page: String?
        repeat {
            let reply = try await client.call(
                DocumentsInterface.VersionElements.self,
                .init(reference: document.wire, version: persistentIdentifier, page: page)
            ).value
            for element in reply.elements {
                _ = try ElementName.components(of: element.path)
                found.append(PackageElement(element))
            }
            page = reply.nextPage
        } while page != nil
        return found
    }

    /// Opens a file in a version of a package for reading.
    ///
    /// - Parameter element: one of ``elements()``.
    /// - Returns: a new open file description, positioned at the start, which the caller closes.
    /// - Throws: ``DocumentsError``: `notPermitted` without a right to the document; `notFound` when the version has
    ///   been removed, and for an element whose content is not kept (``PackageElement/isMissing``); `invalidArgument`
    ///   for a folder.
    public func openForReading(_ element: PackageElement) async throws(DocumentsError) -> CInt {
        guard !isCurrent else { return try await reader.openForReading(element) }
        guard !element.isFolder else {
            throw DocumentsError(.invalidArgument, "\"\(element.path)\" cannot be read: it is a folder.")
        }
        let reply = try await client.call(
            DocumentsInterface.OpenVersion.self,
            .init(reference: document.wire, version: persistentIdentifier, path: element.path))
        do { return try reply.descriptors.take(reply.value.file ?? 0).release() } catch {
            throw DocumentsError(Failure.from(error))
        }
    }

    /// Reads a version of a package as a folder in memory, as ``FileWrapper/read(from:options:)`` reads the current
    /// one. To make it the content again, call ``replaceItem(within:)``, which needs none of that.
    ///
    /// - Throws: ``DocumentsError``: as ``elements()``; `notFound` if the content of an element is not kept.
    public func fileWrapper(
        options: FileWrapper.ReadingOptions = []
    ) async throws(DocumentsError) -> FileWrapper {
        guard !isCurrent else { return try await FileWrapper.read(from: reader, options: options) }
        return try await FileWrapper.read(elements(), options: options, origin: { _ in nil }) {
            (element) async throws(DocumentsError) in try await openForReading(element)
        }
    }

    private var reader: PackageReader { PackageReader(reference: document, client: client) }
}
