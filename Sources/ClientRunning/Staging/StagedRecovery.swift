import CommandConsole
import DocentInterfaces
import Documents
import FoundationEssentials
import Glibc
import Varlink

/// Changes that earlier runs of a client left unsaved, because they were killed or their documents could not be
/// reached.
enum StagedRecovery {
    /// Keeps each change beside its document as a recovered version. What cannot be kept stays where it is, to be tried
    /// again.
    ///
    /// - Returns: messages for the user.
    static func recover(_ folders: ClientFolders, administrator: DocumentsClient) async -> [String] {
        var messages: [String] = []
        for run in folders.abandonedRuns() {
            var isSettled = true
            let names = ((try? FileManager.default.contentsOfDirectory(atPath: run.path)) ?? []).sorted()
            for name in names where name.hasSuffix(".json") {
                guard let record = StagedRecord(file: "\(run.path)/\(name)") else { continue }
                let folder = "\(run.path)/\(name.dropLast(".json".count))"
                guard case .changed(let source, _) = StagedDocument.changed(record, in: folder) else { continue }
                close(source)
                let shown = SafeText.escaped(record.location)
                do {
                    try await keep(record, in: folder, administrator: administrator)
                    unlink("\(run.path)/\(name)")
                    messages.append(
                        "An earlier run left changes to \(shown) unsaved; they are kept as a version: "
                            + "docent versions \(shown)"
                    )
                } catch {
                    isSettled = false
                    let reason = (error as? DocumentsError)?.message ?? "It was interrupted."
                    messages.append(
                        "An earlier run left changes to \(shown) unsaved, and they cannot be kept as a version now: "
                            + "\(SafeText.escaped(reason)) They are in \(folder).")
                }
            }
            if isSettled { run.remove() }
        }
        return messages
    }

    private static func keep(_ record: StagedRecord, in folder: String, administrator: DocumentsClient) async throws {
        let location = try DocumentLocation(record.location)
        let item = try await administrator.call(
            PickerInterface.PickOpen.self,
            .init(
                location: location.wire, access: AccessMode.readWrite.rawValue, operation: UUID().uuidString,
                persist: false)
        ).value.item
        guard DocumentReference(item.reference) == record.reference else {
            throw DocumentsError(.notFound, "Another document is in its place.")
        }
        try await StagedDocument.keep(record, in: folder, through: administrator)
    }
}
