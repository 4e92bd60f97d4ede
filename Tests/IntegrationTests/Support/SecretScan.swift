import Foundation
import Glibc

/// Looks for test secrets in files: every secret of a test has `hush-` in it, so that one which was written anywhere is found, as it is or
/// in base64 at each of the three alignments.
enum SecretScan {
    /// What every secret begins with.
    static let marker = "hush-"

    /// The forms that are looked for. Those in base64 are the characters that depend on the marker alone.
    static let forms: [(name: String, bytes: Data)] = [
        ("as it is", Data(marker.utf8)), ("in base64", Data("aHVzaC".utf8)), ("in base64", Data("h1c2gt".utf8)),
        ("in base64", Data("odXNoL".utf8)),
    ]

    /// Sentences that name file and secret, for every file below a folder but those in the folder with that name, in which tests put what
    /// they type.
    static func hits(below folder: String, except given: String? = nil) -> [String] {
        var hits: [String] = []
        let files = FileManager.default.enumerator(atPath: folder)
        while let name = files?.nextObject() as? String {
            let path = "\(folder)/\(name)"
            if path == given {
                files?.skipDescendants()
                continue
            }
            var status = stat()
            // A FIFO would hang, and a link leads elsewhere.
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
                let content = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
            else { continue }
            for form in forms {
                guard let range = content.range(of: form.bytes) else { continue }
                let shown = content[range.lowerBound...].prefix(24).filter { $0 > 0x20 && $0 < 0x7F }
                hits.append("\(path) has a secret \(form.name): \(String(decoding: shown, as: UTF8.self))")
            }
        }
        return hits
    }
}
