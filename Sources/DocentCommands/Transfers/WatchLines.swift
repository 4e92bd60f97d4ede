import CommandConsole
import Documents

/// The lines of `docent watch` where nothing can be redrawn: one for each change, without progress. Pure.
struct WatchLines {
    private struct Key: Hashable {
        var reference: DocumentReference
        var kind: DocumentTransfer.Kind
    }

    private struct Shown: Equatable {
        var state: DocumentTransfer.State
        var message: String?
    }

    private var shown: [Key: Shown] = [:]
    private var isFirst = true
    private var wasIdle = false

    /// The lines for what is different now.
    mutating func next(_ status: TransferStatus) -> String {
        var text = ""
        for transfer in status.ended {
            shown[Key(reference: transfer.reference, kind: transfer.kind)] = nil
            text += WatchText.line(transfer)
        }
        var now: [Key: Shown] = [:]
        for transfer in status.transfers {
            let key = Key(reference: transfer.reference, kind: transfer.kind)
            now[key] = Shown(state: transfer.state, message: transfer.message)
            if shown[key] != now[key] { text += WatchText.line(transfer) }
        }
        shown = now
        // Nothing happens for now: a reader of the lines learns it too.
        if status.isIdle, isFirst || !wasIdle { text += WatchText.total(status) + "\n" }
        (isFirst, wasIdle) = (false, status.isIdle)
        return text
    }
}
