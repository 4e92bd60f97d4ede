import CommandConsole
import DocentInterfaces
import Documents

/// The output of `docent find`, written as results arrive.
struct FoundOutput {
    let isJSON: Bool
    let isLong: Bool
    let isLive: Bool
    private var count = 0
    private var known: Set<DocumentReference> = []
    private var gaps: [SearchGap] = []

    init(isJSON: Bool, isLong: Bool, isLive: Bool) {
        self.isJSON = isJSON
        self.isLong = isLong
        self.isLive = isLive
    }

    /// Begins the array.
    func begin() throws { if isJSON, !isLive { try StandardOutput.write("[") } }

    /// Ends the array.
    func end() throws { if isJSON, !isLive { try StandardOutput.write(count == 0 ? "]\n" : "\n]\n") } }

    /// Writes what a reply has.
    mutating func take(_ reply: DocumentsInterface.Find.Reply) throws {
        for item in reply.items.map({ DocumentItem($0) }) { try write(item) }
        for gone in (reply.gone ?? []).map({ DocumentReference($0) }) {
            known.remove(gone)
            try StandardOutput.write(
                isJSON ? FoundText.goneRecord(gone).compact + "\n" : "- " + FoundText.name(gone) + "\n")
        }
        guard reply.state != "found" else { return }
        if reply.state == "gathered" || reply.gaps != nil {
            let now = (reply.gaps ?? []).map(SearchGap.init)
            // A live search reports only what is new about it.
            for gap in now where !gaps.contains(gap) { StandardError.write(FoundText.gap(gap)) }
            gaps = now
        }
        if reply.isCut == true {
            StandardError.write("docent: There is more; add words or conditions, or raise --limit.\n")
        }
    }

    private mutating func write(_ item: DocumentItem) throws {
        let isNew = known.insert(item.reference).inserted
        count += 1
        if isJSON {
            let record = FoundText.record(item, event: isLive ? (isNew ? "found" : "changed") : nil).compact
            try StandardOutput.write(isLive ? record + "\n" : (count == 1 ? "\n  " : ",\n  ") + record)
        } else {
            let mark = isLive ? (isNew ? "+ " : "~ ") : ""
            try StandardOutput.write(mark + FoundText.line(item, isLong: isLong) + "\n")
        }
    }
}
