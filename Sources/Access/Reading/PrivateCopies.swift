import CLinux
import DocentInterfaces
package import Rights
package import Storage
import Synchronization

/// The unlinked copies that confined clients have open, and how much disk space each client uses with them.
///
/// A client that opens the same version twice gets the same copy. A copy that the client has closed no longer counts:
/// the daemon keeps each copy open and asks the kernel whether another process has it open. Thread-safe; blocks.
package final class PrivateCopies: Sendable {
    /// The maximum number of copies that one client may have open.
    package static let maximumCount = 256

    private struct Copy {
        // nil while the copy is being made, and for a copy that is never shared.
        var source: FileStamp?
        var file: OpenDescriptor?
        var size: UInt64
    }

    private struct Books {
        var copies: [Principal: [UInt64: Copy]] = [:]
        var next: UInt64 = 0
    }

    private let books = Mutex(Books())
    private let maximumBytes: UInt64

    /// - Parameter maximumBytes: the maximum number of bytes in copies that one client may have open. A single document
    ///   may be larger.
    package init(maximumBytes: UInt64) { self.maximumBytes = maximumBytes }

    /// Returns a client's copy, and makes it if the client has none of this version.
    ///
    /// - Parameters:
    ///   - source: identifies what is copied; nil for a copy that is never shared.
    ///   - size: the expected size of the copy in bytes.
    ///   - make: makes the copy, opened read-only.
    /// - Throws: ``Failure`` `Busy` if the client has reached its limit; what `make` throws.
    package func copy(
        for principal: Principal, of source: FileStamp?, size: UInt64, _ make: () throws -> OpenDescriptor
    ) throws -> OpenDescriptor {
        let (present, number) = try books.withLock { books in
            try Self.reserve(&books, principal, source, size, maximumBytes)
        }
        if let present { return try OpenDescriptor.reopenReadOnly(present.number) }
        do {
            let file = try make()
            let given = try OpenDescriptor.reopenReadOnly(file.number)
            let real = try FileStatus(of: file.number).size
            books.withLock { $0.copies[principal]?[number] = Copy(source: source, file: file, size: real) }
            return given
        } catch {
            books.withLock { books in _ = books.copies[principal]?.removeValue(forKey: number) }
            throw error
        }
    }

    /// The bytes and the number of the copies that a client has open.
    package func use(of principal: Principal) -> (bytes: UInt64, count: Int) {
        books.withLock { books in
            Self.forgetClosed(&books)
            let copies = books.copies[principal] ?? [:]
            return (copies.values.reduce(0) { $0 + $1.size }, copies.count)
        }
    }

    private static func reserve(
        _ books: inout Books, _ principal: Principal, _ source: FileStamp?, _ size: UInt64, _ limit: UInt64
    ) throws(Failure) -> (OpenDescriptor?, UInt64) {
        if let source, let copy = books.copies[principal]?.values.first(where: { $0.source == source }),
            let file = copy.file
        {
            return (file, 0)
        }
        forgetClosed(&books)
        let copies = books.copies[principal] ?? [:]
        let used = copies.values.reduce(UInt64(0)) { $0 + $1.size }
        guard copies.isEmpty || copies.count < maximumCount && used <= limit && size <= limit - used else {
            throw Failure(
                .busy, "Copies of this client's open documents already take \(used) bytes on the disk.",
                suggestion: "Close some of them; a client may have \(limit) bytes of copies open.")
        }
        books.next += 1
        books.copies[principal, default: [:]][books.next] = Copy(source: nil, file: nil, size: size)
        return (nil, books.next)
    }

    private static func forgetClosed(_ books: inout Books) {
        for (principal, copies) in books.copies {
            let open = copies.filter { $0.value.file.map { clinux_is_open_elsewhere($0.number) != 0 } ?? true }
            books.copies[principal] = open.isEmpty ? nil : open
        }
    }
}
