import FoundationEssentials
import Glibc

/// Transfers contents between memory and the files of an access. Blocking work runs on separate threads.
enum DocumentFiles {
    /// Reads the whole contents of an access.
    static func read(_ access: ReadingAccess) async throws -> DocumentContents {
        if access.item.isFolder { return .fileWrapper(try await FileWrapper.read(from: access.package)) }
        let descriptor = access.descriptor
        return .data(try await offThread { try ElementContent.read(descriptor) })
    }

    /// Writes and publishes contents; they are durable when this returns. For a package, only new elements are
    /// transferred.
    static func write(
        _ contents: DocumentContents, _ attributes: DocumentAttributes, _ access: WritingAccess
    ) async throws -> DocumentItem {
        switch contents {
        case .data(let data):
            let session = try await access.session(replacing: true)
            let descriptor = session.descriptor
            try await offThread { try write(data, to: descriptor) }
            try await session.setAttributes(attributes)
            return try await session.commit()
        case .fileWrapper(let wrapper):
            let session = try await access.package(replacing: false)
            try await wrapper.write(to: session)
            try await session.setAttributes(attributes)
            return try await session.commit()
        }
    }

    /// Runs blocking work on a separate thread.
    static func offThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            BlockingWork.run { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Writes all data. Blocks.
    ///
    /// - Throws: ``DocumentsError`` `noSpace` when the disk is full, otherwise `failed`.
    static func write(_ data: Data, to descriptor: CInt) throws(DocumentsError) {
        var rest = data[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes { bytes in
                let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
                return (count, errno)
            }
            if count < 0 {
                if code == EINTR { continue }
                throw DocumentsError(
                    code == ENOSPC || code == EDQUOT ? .noSpace : .failed,
                    "The document cannot be written: \(String(cString: strerror(code))).")
            }
            rest = rest.dropFirst(count)
        }
    }
}
