import Documents
import FileSystemMessages
import Synchronization
import Testing

@testable import MountedView

/// The lines about conflicts in the log of a view.
@Suite(.timeLimit(.minutes(2))) struct ConflictLogTests {
    private static let folder = DocumentLocation(provider: "p", domain: "work", path: "/")

    private static func item(_ identifier: String, _ name: String, conflicts: Int) -> ViewItem {
        ViewItem(identifier: identifier, name: name, kind: .file, conflicts: conflicts)
    }

    @Test("V6: a conflict is reported once, and again when another one follows its settlement")
    func once() {
        let lines = Mutex<[String]>([])
        let log = ConflictLog { line in lines.withLock { $0.append(line) } }
        let conflict = Self.item("1", "a\n\u{1B}.txt", conflicts: 1)
        log.note([conflict, Self.item("2", "b.txt", conflicts: 0)], in: Self.folder)
        log.note([conflict], in: Self.folder)
        #expect(lines.withLock(\.count) == 1)
        let line = lines.withLock(\.first) ?? ""
        #expect(line.hasPrefix("a??.txt was changed elsewhere") && line.contains("docent conflicts"), "\(line)")
        log.note([Self.item("1", "a.txt", conflicts: 0)], in: Self.folder)
        log.note([Self.item("1", "a.txt", conflicts: 2)], in: Self.folder)
        #expect(lines.withLock(\.count) == 2)
        // The same identifier in another account is another document.
        log.note([conflict], in: DocumentLocation(provider: "p", domain: "home", path: "/"))
        #expect(lines.withLock(\.count) == 3)
    }
}
