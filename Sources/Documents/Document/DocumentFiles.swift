import FoundationEssentials
import Glibc

/// Contents between memory and the files of an access; what blocks does so on threads of its own.
enum DocumentFiles {
    /// All that an access reads.
    static func read(_ access: ReadingAccess) async throws -> DocumentContents {
        if access.item.isFolder { return .fileWrapper(try await FileWrapper.read(from: access.package)) }
        let descriptor = access.descriptor
        return .data(try await offThread { try ElementContent.read(descriptor) })
    }

    /// Writes and publishes contents; durable when it returns. A package transfers what is new in it alone (N3).
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

    /// Runs what blocks.
    static func offThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            BlockingWork.run { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Writes everything. Blocks.
    ///
    /// - Throws: ``DocumentsError`` `noSpace` on a full disk, else `failed`.
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
