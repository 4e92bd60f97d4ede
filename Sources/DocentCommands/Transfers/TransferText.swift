import CommandConsole
import DocentInterfaces

/// Formats transfers for people. Pure.
enum TransferText {
    /// A table with one line per transfer.
    static func table(_ transfers: [Wire.Transfer]) -> Table {
        var table = Table(["ID", "KIND", "STATE", "DOCUMENT", "DOMAIN", "PROGRESS", "NOTE"])
        for transfer in transfers {
            table.add([
                transfer.identifier, transfer.kind, transfer.state, transfer.name, domain(transfer.reference),
                progress(transfer), note(transfer),
            ])
        }
        return table
    }

    /// As in `provider@domain`.
    static func domain(_ reference: Wire.ItemReference) -> String {
        reference.domain.isEmpty ? reference.provider : "\(reference.provider)@\(reference.domain)"
    }

    /// As in `5.0 MB of 10.0 MB, 1.0 MB/s, 5 s left`.
    static func progress(_ transfer: Wire.Transfer) -> String {
        guard transfer.completedBytes > 0 || transfer.state == "running" else {
            return transfer.totalBytes.map(ByteCount.text) ?? "-"
        }
        var text = ByteCount.text(transfer.completedBytes)
        if let total = transfer.totalBytes { text += " of \(ByteCount.text(total))" }
        guard transfer.state == "running", let rate = transfer.bytesPerSecond, rate.isFinite, rate >= 1 else {
            return text
        }
        text += ", \(ByteCount.text(Int(min(rate, 1e15))))/s"
        let left = transfer.totalBytes.flatMap { ProgressLine.remaining($0 - transfer.completedBytes, rate: rate) }
        return text + (left.map { ", \($0) left" } ?? "")
    }

    private static func note(_ transfer: Wire.Transfer) -> String {
        var notes: [String] = []
        if let message = transfer.message { notes.append(message) }
        if transfer.state == "retrying", let next = Timestamp.text(transfer.nextAttempt) {
            notes.append("again at \(next)")
        }
        return notes.joined(separator: "; ")
    }
}
