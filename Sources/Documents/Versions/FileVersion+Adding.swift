import DocentInterfaces
import FoundationEssentials
import Glibc
import Varlink

extension FileVersion {
    /// Keeps content beside a document as a version of it (`addOfItem`). The document itself stays as it is.
    ///
    /// - Parameters:
    ///   - document: the document, with the right to write it.
    ///   - descriptor: a regular file that is open for reading; read from its start. The caller closes it.
    ///   - name: what the version is called; nil for the name of the document.
    ///   - modificationDate: when the content was made, in seconds since 1970; nil for now.
    /// - Returns: the version.
    /// - Throws: ``DocumentsError``: `notPermitted` without the right to write the document; `invalidArgument` for an
    ///   empty file; `noSpace`.
    @discardableResult
    public static func addVersion(
        of document: SecurityScopedDocument, contentsOf descriptor: CInt, name: String? = nil,
        modificationDate: Double? = nil
    ) async throws(DocumentsError) -> FileVersion {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw DocumentsError(.invalidArgument, "There is no such open file.") }
        let reply = try await document.client.call(
            DocumentsInterface.AddVersion.self,
            .init(
                reference: document.reference.wire, file: 0, operation: OperationIdentifier.make(), name: name,
                modificationDate: modificationDate),
            descriptors: DescriptorList(OwnedDescriptor(copy)), attempts: WriteSession.attempts)
        return FileVersion(reply.value.version, of: document.reference, client: document.client)
    }

    /// Makes a new folder for the content of a version that is to be added
    /// (`temporaryDirectoryURLForNewVersionOfItem`). It is this user's alone, in TMPDIR or `/tmp`; the caller removes
    /// it.
    ///
    /// - Returns: its absolute path.
    /// - Throws: ``DocumentsError`` `failed` if it cannot be made.
    public static func makeTemporaryDirectoryForNewVersion(
        of document: SecurityScopedDocument
    ) throws(DocumentsError) -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(folder)/docent-version-XXXXXX".utf8CString)
        let isMade = mkdtemp(&template) != nil
        guard isMade else {
            throw DocumentsError(
                .failed, "A folder cannot be made in \(folder): \(String(cString: strerror(errno))).",
                suggestion: "Set TMPDIR to a folder of yours.")
        }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
