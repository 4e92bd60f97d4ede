import CommandConsole
import DocentInterfaces
import Documents
import Varlink

/// Says what became of a save. A remote document is sent after the command has saved it, so a conflict shows only then;
/// the command waits for it for a moment.
enum SaveOutcome {
    private static let step: Duration = .milliseconds(30)
    private static let steps = 10

    /// Writes to standard error if a save lost a conflict, if the document has unresolved conflicts, or if its provider
    /// refuses what was saved. Only this machine is asked. The save itself is done: whatever fails here is no error.
    ///
    /// - Parameters:
    ///   - item: the document as it was saved.
    ///   - location: its location, if it was named by one.
    ///   - isNew: whether the save made the document. It cannot have lost a conflict then, and the client has no right
    ///     to it.
    static func report(
        _ item: DocumentItem, at location: DocumentLocation?, isNew: Bool = false, _ client: DocumentsClient
    ) async {
        let name = SafeText.escaped(location?.description ?? item.name)
        if !item.isUploaded, let reason = await refusal(of: item, client) {
            return StandardError.write(
                "docent: \(name) is saved on this machine, but cannot be sent: \(SafeText.escaped(reason))\n"
                    + "  hint: docent transfers\n")
        }
        guard !isNew else { return }
        let document = client.document(item.reference)
        guard let conflicts = try? await FileVersion.unresolvedConflictVersions(of: document), !conflicts.isEmpty else {
            return
        }
        StandardError.write(text(conflicts.count, name, isLocation: location != nil))
    }

    /// The note about conflicts. Pure.
    static func text(_ count: Int, _ name: String, isLocation: Bool) -> String {
        let hint =
            isLocation
            ? "docent history \(name), then docent resolve \(name) --keep mine|theirs|both" : "docent conflicts"
        let kept = count == 1 ? "what was saved here is kept as a version" : "\(count) versions of it are kept"
        return "docent: \(name) was changed elsewhere too; \(kept) beside it.\n  hint: \(hint)\n"
    }

    // Why a document cannot be sent, if that is known within a moment.
    private static func refusal(of item: DocumentItem, _ client: DocumentsClient) async -> String? {
        for number in 0..<steps {
            if number > 0 { try? await Task.sleep(for: step) }
            guard !Task.isCancelled,
                let transfers = try? await client.call(
                    AdministrationInterface.Transfers.self, .init(provider: item.reference.provider)
                ).value.transfers,
                let upload = transfers.first(where: { $0.kind == "upload" && $0.reference == item.reference.wire })
            else { return nil }
            switch upload.state {
            case "failed": return upload.message ?? "the provider gives no reason"
            case "waiting", "running": continue
            default: return nil
            }
        }
        return nil
    }
}
