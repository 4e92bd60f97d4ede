import CTestSupport
package import Foundation
import Glibc

/// Searches files for test secrets. Every secret in a test contains `hush-`, so it is found anywhere, in plain form or
/// in base64 with any of the three alignments.
package enum SecretScan {
    /// The beginning of every secret.
    package static let marker = "hush-"

    /// The forms to search for. In base64, only the characters that depend entirely on the marker.
    package static let forms: [(name: String, bytes: Data)] = [
        ("as it is", Data(marker.utf8)), ("in base64", Data("aHVzaC".utf8)), ("in base64", Data("h1c2gt".utf8)),
        ("in base64", Data("odXNoL".utf8)),
    ]

    /// Messages with file and secret for the files below a folder, except those in the folder `given`, where tests put
    /// what they type.
    package static func hits(below folder: String, except given: String? = nil) -> [String] {
        var hits: [String] = []
        let files = FileManager.default.enumerator(atPath: folder)
        while let name = files?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            if path == given {
                files?.skipDescendants()
                continue
            }
            var status = stat()
            // A FIFO would block, and a link leads elsewhere.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
                let content = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
            else { continue }
            for form in forms {
                guard let place = find(form.bytes, in: content) else { continue }
                let shown = content.dropFirst(place).prefix(24).filter { $0 > 0x20 && $0 < 0x7F }
                hits.append("\(path) has a secret \(form.name): \(String(decoding: shown, as: UTF8.self))")
            }
        }
        return hits
    }

    /// Uses memmem, because it searches everything that each test leaves.
    private static func find(_ needle: Data, in content: Data) -> Int? {
        content.withUnsafeBytes { content in
            needle.withUnsafeBytes { needle in
                guard let bytes = content.baseAddress, let wanted = needle.baseAddress else { return nil }
                let place = ctest_find(bytes, content.count, wanted, needle.count)
                return place < 0 ? nil : place
            }
        }
    }
}
