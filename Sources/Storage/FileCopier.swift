import CLinux
import Glibc

/// Copies a file that may change, misreport its size or be huge: bounded, cancellable, never mapped, checked before and
/// after.
///
/// Blocking; call it on a `BlockingWorker`.
package enum FileCopier {
    /// How the bytes were copied.
    package enum Method: Hashable, Sendable {
        /// The blocks are shared (FICLONE).
        case clone
        /// The kernel copied (copy_file_range), at least in part.
        case kernel
        /// Read and written.
        case buffered
    }

    /// The outcome of a copy.
    package struct Outcome: Hashable, Sendable {
        /// The number of bytes copied.
        package let size: UInt64
        /// The source as it was before and after.
        package let source: FileStatus
        /// The method that was used.
        package let method: Method
    }

    /// The methods to try, best first; tests allow fewer.
    package struct Methods: Sendable {
        /// Share blocks if the file system can.
        package var clone = true
        /// Let the kernel copy if it can.
        package var kernel = true

        /// All methods.
        package init() {}
    }

    private static let attempts = 3
    private static let piece = 4 << 20

    /// Replaces the content of `target` with that of `source`.
    ///
    /// The source's offset is neither used nor moved. Space is reserved before the first byte is written. If the source
    /// changes during the copy, it is copied again, at most twice.
    ///
    /// - Parameters:
    ///   - source: a regular file, readable; borrowed.
    ///   - target: a regular file of Docent's own, writable; borrowed.
    ///   - bound: the most bytes to copy; a longer source is an error before anything is written.
    ///   - methods: the methods to try.
    ///   - cancellation: checked before each 4 MiB.
    ///   - progress: bytes copied and in total, on the calling thread; starts over with each attempt.
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
        throw FileSystemError(.changed, "The file kept changing while it was being copied.")
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

    // Returns the number of bytes copied; the rest, if any, is left to reading and writing.
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
            // Some file systems return 0 although there is more; reading shows whether there is.
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
            // The source became shorter: the comparison afterwards detects it.
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
