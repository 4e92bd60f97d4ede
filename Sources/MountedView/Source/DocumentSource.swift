package import Documents
import FileSystemMessages

/// Where a view gets its documents from. The daemon is one; a test has its own.
package protocol DocumentSource: Sendable {
    /// The accounts that can be used.
    func accounts() async throws(DocumentsError) -> [ViewAccount]

    /// Whether it can be asked for one entry of a folder without the others.
    var findsByName: Bool { get }

    /// Calls a function whenever the accounts, or the entries of their top folders, have changed, until the task is
    /// cancelled: with what was changed in the tree already. Returns at once if the accounts are only known by asking.
    func followAccounts(_ changed: @escaping @Sendable ([ViewChange]) async -> Void) async

    /// Reports what changes in an account, until the task is cancelled or an error occurs.
    func observe(
        _ account: ViewAccount, _ received: @escaping @Sendable (DocumentsClient.News) async -> Void
    ) async throws(DocumentsError)

    /// All items of a folder.
    ///
    /// - Parameter folder: its location.
    func items(in folder: DocumentLocation) async throws(DocumentsError) -> [ViewItem]

    /// The item at a location; a link itself, not what it leads to.
    ///
    /// - Throws: ``DocumentsError``: `notFound` if it is certain that there is none.
    func item(at location: DocumentLocation) async throws(DocumentsError) -> ViewItem

    /// Opens the content of a document for reading, and fetches it if it is not on this machine.
    ///
    /// - Parameter asking: the program that wants it; nil when unknown.
    func open(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDocument

    /// Opens the content of a document of which parts are read, and fetches only those.
    ///
    /// - Parameter asking: the program that wants it; nil when unknown.
    func openParts(
        _ reference: DocumentReference, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceReading

    /// Begins to change the content of a document.
    ///
    /// - Parameters:
    ///   - isEmptied: whether the draft starts empty, not with the present content.
    ///   - base: the version that the writer has read; nil for the present one.
    ///   - asking: the program that writes; nil when unknown.
    func edit(
        _ reference: DocumentReference, isEmptied: Bool, base: String?, for asking: AskingProgram?
    ) async throws(DocumentsError) -> any SourceDraft

    /// Begins a document, which is created when the draft is committed.
    func create(_ name: String, in folder: DocumentReference) async throws(DocumentsError) -> any SourceDraft

    /// Finishes a change that another process has begun to commit, which has ended since.
    ///
    /// - Parameter operation: the name of the change.
    /// - Returns: the document as it was saved; nil if the change was not saved, and never will be.
    func finish(_ operation: String) async throws(DocumentsError) -> ViewItem?

    /// The versions of a document that are kept beside the current one, the newest first.
    func pastVersions(of reference: DocumentReference) async throws(DocumentsError) -> [FileVersion]

    /// Opens the content of a version for reading. The caller closes the descriptor.
    func open(_ version: FileVersion) async throws(DocumentsError) -> CInt

    /// The files and folders in a version of a package.
    func elements(of version: FileVersion) async throws(DocumentsError) -> [PackageElement]

    /// Opens a file in a version of a package for reading. The caller closes the descriptor.
    func open(_ element: PackageElement, of version: FileVersion) async throws(DocumentsError) -> CInt

    /// How much space an account has.
    func usage(of account: ViewAccount) async throws(DocumentsError) -> AccountUsage

    /// Keeps a document, or everything that is in a folder now, on this machine; or no longer.
    func pin(_ location: DocumentLocation, _ isPinned: Bool) async throws(DocumentsError)

    func makeFolder(_ name: String, in folder: DocumentLocation) async throws(DocumentsError) -> ViewItem

    /// Removes a document or an empty folder.
    ///
    /// - Parameter isFinal: whether it need not go to the trash of its provider.
    func remove(_ location: DocumentLocation, isFinal: Bool) async throws(DocumentsError)

    /// Moves an item, renames it, or both. Replaces nothing.
    func move(
        _ location: DocumentLocation, to folder: DocumentLocation?, named name: String?
    ) async throws(DocumentsError) -> ViewItem
}

extension DocumentSource {
    package var findsByName: Bool { true }

    package func followAccounts(_ changed: @escaping @Sendable ([ViewChange]) async -> Void) async {}
}

/// A document that is open for reading.
package protocol SourceDocument: Sendable {
    /// The version of the content; nil when unknown.
    var version: String? { get }

    /// Takes the descriptor that came with opening; nil if it was taken before. The caller closes it.
    func takeDescriptor() -> CInt?

    /// Opens the content again without waiting, if it is still current. The caller closes the descriptor.
    func reopen() -> CInt?

    /// Ends the use of the document. Open descriptors keep working.
    func close()
}

/// A document of which parts are read.
package protocol SourceReading: Sendable {
    /// The version of the content; nil when unknown.
    var version: String? { get }

    /// A file that is as long as the content. Valid as long as this object.
    var fileDescriptor: CInt { get }

    /// Whether the whole content is in the file.
    var isComplete: Bool { get }

    /// Whether a range is known to be in the file.
    func isHere(_ range: Range<Int>) -> Bool

    /// Fetches a range, where it is not in the file.
    ///
    /// - Throws: ``DocumentsError``: `conflict` when the document has another version.
    func fetch(_ range: Range<Int>) async throws(DocumentsError)

    /// Ends the reading.
    func close()
}
