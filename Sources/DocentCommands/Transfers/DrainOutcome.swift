import DocentInterfaces
import Documents

/// The result of waiting until every change is sent. Pure.
enum DrainOutcome {
    /// The error that lists the unsent changes; nil if everything was sent.
    ///
    /// - Parameters:
    ///   - transfers: the remaining transfers.
    ///   - isLate: whether the given time is over.
    static func failure(pending: Int, failed: Int, transfers: [Wire.Transfer], isLate: Bool) -> DocumentsError? {
        let left = transfers.filter { $0.kind == "upload" && ($0.state == "failed") == (failed > 0) }
        let names = left.prefix(20).map { "\n" + line($0) }.joined()
        let more = left.count > 20 ? "\n  and \(left.count - 20) more" : ""
        func changes(_ count: Int) -> String { Self.changes(count, of: left.count) }
        if failed > 0 {
            return DocumentsError(
                .failed,
                "\(changes(failed)) cannot be sent, and \(failed == 1 ? "needs" : "need") your decision:"
                    + "\(names)\(more)",
                suggestion: "Do what the reason says, then run `docent transfers retry`. Nothing is lost meanwhile.")
        }
        guard pending > 0 else { return nil }
        if isLate {
            return DocumentsError(
                .deadlineExceeded,
                "\(changes(pending)) still \(pending == 1 ? "waits" : "wait") to be sent.\(names)\(more)",
                suggestion: "They are sent in the background; `docent transfers` shows the progress.")
        }
        return DocumentsError(
            .unavailable, "\(changes(pending)) cannot be sent now:\(names)\(more)",
            suggestion: "Check `docent domains`; the changes are sent as soon as their domain can be reached again.")
    }

    /// As in `3 changes`.
    static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

    /// As in `3 changes of 2 documents`, if a document has several.
    static func changes(_ count: Int, of documents: Int) -> String {
        guard documents > 0, documents < count else { return changes(count) }
        return "\(count) changes of \(documents == 1 ? "1 document" : "\(documents) documents")"
    }

    private static func line(_ transfer: Wire.Transfer) -> String {
        "\(transfer.name) (\(TransferText.domain(transfer.reference))): \(transfer.message ?? transfer.state)"
    }
}
