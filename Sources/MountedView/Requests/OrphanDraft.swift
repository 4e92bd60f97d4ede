import CLinux
import Documents
import Glibc

/// Takes what is written to a document that was removed: a file without a name, gone with the last who has it open.
final class OrphanDraft: SourceDraft {
    private let file: CInt

    init() throws(DocumentsError) {
        let unnamed = clinux_open("/var/tmp", CLINUX_O_RDWR | CLINUX_O_TMPFILE, 0o600)
        file = unnamed >= 0 ? unnamed : clinux_memory_file("docent-view", 0)
        guard file >= 0 else { throw DocumentsError(.failed, String(cString: strerror(-file))) }
    }

    deinit { _ = clinux_close(file) }

    var isOutdated: Bool { false }
    var isNew: Bool { false }
    var operation: String? { nil }

    func descriptor() throws(DocumentsError) -> CInt {
        let copy = clinux_dup(file)
        guard copy >= 0 else { throw DocumentsError(.failed, String(cString: strerror(-copy))) }
        return copy
    }

    func commit(modified: Double?) async throws(DocumentsError) -> ViewItem {
        throw DocumentsError(.notFound, "The document was removed.")
    }

    func abandon() async {}
}
