import CLinux
package import Foundation
import Glibc
package import Records
package import Storage

/// The hidden file that stands for a document whose content is not here (E1 to E8): its metadata as JSON.
///
/// It has the form of the SDK's placeholders. It is written under a temporary name and renamed; an empty one, left by a
/// crash, counts as absent. Blocking.
package struct PlaceholderFile: Hashable, Sendable, Codable {
    private static let currentForm = 1
    private static let maximumSize = 1 << 16

    /// The document's metadata.
    package struct Metadata: Hashable, Sendable, Codable {
        package var name: String
        package var size: Int64?
        package var isPackage = false
        package var contentType: String?
        package var modificationDate: Date?
        package var creationDate: Date?
        package var version: String?
        package var thumbnail: String?
    }

    /// The version of the file format.
    package var docentPlaceholder: Int
    package var metadata: Metadata

    package init(_ item: ItemDescription) {
        docentPlaceholder = Self.currentForm
        metadata = Metadata(
            name: item.name, size: item.size, contentType: item.contentType,
            modificationDate: item.modificationDate.map(Date.init(timeIntervalSince1970:)),
            creationDate: item.creationDate.map(Date.init(timeIntervalSince1970:)), version: item.version,
            thumbnail: item.thumbnail)
    }

    /// Writes the placeholder of a document into its folder, unless an identical one is there.
    package func write(for document: FileName, in folder: Directory) throws {
        guard Self.read(for: document, in: folder) != self else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = Array(try encoder.encode(self))
        let temporary = try FileName(".docent-\(UInt64.random(in: .min ... .max))")
        let file = try folder.create(temporary)
        do {
            try Self.write(bytes, to: file)
            let outcome = Self.withCString(temporary) { from in
                Self.withCString(PlaceholderName.name(of: document)) { to in
                    clinux_renameat2(folder.descriptor, from, folder.descriptor, to, 0)
                }
            }
            guard outcome >= 0 else { throw FileSystemError(errno: -outcome, "name the placeholder") }
        } catch {
            try? folder.remove(temporary)
            throw error
        }
    }

    /// The placeholder of a document; nil when there is none. A provider may plant any file in its container (F3).
    package static func read(for document: FileName, in folder: Directory) -> PlaceholderFile? {
        guard let file = try? folder.open(PlaceholderName.name(of: document)),
            let status = try? ForeignDescriptor.check(file.number, access: .readOnly), status.size <= maximumSize
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.size))
        let count = bytes.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { clinux_pread(file.number, $0, buffer.count, 0) } ?? 0
        }
        guard count == bytes.count,
            let found = try? JSONDecoder().decode(PlaceholderFile.self, from: Data(bytes)),
            found.docentPlaceholder == currentForm
        else { return nil }
        return found
    }

    /// Removes the placeholder of a document; a missing one is no error.
    package static func remove(for document: FileName, in folder: Directory) throws {
        try folder.remove(PlaceholderName.name(of: document))
    }

    private static func write(_ bytes: [UInt8], to file: OpenDescriptor) throws {
        var written = 0
        try bytes.withUnsafeBytes { buffer in
            while written < buffer.count, let start = buffer.baseAddress {
                let count = clinux_pwrite(file.number, start + written, buffer.count - written, Int64(written))
                guard count > 0 else { throw FileSystemError(errno: Int32(-count), "write the placeholder") }
                written += count
            }
        }
    }

    private static func withCString<Result>(_ name: FileName, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (name.bytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { buffer in
            // The terminator makes the buffer non-empty; "." names nothing that could be renamed.
            guard let start = buffer.baseAddress else { return ".".withCString(body) }
            return body(start)
        }
    }
}
