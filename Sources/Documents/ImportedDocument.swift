import CLinux
import Glibc
import Synchronization
import Varlink

/// A private copy of a document in this client's inbox.
public final class ImportedDocument: Sendable {
    /// The document that was copied.
    public let item: DocumentItem
    /// The path of the copy; nil for a confined client, which uses ``descriptor``.
    public let path: String?
    private let file: Mutex<CInt>

    init(item: DocumentItem, path: String?, descriptors: DescriptorList, index: Int) throws(DocumentsError) {
        self.item = item
        self.path = path
        do {
            file = Mutex(try descriptors.take(index).release())
        } catch { throw DocumentsError(.failed, "The daemon's answer has no descriptor: \(error)") }
    }

    deinit {
        file.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
        }
    }

    /// The copy, open for reading; valid as long as this object.
    public var descriptor: CInt { file.withLock { $0 } }

    /// Moves the copy to a path of the caller's choice, never replacing anything. Nothing is copied when both are on
    /// the same file system.
    ///
    /// - Throws: ``DocumentsError`` `conflict` when something already exists there.
    public func keep(at destination: String) throws(DocumentsError) {
        if let path {
            let result = clinux_renameat2(AT_FDCWD, path, AT_FDCWD, destination, 1)
            if result == 0 { return }
            if result == -EEXIST { throw Self.exists(destination) }
        }
        let target = open(destination, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else {
            if errno == EEXIST { throw Self.exists(destination) }
            throw Self.failed("\(destination) cannot be created")
        }
        defer { close(target) }
        do throws(DocumentsError) {
            try DescriptorCopy.copy(from: descriptor, to: target)
        } catch {
            unlink(destination)
            throw error
        }
    }

    private static func exists(_ path: String) -> DocumentsError {
        DocumentsError(.conflict, "\(path) already exists.", suggestion: "Choose another name, or move it away first.")
    }

    private static func failed(_ what: String) -> DocumentsError {
        DocumentsError(.failed, "\(what): \(String(cString: strerror(errno))).")
    }
}
