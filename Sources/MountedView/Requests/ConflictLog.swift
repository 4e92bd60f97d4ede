import Documents
import Synchronization

/// Says in the log, once for each document, that what was saved here has become a version in conflict. The program that
/// saved it has ended, perhaps: a change is sent after its file was closed. Thread-safe.
final class ConflictLog: Sendable {
    private let known = Mutex<Set<DocumentReference>>([])
    private let write: @Sendable (String) -> Void

    /// - Parameter write: writes a line.
    init(write: @escaping @Sendable (String) -> Void = { ViewLog.write($0) }) { self.write = write }

    /// Some documents of a folder are known anew.
    func note(_ items: [ViewItem], in folder: DocumentLocation) {
        let new = known.withLock { known -> [ViewItem] in
            var new: [ViewItem] = []
            for item in items where item.conflicts > 0 || !known.isEmpty {
                let document = DocumentReference(
                    provider: folder.provider, domain: folder.domain, identifier: item.identifier)
                if item.conflicts == 0 {
                    known.remove(document)
                } else if known.insert(document).inserted {
                    new.append(item)
                }
            }
            return new
        }
        for item in new {
            let name = String(
                String.UnicodeScalarView(
                    item.name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
            write(
                "\(name) was changed elsewhere too: what was saved here is kept as a version beside it. "
                    + "See `docent conflicts`.")
        }
    }
}
