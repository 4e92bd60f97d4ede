import CLinux
import Glibc

/// Copies a file that may change, lie or be huge: bounded, cancellable, never mapped, checked before and after.
///
/// Blocking; call it on a `BlockingWorker`.
package enum FileCopier {
    /// How the bytes came over.
    package enum Method: Hashable, Sendable {
        /// The blocks are shared (FICLONE).
        case clone
        /// The kernel copied (copy_file_range), at least in part.
        case kernel
        /// Read and written.
        case buffered
    }

    /// What a copy did.
    package struct Outcome: Hashable, Sendable {
        /// Bytes copied.
        package let size: UInt64
        /// The source as it was before and after.
        package let source: FileStatus
        /// How it was done.
        package let method: Method
    }

    /// The ways to try, best first; narrower in tests.
    package struct Methods: Sendable {
        /// Share blocks where the file system can.
        package var clone = true
        /// Let the kernel copy where it can.
        package var kernel = true

        /// All ways.
        package init() {}
    }

    private static let attempts = 3
    private static let piece = 4 << 20

    /// Replaces the content of `target` by that of `source`.
    ///
    /// The source's offset is neither used nor moved. Space is reserved before the first byte is written. A source that
    /// changes meanwhile is copied again, twice at most.
    ///
    /// - Parameters:
    ///   - source: a regular file, readable; borrowed.
    ///   - target: a regular file, writable, of ours; borrowed.
    ///   - bound: the most bytes to copy; a longer source is an error before anything is written.
    ///   - methods: the ways to try.
    ///   - cancellation: checked before each 4 MiB.
    ///   - progress: bytes done and in all, on the calling thread; begins anew with each attempt.
    /// - Throws: `.unacceptable` for anything but a regular file, `.tooLarge`, `.noSpace`, `.changed`, `.cancelled`,
    ///   `.deadline`, or the failure of a system call. The target's content is then undefined.
    package static func copy(
        from source: Int32, to target: Int32, bound: UInt64, methods: Methods = Methods(),
        cancellation: Cancellation = Cancellation(), progress: (UInt64, UInt64) -> Void = { _, _ in }
    ) throws -> Outcome {
        for _ in 0..<attempts {
            try cancellation.check()
            let before = try FileStatus(of: source)
            guard before.kind == .regular else {
                throw FileSystemError(.unacceptable, "Only a regular file can be copied.")
            }
            guard before.size <= bound else {
                throw FileSystemError(
                    .tooLarge, "The file has \(before.size) bytes, but at most \(bound) were declared.")
            }
            let method = try transfer(
                source, target, size: before.size, methods: methods, cancellation: cancellation, progress: progress)
            let after = try FileStatus(of: source)
            let copied = try FileStatus(of: target).size
            if before.sameContent(as: after), copied == before.size {
                return Outcome(size: copied, source: after, method: method)
            }
        }
        throw FileSystemError(.changed, "The file kept changing while it was copied.")
    }

    private static func transfer(
        _ source: Int32, _ target: Int32, size: UInt64, methods: Methods, cancellation: Cancellation,
        progress: (UInt64, UInt64) -> Void
    ) throws -> Method {
        try checked(clinux_ftruncate(target, 0), "empty the copy")
        progress(0, size)
        if methods.clone, clinux_clone(source, target) == 0 {
            progress(size, size)
            return .clone
        }
        try Space.reserve(target, size: size)
        var offset: UInt64 = 0
        var method = Method.buffered
        if methods.kernel {
            offset = try copyInKernel(source, target, size: size, cancellation: cancellation, progress: progress)
            if offset > 0 { method = .kernel }
        }
        try copyBuffered(
            source, target, from: offset, size: size, cancellation: cancellation, progress: progress)
        return method
    }

    // Gives how far it came; the rest, if any, is for reading and writing.
    private static func copyInKernel(
        _ source: Int32, _ target: Int32, size: UInt64, cancellation: Cancellation,
        progress: (UInt64, UInt64) -> Void
    ) throws -> UInt64 {
        var offset: UInt64 = 0
        while offset < size {
            try cancellation.check()
            let wanted = Int(min(UInt64(piece), size - offset))
            let copied = clinux_copy_file_range(source, Int64(offset), target, Int64(offset), wanted)
            if copied == -Int(ENOSPC) || copied == -Int(EDQUOT) || copied == -Int(EFBIG) {
                try checked(copied, "write the copy")
            }
            // Some file systems answer 0 although there is more: reading tells the truth.
            guard copied > 0 else { break }
            offset += UInt64(copied)
            progress(offset, size)
        }
        return offset
    }

    private static func copyBuffered(
        _ source: Int32, _ target: Int32, from start: UInt64, size: UInt64, cancellation: Cancellation,
        progress: (UInt64, UInt64) -> Void
    ) throws {
        guard start < size else { return }
        var offset = start
        let capacity = Int(min(UInt64(1 << 20), size - start))
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 4096)
        defer { buffer.deallocate() }
        while offset < size {
            try cancellation.check()
            let wanted = Int(min(UInt64(capacity), size - offset))
            let got = try checked(clinux_pread(source, buffer, wanted, Int64(offset)), "read the file")
            // Shorter than it was: the comparison afterwards will tell.
            if got == 0 { return }
            var written = 0
            while written < got {
                written += try checked(
                    clinux_pwrite(target, buffer + written, got - written, Int64(offset) + Int64(written)),
                    "write the copy")
            }
            offset += UInt64(got)
            progress(offset, size)
        }
    }
}
