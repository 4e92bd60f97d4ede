import Foundation
import Glibc

@testable import FileProvider

/// A file that already has the first bytes of a document.
struct PartialFile {
    private let path: String
    private let count: Int

    init(_ folder: String, _ bytes: [UInt8]) throws {
        path = folder + "/" + UUID().uuidString
        count = bytes.count
        try Data(bytes).write(to: URL(filePath: path))
    }

    var bytes: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: path))) } }

    func resume(
        _ provider: some ReplicatedFileProvider, _ item: ItemIdentifier, at version: ItemVersion
    ) async throws -> FileProviderItem {
        let writer = ContentWriter(owning: open(path, O_RDWR | O_CLOEXEC), resumableBytes: count)
        return try await provider.fetchContents(
            of: item, resumingAt: ResumePoint(offset: count, version: version), into: writer,
            progress: TransferProgress())
    }
}
