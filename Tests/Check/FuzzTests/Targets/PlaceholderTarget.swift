import Foundation
import Glibc
import RemoteDocuments
import Storage

/// The placeholder reader: hidden files with any content that a provider may have written.
struct PlaceholderTarget: FuzzTarget {
    let name = "placeholders"
    let words = [
        #""docentPlaceholder":1"#, #""metadata":{"#, #""name":"a.txt""#, #""size":-1"#, #""isPackage":false"#, "1e999",
        #""modificationDate":1e308"#, #""size":9223372036854775807"#, "null", #""version":"#,
    ]

    private let folder: Directory
    private let path: String
    private let document: FileName

    /// - Parameter folder: a folder of its own for the files that it reads.
    init(folder: String) throws {
        self.folder = try Directory(path: StorageLayout(dataDirectory: folder, runtimeDirectory: folder).dataDirectory)
        document = try FileName("a.txt")
        path = folder + "/.a.txt.docent-placeholder"
    }

    func run(_ bytes: [UInt8]) throws {
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return }
        guard let found = PlaceholderFile.read(for: document, in: folder) else { return }
        guard found.docentPlaceholder == 1, bytes.count <= 1 << 16 else {
            throw FuzzFinding("\(bytes.count) bytes are read as a placeholder of form \(found.docentPlaceholder).")
        }
        // A placeholder that was read can be written, and is the same when it is read again.
        try found.write(for: document, in: folder)
        guard PlaceholderFile.read(for: document, in: folder) == found else {
            throw FuzzFinding("Written and read again it is another: \(found)")
        }
    }
}
