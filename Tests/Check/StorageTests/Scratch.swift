import CLinux
import Cryptography
import Foundation
import Testing

@testable import Storage

/// A temporary data directory.
final class Scratch: Sendable {
    let root: String
    let layout: StorageLayout

    init(under parent: String = NSTemporaryDirectory()) throws {
        root = (parent as NSString).appendingPathComponent("docent-storage-\(UUID().uuidString)")
        layout = StorageLayout(dataDirectory: root + "/data", runtimeDirectory: root + "/run")
        try layout.prepare()
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    var store: MaterialisedStore {
        get throws { try store(domain: nil) }
    }

    func store(domain: String?) throws -> MaterialisedStore {
        _ = try layout.prepareCopies(provider: "p", domain: domain)
        return MaterialisedStore(container: layout.copies(provider: "p", domain: domain))
    }

    func file(_ name: String, _ content: [UInt8] = []) throws -> OpenDescriptor {
        let path = root + "/" + name
        try Data(content).write(to: URL(fileURLWithPath: path))
        return OpenDescriptor(owning: try checked(clinux_open(path, CLINUX_O_RDWR, 0), "open"))
    }

    func place(_ identifier: String = "item", _ name: String = "report.txt") throws -> ItemPlace {
        try store.place(for: identifier, name: Array(name.utf8))
    }

    func content(of place: ItemPlace) throws -> [UInt8]? {
        try store.open(place).map { try bytes(of: $0) }
    }

    /// Saves content in a place as the host does: staged, frozen, published.
    @discardableResult
    func save(
        _ content: [UInt8], operation: String, at place: ItemPlace, policy: FreezePolicy = .copyIfWriterLeft
    ) throws -> SHA256.Digest {
        let area = StagingArea(layout: layout)
        let session = try area.begin(operation, expectedSize: UInt64(content.count))
        try write(content, to: session.makeClientDescriptor())
        let frozen = try area.freeze(session, policy: policy)
        try publish(operation, at: place)
        return frozen.digest
    }

    /// Publishes an operation's frozen content in a place.
    func publish(_ operation: String, at place: ItemPlace) throws {
        _ = try MaterialisedStore(container: place.container).publishLink(
            FileName(operation), in: Directory(path: layout.uploadsDirectory), for: place.folder.description, at: place,
            staging: Directory(path: layout.stagingDirectory))
    }
}

func write(_ content: [UInt8], to file: OpenDescriptor) throws {
    try FileHandle(fileDescriptor: file.number, closeOnDealloc: false).write(contentsOf: Data(content))
}

func bytes(of file: OpenDescriptor) throws -> [UInt8] {
    var all = [UInt8](repeating: 0, count: Int(try FileStatus(of: file.number).size))
    var done = 0
    while done < all.count {
        let got = all.withUnsafeMutableBytes { buffer in
            buffer.baseAddress.map { clinux_pread(file.number, $0 + done, buffer.count - done, Int64(done)) } ?? 0
        }
        if try checked(got, "read") == 0 { break }
        done += got
    }
    return Array(all.prefix(done))
}

func expectCode(_ code: FileSystemError.Code, _ body: () throws -> Void, at place: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: FileSystemError.self, sourceLocation: place) { try body() }
    #expect(error?.code == code, sourceLocation: place)
    #expect(error?.remedy.isEmpty == false, sourceLocation: place)
}
