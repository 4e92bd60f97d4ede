import CommandConsole
import Documents

/// Formats what is in transit. Pure.
enum WatchText {
    /// What a terminal shows: a line for each transfer as far as there is room, and the total.
    static func screen(_ status: TransferStatus, _ terminal: TerminalText) -> String {
        var table = Table(["STATE", "KIND", "DOCUMENT", "PROGRESS", "NOTE"])
        // The titles, the line for the rest, the total, and the cursor's own line.
        let room = max(1, terminal.rows - 4)
        let listed = status.transfers.prefix(room)
        for transfer in listed {
            table.add([
                name(transfer.state), name(transfer.kind), transfer.name, progress(transfer), note(transfer),
            ])
        }
        var text = listed.isEmpty ? "" : table.text
        let rest = status.running + status.waiting + status.failed - listed.count
        if rest > 0 { text += "and \(rest) more\n" }
        return text + total(status) + "\n"
    }

    /// A line about one transfer.
    static func line(_ transfer: DocumentTransfer) -> String {
        var text = "\(name(transfer.state)) \(name(transfer.kind)): \(SafeText.escaped(transfer.name))"
        if transfer.state == .finished { text += " (\(ByteCount.text(transfer.completedBytes)))" }
        let note = note(transfer)
        return text + (note.isEmpty ? "" : ": \(SafeText.escaped(note))") + "\n"
    }

    /// As in `2 running, 1 waiting; 5.0 MB of 20.0 MB, 1.0 MB/s, 15 s left; 3 done, 1 failed`.
    static func total(_ status: TransferStatus) -> String {
        func parts(_ counts: [(Int, String)]) -> String {
            counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        }
        var sentences: [String] = []
        if status.isIdle {
            sentences.append("nothing in transit")
        } else {
            sentences.append(parts([(status.running, "running"), (status.waiting, "waiting")]))
            sentences.append(
                amount(status.completedBytes, of: status.totalBytes, rate: status.bytesPerSecond))
        }
        sentences.append(
            parts([
                (status.finishedCount, "done"), (status.failedCount, "failed"), (status.failed, "not sent"),
            ]))
        return sentences.filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The error at the end, if something failed.
    static func failure(_ status: TransferStatus) -> DocumentsError? {
        let count = status.failedCount + status.failed
        guard count > 0 else { return nil }
        let known = status.failures + status.transfers.filter { $0.state == .failed }
        let named = known.prefix(20).map { "\n\($0.name): \($0.message ?? "It failed.")" }.joined()
        let more = count > min(known.count, 20) ? "\nand \(count - min(known.count, 20)) more" : ""
        return DocumentsError(
            .failed, "\(count == 1 ? "1 transfer" : "\(count) transfers") failed:\(named)\(more)",
            suggestion: "Do what the reason says. `docent transfers retry` sends what was not sent; a download begins "
                + "again when somebody wants the document.")
    }

    // MARK: JSON

    /// A line of `docent watch --json`.
    static func record(_ status: TransferStatus) -> JSONValue {
        .object([
            "bytesPerSecond": status.bytesPerSecond.map(JSONValue.number) ?? .null,
            "completedBytes": .integer(status.completedBytes),
            "ended": .array(status.ended.map(record)),
            "failed": .integer(status.failed),
            "failedCount": .integer(status.failedCount),
            "finishedCount": .integer(status.finishedCount),
            "isCut": .bool(status.isCut),
            "item": status.item.map { FoundText.record($0) } ?? .null,
            "running": .integer(status.running),
            "totalBytes": JSONValue(status.totalBytes),
            "transfers": .array(status.transfers.map(record)),
            "waiting": .integer(status.waiting),
        ])
    }

    private static func record(_ transfer: DocumentTransfer) -> JSONValue {
        .object([
            "bytesPerSecond": transfer.bytesPerSecond.map(JSONValue.number) ?? .null,
            "completedBytes": .integer(transfer.completedBytes),
            "document": .string(transfer.reference.identifier),
            "domain": .string(transfer.reference.domain),
            "kind": .string(name(transfer.kind)),
            "message": JSONValue(transfer.message),
            "name": .string(transfer.name),
            "nextAttempt": JSONValue(Timestamp.text(transfer.nextAttempt)),
            "provider": .string(transfer.reference.provider),
            "state": .string(name(transfer.state)),
            "totalBytes": JSONValue(transfer.totalBytes),
        ])
    }

    // MARK: Words

    private static func name(_ kind: DocumentTransfer.Kind) -> String { kind == .upload ? "upload" : "download" }

    private static func name(_ state: DocumentTransfer.State) -> String {
        switch state {
        case .waiting: "waiting"
        case .running: "running"
        case .retrying: "retrying"
        case .paused: "paused"
        case .failed: "failed"
        case .finished: "finished"
        case .cancelled: "cancelled"
        case .other(let name): name
        }
    }

    private static func progress(_ transfer: DocumentTransfer) -> String {
        guard transfer.completedBytes > 0 || transfer.state == .running else {
            return transfer.totalBytes.map(ByteCount.text) ?? "-"
        }
        return amount(transfer.completedBytes, of: transfer.totalBytes, rate: transfer.bytesPerSecond)
    }

    private static func amount(_ completed: Int, of total: Int?, rate: Double?) -> String {
        var text = ByteCount.text(completed)
        if let total { text += " of \(ByteCount.text(total))" }
        guard let rate, rate.isFinite, rate >= 1 else { return text }
        text += ", \(ByteCount.text(Int(min(rate, 1e15))))/s"
        let left = total.flatMap { ProgressLine.remaining($0 - completed, rate: rate) }
        return text + (left.map { ", \($0) left" } ?? "")
    }

    private static func note(_ transfer: DocumentTransfer) -> String {
        var notes: [String] = []
        if let message = transfer.message { notes.append(message) }
        if transfer.state == .retrying, let next = Timestamp.text(transfer.nextAttempt) {
            notes.append("again at \(next)")
        }
        return notes.joined(separator: "; ")
    }
}
