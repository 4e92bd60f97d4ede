package import Documents
import FoundationEssentials
import Glibc

/// The folder that each program chose from last: `picker.json` in the state directory. Every call blocks.
package struct PickerMemory: Sendable {
    private struct File: Codable {
        struct Folder: Codable {
            var client: String
            var location: String
        }

        var folders: [Folder]
    }

    /// The most programs that are remembered.
    private static let most = 100
    /// A larger file is not ours.
    private static let longest = 1 << 18

    private let folder: String?

    /// - Parameter environment: names the state directory.
    package init(environment: [String: String]) {
        func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        folder = (absolute("XDG_STATE_HOME") ?? absolute("HOME").map { $0 + "/.local/state" }).map { $0 + "/docent" }
    }

    private var path: String? { folder.map { $0 + "/picker.json" } }

    /// The last folder of a program; nil if there is none, or if the file is not readable as one.
    package func folder(of client: String) -> DocumentLocation? {
        read().first { $0.client == client }.flatMap { try? DocumentLocation($0.location) }
    }

    /// Remembers a folder; nil for none. Failures are ignored: the next picker begins with the accounts.
    package func remember(_ location: DocumentLocation?, for client: String) {
        guard let folder, let path else { return }
        var folders = read().filter { $0.client != client }
        if let location { folders.insert(.init(client: client, location: location.description), at: 0) }
        guard let data = try? JSONEncoder().encode(File(folders: Array(folders.prefix(Self.most)))) else { return }
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let temporary = path + ".\(getpid()).new"
        unlink(temporary)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        let isWritten = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) == $0.count } && fsync(file) == 0
        close(file)
        if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
    }

    private func read() -> [File.Folder] {
        guard let path else { return [] }
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest else {
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count > 0 else { return [] }
        return (try? JSONDecoder().decode(File.self, from: Data(bytes.prefix(count))))?.folders ?? []
    }
}
