import Documents

/// Items as people read them.
enum ItemText {
    /// One line of `docent ls -l`: kind, size, time, state, name. Of fixed width but for the name, so that a folder of any
    /// size can be listed as it comes.
    static func line(_ item: DocumentItem) -> String {
        let size = item.size.map(String.init) ?? "-"
        let padding = String(repeating: " ", count: max(0, 12 - size.utf8.count))
        let time = Timestamp.text(item.modificationDate) ?? "-" + String(repeating: " ", count: 19)
        return "\(item.isFolder ? "d" : "-") \(padding)\(size)  \(time)  \(state(item))  \(name(item))"
    }

    /// The name, with a slash after a folder's.
    static func name(_ item: DocumentItem) -> String { SafeText.escaped(item.name) + (item.isFolder ? "/" : "") }

    /// Two letters: whether the content is here, and whether the provider has what was saved.
    private static func state(_ item: DocumentItem) -> String {
        (item.isDownloaded ? "h" : "-") + (item.isUploaded ? "u" : "-")
    }

    /// Everything, a fact a line.
    ///
    /// - Parameter more: what follows.
    static func facts(_ item: DocumentItem, path: String?, more: [(name: String, value: String?)] = []) -> String {
        let facts: [(name: String, value: String?)] = [
            ("name", item.name), ("path", item.path ?? path), ("provider", item.reference.provider),
            ("domain", item.reference.domain.isEmpty ? nil : item.reference.domain),
            ("identifier", item.reference.identifier),
            ("type", item.contentType),
            ("size", item.size.map { $0 < 1000 ? ByteCount.text($0) : "\(ByteCount.text($0)) (\($0) bytes)" }),
            ("modified", Timestamp.text(item.modificationDate)),
            ("created", Timestamp.text(item.creationDate)),
            ("downloaded", item.isFolder ? nil : item.isDownloaded ? "yes" : "no"),
            ("uploaded", item.isFolder ? nil : item.isUploaded ? "yes" : "no"),
            ("version", item.version),
        ]
        return Table.facts(facts + more)
    }
}
