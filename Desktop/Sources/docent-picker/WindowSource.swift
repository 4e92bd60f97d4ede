import Dispatch
import Documents
import PickerDialog
import TerminalPicker

/// Where a window gets its lists from: the daemon, and in a file dialog this computer too.
struct WindowSource: Sendable {
    private let daemon: DaemonPickerSource
    private let files: LocalFiles?

    init(_ daemon: DaemonPickerSource, files: LocalFiles?) {
        self.daemon = daemon
        self.files = files
    }

    /// The rows above the accounts.
    var ownPlaces: [PickerAccount] { files == nil ? [] : [LocalFiles.account] }

    /// Where the row of this computer leads to.
    var home: DocumentLocation { files?.start ?? LocalFiles.location("/") }

    func accounts() async throws(DocumentsError) -> [PickerAccount] { try await daemon.accounts() }

    func list(
        _ folder: DocumentLocation,
        _ received: @Sendable ([PickerEntry], RememberedListing?, Bool) -> Void
    ) async throws(DocumentsError) {
        guard let files, LocalFiles.contains(folder) else { return try await daemon.list(folder, received) }
        received(try await Self.blocking { () throws(DocumentsError) in try files.list(folder) }, nil, true)
    }

    func follow(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry {
        try await daemon.follow(location)
    }

    func lookUp(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry? {
        guard let files, LocalFiles.contains(location) else { return try await daemon.lookUp(location) }
        return try await Self.blocking { () throws(DocumentsError) in try files.lookUp(location) }
    }

    func makeFolder(in folder: DocumentLocation, name: String) async throws(DocumentsError) {
        guard let files, LocalFiles.contains(folder) else {
            return try await daemon.makeFolder(in: folder, name: name)
        }
        try await Self.blocking { () throws(DocumentsError) in try files.makeFolder(folder.appending(name)) }
    }

    func download(
        _ location: DocumentLocation, _ progress: @Sendable (DownloadProgress) -> Void
    ) async throws(DocumentsError) {
        if !LocalFiles.contains(location) { try await daemon.download(location, progress) }
    }

    func start() -> DocumentLocation? { daemon.start() }

    func remember(_ folder: DocumentLocation?) { daemon.remember(folder) }

    /// Does what may wait for a disk on a thread of its own.
    private static func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws(DocumentsError) -> Value
    ) async throws(DocumentsError) -> Value {
        let result: Result<Value, DocumentsError> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "org.docent.picker.files").async {
                do throws(DocumentsError) { continuation.resume(returning: .success(try body())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }
}
