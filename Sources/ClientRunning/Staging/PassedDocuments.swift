import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import Varlink

/// The documents of `--document`: granted to the client, and shown in its sandbox (S6).
struct PassedDocuments: Sendable {
    /// The paths inside, by number from 1; nil for a folder, which is granted but has no path.
    var paths: [String?] = []
    var mounts: [ClientMount] = []
    var staged: [StagedDocument] = []
}

/// Grants the documents and prepares them.
struct DocumentPassing: Sendable {
    let request: RunRequest
    /// Acts for the user.
    let administrator: DocumentsClient
    /// The client itself, outside its sandbox.
    let client: DocumentsClient
    let run: RunFolder
    /// Where the documents are shown.
    let grantedFolder: String

    /// - Throws: ``DocumentsError``.
    func pass() async throws -> PassedDocuments {
        var passed = PassedDocuments()
        for (index, argument) in request.documents.enumerated() {
            try await pass(argument, number: index + 1, &passed)
        }
        return passed
    }

    private func pass(_ argument: RunDocument, number: Int, _ passed: inout PassedDocuments) async throws {
        let access = argument.access ?? request.defaultAccess
        let item = DocumentItem(
            try await administrator.call(
                AdministrationInterface.AddGrant.self,
                .init(
                    clientKind: "run", client: request.client, location: argument.location.wire,
                    access: access.rawValue, persist: false)
            ).value.item)
        guard !item.isFolder else { return passed.paths.append(nil) }
        let name = try Self.fileName(item.name)
        let folder = "\(grantedFolder)/\(number)"
        passed.paths.append("\(folder)/\(name)")
        guard access == .read else {
            let staged = try await StagedDocument.stage(
                item.reference, name: name, location: argument.location, number: number, run: run, client: client)
            passed.staged.append(staged)
            return passed.mounts.append(ClientMount(staged.folder, at: folder, isWritable: true))
        }
        let snapshot = try await snapshot(item.reference, argument.location, number)
        passed.mounts.append(ClientMount(snapshot, at: "\(folder)/\(name)"))
    }

    /// Copies the content as the client itself reads it now; the copy shares its blocks if the file system supports
    /// that. The client reads from a view that has no path here, so the view cannot be mounted.
    private func snapshot(_ reference: DocumentReference, _ location: DocumentLocation, _ number: Int) async throws
        -> String
    {
        let content = try await client.document(reference, access: .read).openForReading()
        defer { close(content) }
        let copy = "\(run.path)/\(number)"
        let made = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o400)
        guard made >= 0 else {
            throw DocumentsError(.failed, "\(location) cannot be copied: \(String(cString: strerror(errno))).")
        }
        defer { close(made) }
        try DescriptorCopy.copy(from: content, to: made)
        return copy
    }

    /// The name, if a file here can have it.
    static func fileName(_ name: String) throws(DocumentsError) -> String {
        guard !name.isEmpty, name != ".", name != "..", !name.contains("/"), !name.utf8.contains(0),
            name.utf8.count <= 255
        else {
            throw DocumentsError(.invalidArgument, "\"\(SafeText.escaped(name))\" cannot be the name of a file here.")
        }
        return name
    }
}
