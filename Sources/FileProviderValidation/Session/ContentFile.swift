import CLinux
import Glibc
package import Varlink

/// An unnamed file with content for a provider or from one.
package final class ContentFile: Sendable {
    private let descriptor: OwnedDescriptor

    /// Creates a file with this content.
    ///
    /// - Throws: ``CallProblem`` of the validator itself when there is no space.
    package init(_ content: [UInt8] = []) throws {
        descriptor = OwnedDescriptor(clinux_memory_file("docent-validation", 1))
        guard descriptor.raw >= 0 else {
            throw CallProblem(did: "Making an unnamed file", kind: .own("no descriptor is free"))
        }
        var written = 0
        while written < content.count {
            let count = content.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    clinux_pwrite(descriptor.raw, $0 + written, content.count - written, Int64(written))
                } ?? 0
            }
            guard count > 0 else {
                throw CallProblem(did: "Writing an unnamed file", kind: .own("there is no space"))
            }
            written += count
        }
    }

    /// Takes over a file that a provider opened.
    package init(owning descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Its descriptor, valid while this object lives.
    package var raw: CInt { descriptor.raw }

    /// Another descriptor of it with the same access mode, at the start of the file.
    package func share() throws -> OwnedDescriptor {
        _ = lseek(descriptor.raw, 0, SEEK_SET)
        return try descriptor.duplicate()
    }

    /// Another descriptor of it, which cannot write.
    package func shareForReading() throws -> OwnedDescriptor {
        let copy = OwnedDescriptor(clinux_reopen(descriptor.raw, CLINUX_O_RDONLY))
        guard copy.raw >= 0 else {
            throw CallProblem(did: "Opening an unnamed file", kind: .own("no descriptor is free"))
        }
        return copy
    }

    /// Prevents it from growing.
    package func sealGrowth() { _ = clinux_add_seals(descriptor.raw, CLINUX_SEAL_GROW) }

    /// Its length in bytes.
    package var size: Int {
        var facts = clinux_stat()
        return clinux_stat_fd(descriptor.raw, &facts) == 0 ? Int(clamping: facts.size) : 0
    }

    /// Its content, at most `limit` bytes: a provider may write endlessly.
    package func contents(limit: Int = 64 << 20) -> [UInt8] { Self.contents(of: descriptor.raw, limit: limit) }

    /// The content of an open file, from its start.
    package static func contents(of descriptor: CInt, limit: Int = 64 << 20) -> [UInt8] {
        range(of: descriptor, at: 0, count: limit)
    }

    /// A range of bytes of an open file; shorter at its end.
    package static func range(of descriptor: CInt, at offset: Int, count: Int) -> [UInt8] {
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(1 << 18, max(count, 1)))
        while result.count < count {
            let wanted = min(buffer.count, count - result.count)
            let got = buffer.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { clinux_pread(descriptor, $0, wanted, Int64(offset + result.count)) } ?? 0
            }
            guard got > 0 else { break }
            result.append(contentsOf: buffer[..<got])
        }
        return result
    }
}
