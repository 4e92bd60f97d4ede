import CommandConsole
import Documents
import UniformTypes

/// Formats items for people.
enum ItemText {
    /// One line of `docent ls -l`: kind, size, time, state, name. The columns before the name have a fixed width, so
    /// that a folder of any size can be listed as it arrives.
    static func line(_ item: DocumentItem, isHumanReadable: Bool = false) -> String {
        let size = item.size.map { isHumanReadable ? ByteCount.text($0) : String($0) } ?? "-"
        let padding = String(repeating: " ", count: max(0, 12 - size.utf8.count))
        let time = Timestamp.text(item.modificationDate) ?? "-" + String(repeating: " ", count: 19)
        return
            "\(item.isFolder ? "d" : item.isSymbolicLink ? "l" : "-") \(padding)\(size)  \(time)  \(state(item))  \(name(item))"
    }

    /// The name, with a trailing slash for a folder.
    static func name(_ item: DocumentItem) -> String { SafeText.escaped(item.name) + (item.isFolder ? "/" : "") }

    /// Four letters: h if the content is local, s if it is local and stale; u if the provider has what was saved, q if
    /// that is queued, > while it is being sent, ! if it cannot be sent; p if it is pinned; c if versions are kept
    /// beside it.
    static func state(_ item: DocumentItem) -> String {
        let sent =
            switch item.uploadState {
            case .uploaded: item.isUploaded ? "u" : "-"
            case .queued: "q"
            case .uploading: ">"
            case .failed: "!"
            }
        return (item.isDownloaded ? item.isStale ? "s" : "h" : "-") + sent + (item.isPinned ? "p" : "-")
            + (item.conflicts > 0 ? "c" : "-")
    }

    /// Whether the provider has what was saved; if not, the state of the upload.
    static func upload(_ item: DocumentItem) -> String {
        switch item.uploadState {
        case .uploaded: item.isUploaded ? "yes" : "no"
        case .queued: "no: it waits to be sent"
        case .uploading: "no: it is being sent"
        case .failed(let reason): "no: it cannot be sent: \(reason)"
        }
    }

    /// The number of versions kept beside a document, and the command that shows them.
    private static func conflicts(_ item: DocumentItem) -> String? {
        guard item.conflicts > 0 else { return nil }
        return "\(item.conflicts) kept beside it; `docent versions` shows them"
    }

    /// Whether an item is a folder that is one document, by its type. Types that only providers declare are not known
    /// here.
    private static func isPackage(_ item: DocumentItem) -> Bool {
        guard item.isFolder, item.contentType != "public.folder", let type = UniformType(item.contentType) else {
            return false
        }
        return UniformTypeRegistry.system().conforms(type, to: .package)
    }

    /// The space of an account, as far as it is known.
    static func space(_ space: AccountUsage?) -> [(name: String, value: String?)] {
        [
            ("space", space?.totalBytes.map(ByteCount.text)), ("used", space?.usedBytes.map(ByteCount.text)),
            ("available", space?.availableBytes.map(ByteCount.text)),
        ]
    }

    /// All facts, one per line.
    ///
    /// - Parameter more: facts to append.
    static func facts(_ item: DocumentItem, path: String?, more: [(name: String, value: String?)] = []) -> String {
        let facts: [(name: String, value: String?)] = [
            ("name", item.name), ("path", item.path ?? path), ("provider", item.reference.provider),
            ("domain", item.reference.domain.isEmpty ? nil : item.reference.domain),
            ("identifier", item.reference.identifier),
            ("type", item.contentType),
            ("leads to", item.symbolicLinkTarget?.identifier),
            ("package", isPackage(item) ? "yes: a folder that is one document" : nil),
            ("size", item.size.map { $0 < 1000 ? ByteCount.text($0) : "\(ByteCount.text($0)) (\($0) bytes)" }),
            ("modified", Timestamp.text(item.modificationDate)),
            ("created", Timestamp.text(item.creationDate)),
            ("downloaded", item.isFolder ? nil : item.isDownloaded ? "yes" : "no"),
            ("stale", item.isStale ? "yes: there is newer content at the provider" : nil),
            ("uploaded", item.isFolder ? nil : upload(item)),
            ("pinned", item.isPinned ? "yes" : nil), ("conflicts", conflicts(item)),
            ("version", item.version),
        ]
        return Table.facts(facts + more)
    }
}
