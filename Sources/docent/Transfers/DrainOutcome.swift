import DocentInterfaces
import Documents

/// What became of waiting until every change is sent. Pure.
enum DrainOutcome {
    /// The error that tells what was not sent; nil when everything was.
    ///
    /// - Parameters:
    ///   - transfers: those that are left.
    ///   - isLate: whether the time that was given is over.
    static func failure(pending: Int, failed: Int, transfers: [Wire.Transfer], isLate: Bool) -> DocumentsError? {
        let stuck = transfers.filter { $0.kind == "upload" && ["failed", "paused"].contains($0.state) }
        let names = stuck.prefix(20).map { "\n" + line($0) }.joined()
        let more = stuck.count > 20 ? "\n  and \(stuck.count - 20) more" : ""
        if failed > 0 {
            return DocumentsError(
                .failed,
                "\(changes(failed)) cannot be sent, and \(failed == 1 ? "waits" : "wait") for you:\(names)\(more)",
                suggestion: "Do what the reason says, then run `docent transfers retry`. Nothing is lost meanwhile.")
        }
        guard pending > 0 else { return nil }
        if isLate {
            return DocumentsError(
                .deadlineExceeded,
                "\(changes(pending)) still \(pending == 1 ? "waits" : "wait") to be sent.\(names)\(more)",
                suggestion: "They are sent in the background; `docent transfers` shows how far that is.")
        }
        return DocumentsError(
            .unavailable, "\(changes(pending)) cannot be sent now:\(names)\(more)",
            suggestion: "Look at `docent domains`; they are sent as soon as their domain can be reached again.")
    }

    /// `3 changes`.
    static func changes(_ count: Int) -> String { count == 1 ? "1 change" : "\(count) changes" }

    private static func line(_ transfer: Wire.Transfer) -> String {
        "\(transfer.name) (\(TransferText.domain(transfer.reference))): \(transfer.message ?? transfer.state)"
    }
}
