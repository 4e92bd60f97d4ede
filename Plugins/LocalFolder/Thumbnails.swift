import FileProvider
import FoundationEssentials
import Glibc
import Synchronization

/// The thumbnails that clients provided with their saves, in the provider's own storage. Each belongs to one content of
/// a file or package, and no longer applies once that changes. For a package only the top level is checked. The number
/// is limited: the oldest are removed. Safe to use from any thread.
final class Thumbnails: Sendable {
    private static let capacity = 2_000

    private let directory: String
    private let names: Mutex<Set<String>>

    /// - Parameter directory: where the domain may store files.
    init(directory: String) {
        let directory = directory + "/.thumbnails"
        self.directory = directory
        names = Mutex(Set(Self.list(directory)))
    }

    /// The name of the thumbnail of a file in its current state, for ``FileProviderItem/thumbnail``; nil if there is
    /// none.
    func name(of facts: LocalFileFacts) -> String? {
        names.withLock { names in
            guard !names.isEmpty else { return nil }
            let name = Self.name(facts)
            return names.contains(name) ? ".thumbnails/" + name : nil
        }
    }

    /// The bytes of a thumbnail.
    ///
    /// - Parameter name: as ``name(of:)`` returned it; nil if it has been removed meanwhile.
    func read(_ name: String) -> [UInt8]? {
        let path = directory + "/" + name.split(separator: "/").suffix(1).joined()
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: ItemThumbnail.maximumLength)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(file, buffer.baseAddress.map { $0 + length }, buffer.count - length, off_t(length))
            }
            guard count > 0 else { break }
            length += count
        }
        return length == 0 ? nil : Array(bytes[..<length])
    }

    /// Stores the thumbnail of a file in its current state. A staged file thus has it as soon as it is published, even
    /// if this process ends then. If it cannot be stored, there is none.
    func keep(_ picture: Data?, of facts: LocalFileFacts) {
        guard let picture else { return }
        makeDirectory()
        let name = Self.name(facts)
        let (path, temporary) = (directory + "/" + name, directory + "/.new-" + name)
        let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let written = picture.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        let isDurable = written == picture.count && fsync(file) == 0
        close(file)
        guard isDurable, rename(temporary, path) == 0 else {
            unlink(temporary)
            return
        }
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
        let isFull = names.withLock { names in
            names.insert(name)
            return names.count > Self.capacity
        }
        if isFull { prune() }
    }

    /// Removes the thumbnail of a former state of a file.
    func forget(_ facts: LocalFileFacts) {
        let name = Self.name(facts)
        let wasThere = names.withLock { $0.remove(name) != nil }
        if wasThere { unlink(directory + "/" + name) }
    }

    private func makeDirectory() {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            mkdir(path, 0o700)
        }
    }

    private func prune() {
        let known = Self.list(directory).map { name -> (name: String, time: Int) in
            var facts = stat()
            return (name, stat(directory + "/" + name, &facts) == 0 ? facts.st_mtim.tv_sec : 0)
        }
        for (name, _) in known.sorted(by: { $0.time < $1.time }).prefix(max(0, known.count - Self.capacity / 2)) {
            unlink(directory + "/" + name)
            names.withLock { _ = $0.remove(name) }
        }
    }

    private static func name(_ facts: LocalFileFacts) -> String {
        "\(LocalFileIdentity(facts, rootDevice: facts.device).text).\(String(facts.modified, radix: 36)).png"
    }

    private static func list(_ directory: String) -> [String] {
        guard let folder = opendir(directory) else { return [] }
        defer { closedir(folder) }
        var found: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasPrefix(".new-") {
                unlink(directory + "/" + name)
            } else if !name.hasPrefix(".") {
                found.append(name)
            }
        }
        return found
    }
}
