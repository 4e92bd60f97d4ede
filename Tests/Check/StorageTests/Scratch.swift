import CLinux
import Foundation
import Testing

@testable import Storage

/// A data directory of a test's own, removed at its end.
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

    @discardableResult
    func save(
        _ content: [UInt8], operation: String, at place: ItemPlace, journal: FileJournal,
        policy: FreezePolicy = .copyIfWriterLeft, crashPoint: @escaping CrashPoint = { _ in }
    ) throws -> WriteOutcome {
        let writer = Writer(layout: layout, journal: journal, crashPoint: crashPoint)
        let record = WriteRecord(
            operation: operation, item: "p/item", place: place, baseVersion: nil, base: try writer.base(at: place))
        let session = try writer.begin(record, expectedSize: UInt64(content.count))
        try write(content, to: session.makeClientDescriptor())
        return try writer.commit(session, policy: policy)
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

/// The journal as a file for each operation, durable as the database's is.
struct FileJournal: WriteJournal {
    let directory: String

    init(_ scratch: Scratch) throws { try self.init(directory: scratch.root + "/journal") }

    init(directory: String) throws {
        self.directory = directory
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    func opened(_ record: WriteRecord) throws { try put(record) }
    func staged(_ record: WriteRecord) throws { try put(record) }
    func published(_ record: WriteRecord, conflict: FileName?) throws { try put(record) }
    func uploaded(_ record: WriteRecord) throws { try put(record) }

    func records() throws -> [WriteRecord] {
        try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasSuffix(".json") }.map {
            try JSONDecoder().decode(
                StoredRecord.self, from: Data(contentsOf: URL(fileURLWithPath: "\(directory)/\($0)"))
            ).record
        }
    }

    private func put(_ record: WriteRecord) throws {
        let url = URL(fileURLWithPath: "\(directory)/\(record.operation).json")
        try JSONEncoder().encode(StoredRecord(record)).write(to: url, options: .atomic)
    }
}

func expectCode(_ code: FileSystemError.Code, _ body: () throws -> Void, at place: SourceLocation = #_sourceLocation) {
    let error = #expect(throws: FileSystemError.self, sourceLocation: place) { try body() }
    #expect(error?.code == code, sourceLocation: place)
    #expect(error?.remedy.isEmpty == false, sourceLocation: place)
}

/// A record as the tests' journal keeps it. The product's own journal keeps no places.
private struct StoredRecord: Codable {
    let operation: String
    let item: String
    let container: String
    let folder: FileName
    let name: FileName
    let baseVersion: Int64?
    let base: FileStamp?
    let state: WriteRecord.State
    let digest: SHA256.Digest?
    let size: UInt64?

    init(_ record: WriteRecord) {
        operation = record.operation
        item = record.item
        container = record.place.container.text
        folder = record.place.folder
        name = record.place.name
        baseVersion = record.baseVersion
        base = record.base
        state = record.state
        digest = record.digest
        size = record.size
    }

    var record: WriteRecord {
        WriteRecord(
            operation: operation, item: item,
            place: ItemPlace(container: OwnPath(container), folder: folder, name: name), baseVersion: baseVersion,
            base: base, state: state, digest: digest, size: size)
    }
}
