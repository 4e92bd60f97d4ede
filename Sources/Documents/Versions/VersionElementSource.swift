/// Opens the elements in a version of a package. What was not on this machine when the version was kept is taken from
/// the present package if it has not changed since.
struct VersionElementSource {
    private let version: FileVersion
    private var present: [String: PackageElement]?

    init(_ version: FileVersion) { self.version = version }

    /// Opens an element for reading; the caller closes it.
    ///
    /// - Throws: ``DocumentsError`` `notFound` if its content is nowhere.
    mutating func open(_ element: PackageElement) async throws(DocumentsError) -> CInt {
        guard element.isMissing else { return try await version.openForReading(element) }
        let reader = PackageReader(reference: version.document, client: version.client)
        if present == nil {
            present = Dictionary(try await reader.elements().map { ($0.path, $0) }) { first, _ in first }
        }
        guard let now = present?[element.path], !now.isFolder, let wanted = element.version,
            now.version == wanted || now.formerVersion == wanted
        else {
            throw DocumentsError(
                .notFound,
                "\"\(element.path)\" was not on this machine when this version was kept, and has changed since.",
                suggestion: "`docent history` lists the other versions.")
        }
        return try await reader.openForReading(now)
    }
}
