import Foundation

/// A test's folder, removed with it.
final class TemporaryFolder: Sendable {
    let path: String

    init(_ name: String) {
        path = "/tmp/docent-keyring-\(name)-\(UUID().uuidString.prefix(8))"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file that only the user can read.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
        return file
    }
}

/// Examples of secrets: NUL, line ends, binary, empty, and 64 KiB.
let nastySecrets: [[UInt8]] = [
    Array("hush-d48e02c6 pässword".utf8), [], [0], [0, 255, 10, 0, 13], Array("two\nlines\r\n".utf8),
    (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 31) },
]
