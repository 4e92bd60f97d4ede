import CLinux
import Documents
import FileSystemMessages
import Glibc

/// The files of a view that never reach a provider: locks of editors, and what they write for the case of a crash.
///
/// They lie in a folder of this user for each folder of the view, and outlive the view.
package struct ViewLocalFiles: Sendable {
    /// The absolute path of the folder for all of them.
    private let root: String

    /// - Parameter root: created when it is needed.
    package init(root: String) { self.root = root }

    /// The extended attributes of documents, beside them.
    var attributes: AttributeFiles { AttributeFiles(root: root + "/attributes") }

    /// The path of the file with a name in a folder.
    ///
    /// - Parameter folder: what identifies the folder among those of all accounts.
    func path(of name: String, in folder: [String]) -> String { directory(folder) + "/" + name }

    private func directory(_ folder: [String]) -> String {
        root + "/" + String(StableNumber.of(folder), radix: 16)
    }

    /// Makes the directory for the files of a folder.
    func prepare(_ folder: [String]) throws(DocumentsError) {
        try makeDirectory(directory(folder))
    }

    private func makeDirectory(_ wanted: String) throws(DocumentsError) {
        var path = ""
        for part in wanted.split(separator: "/") {
            path += "/" + part
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw DocumentsError(.failed, "\(path) cannot be created: \(String(cString: strerror(errno))).")
            }
        }
    }

    /// The files of a folder.
    func files(of folder: [String]) -> [ViewItem] {
        let path = directory(folder)
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var result: [ViewItem] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    String(
                        validating: UnsafeBufferPointer(start: bytes, count: strnlen(bytes, 255)), as: UTF8.self)
                }
            }
            if let name, name != ".", name != "..", let item = file(name, in: folder) { result.append(item) }
        }
        return result
    }

    /// A file; nil if there is none.
    func file(_ name: String, in folder: [String]) -> ViewItem? {
        var status = clinux_stat()
        guard clinux_stat_at(CLINUX_AT_FDCWD, path(of: name, in: folder), &status) == 0,
            clinux_is_regular(status.mode) != 0
        else { return nil }
        return ViewItem(
            identifier: "", name: name, kind: .file, size: status.size,
            modified: FileTime(seconds: status.modified_seconds, nanoseconds: status.modified_nanoseconds),
            isDownloaded: true, isLocal: true)
    }

    func open(_ name: String, in folder: [String], _ flags: CInt) throws(DocumentsError) -> CInt {
        let descriptor = clinux_open(path(of: name, in: folder), flags | CLINUX_O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw DocumentsError(
                descriptor == -ENOENT ? .notFound : descriptor == -ENOSPC ? .noSpace : .failed,
                "\(name): \(String(cString: strerror(-descriptor))).")
        }
        return descriptor
    }

    func remove(_ name: String, from folder: [String]) { unlink(path(of: name, in: folder)) }

    func rename(
        _ name: String, in folder: [String], to newName: String, in newFolder: [String]
    ) throws(DocumentsError) {
        try prepare(newFolder)
        guard Glibc.rename(path(of: name, in: folder), path(of: newName, in: newFolder)) == 0 else {
            throw DocumentsError(.failed, "\(name): \(String(cString: strerror(errno))).")
        }
    }

    /// Keeps content that has no other place, in a folder of its own.
    ///
    /// - Returns: the path of the file.
    func recover(_ name: String, _ content: CInt) throws(DocumentsError) -> String {
        try makeDirectory(root + "/recovered")
        for number in 1..<1000 {
            let path = root + "/recovered/" + (number == 1 ? name : "\(number) \(name)")
            let file = clinux_open(
                path, CLINUX_O_RDWR | CLINUX_O_CREAT | CLINUX_O_EXCL | CLINUX_O_NOFOLLOW, 0o600)
            if file == -EEXIST || file == -ENAMETOOLONG { continue }
            guard file >= 0 else {
                throw DocumentsError(
                    file == -ENOSPC ? .noSpace : .failed, "\(path): \(String(cString: strerror(-file))).")
            }
            defer { _ = clinux_close(file) }
            do throws(DocumentsError) {
                try SharedCopy.copy(from: content, to: file)
                guard fsync(file) == 0 else { throw DocumentsError(.failed, String(cString: strerror(errno))) }
            } catch {
                unlink(path)
                throw error
            }
            return path
        }
        throw DocumentsError(.failed, "\(root)/recovered has too many files of the name \(name).")
    }

    /// A draft that writes to the file itself, which keeps its content until then.
    func draft(_ name: String, in folder: [String]) throws(DocumentsError) -> any SourceDraft {
        try prepare(folder)
        let descriptor = try open(name, in: folder, CLINUX_O_RDWR | CLINUX_O_CREAT)
        return LocalDraft(store: self, name: name, folder: folder, descriptor: descriptor)
    }
}

/// A local file that is written: there is nothing to publish.
private final class LocalDraft: SourceDraft {
    private let store: ViewLocalFiles
    private let name: String
    private let folder: [String]
    private let file: CInt

    init(store: ViewLocalFiles, name: String, folder: [String], descriptor: CInt) {
        (self.store, self.name, self.folder, file) = (store, name, folder, descriptor)
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
        if let modified {
            let time = FileTime(modified)
            _ = clinux_set_times(file, time.seconds, time.nanoseconds)
        }
        guard let item = store.file(name, in: folder) else {
            throw DocumentsError(.notFound, "\(name) was removed.")
        }
        return item
    }

    func abandon() async {}
}
