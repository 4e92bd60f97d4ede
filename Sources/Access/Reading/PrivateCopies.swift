import CLinux
import DocentInterfaces
package import HostCore
package import Rights
package import Storage
import Synchronization
import Varlink

/// The unlinked copies that confined clients have open, and how much disk space each client uses with them (T4).
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
    private let limits: ShareLimits
    private let minimumFree: UInt64

    /// - Parameters:
    ///   - limits: the bytes of copies that clients may have open.
    ///   - minimumFree: the bytes that they leave free on the disk for everybody else.
    package init(limits: ContentLimits, minimumFree: UInt64) {
        (self.limits, self.minimumFree) = (limits.copiedBytes, minimumFree)
    }

    /// Returns a client's copy, and makes it if the client has none of this version.
    ///
    /// - Parameters:
    ///   - source: identifies what is copied; nil for a copy that is never shared.
    ///   - size: the expected size of the copy in bytes.
    ///   - make: makes the copy, opened read-only.
    /// - Throws: ``Failure`` `Busy` if the client has its share; `.noSpace` if the copy would leave the others no room
    ///   on the disk; what `make` throws.
    package func copy(
        for principal: Principal, of source: FileStamp?, size: UInt64, _ make: () throws -> OpenDescriptor
    ) throws -> OpenDescriptor {
        let (present, number) = try books.withLock { books in
            try reserve(&books, principal, source, size)
        }
        if let present { return try OpenDescriptor.reopenReadOnly(present.number) }
        do {
            let file = try make()
            try Space.requireAvailable(0, on: file.number, keeping: minimumFree)
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

    private func reserve(
        _ books: inout Books, _ principal: Principal, _ source: FileStamp?, _ size: UInt64
    ) throws(Failure) -> (OpenDescriptor?, UInt64) {
        if let source, let copy = books.copies[principal]?.values.first(where: { $0.source == source }),
            let file = copy.file
        {
            return (file, 0)
        }
        Self.forgetClosed(&books)
        var shares = PrincipalShares(limits)
        for (owner, copies) in books.copies {
            for copy in copies.values { shares.note(Int(clamping: copy.size), of: owner.shareHolder) }
        }
        let holder = principal.shareHolder
        switch shares.refusal(of: Int(clamping: size), to: holder) {
        case nil where (books.copies[principal]?.count ?? 0) < Self.maximumCount: break
        case .kind(let limit), .total(let limit):
            throw Failure(
                .busy, "Copies of open documents of sandboxed programs already take \(limit) bytes on the disk.",
                suggestion: "Try again when some of these programs have ended.")
        default:
            throw Failure(
                .busy,
                "Copies of this client's open documents already take \(shares.amount(of: holder)) bytes on the disk.",
                suggestion: "Close some of them; a client may have \(limits[holder.kind].each) bytes of copies open, "
                    + "in at most \(Self.maximumCount) copies.")
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
