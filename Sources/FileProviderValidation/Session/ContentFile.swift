import CLinux
import Glibc
package import Varlink

/// An unnamed file with content on its way to or from a provider.
package final class ContentFile: Sendable {
    private let descriptor: OwnedDescriptor

    /// A file with that content.
    ///
    /// - Throws: ``CallProblem`` of the validator's own when there is no room for it.
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
                throw CallProblem(did: "Writing an unnamed file", kind: .own("there is no room"))
            }
            written += count
        }
    }

    /// A file that a provider opened.
    package init(owning descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Its descriptor's number, valid while this object lives.
    package var raw: CInt { descriptor.raw }

    /// A second descriptor of it, open as this is, at the start of the file.
    package func share() throws -> OwnedDescriptor {
        _ = lseek(descriptor.raw, 0, SEEK_SET)
        return try descriptor.duplicate()
    }

    /// A second descriptor of it that cannot write.
    package func shareForReading() throws -> OwnedDescriptor {
        let copy = OwnedDescriptor(clinux_reopen(descriptor.raw, CLINUX_O_RDONLY))
        guard copy.raw >= 0 else {
            throw CallProblem(did: "Opening an unnamed file", kind: .own("no descriptor is free"))
        }
        return copy
    }

    /// Lets nobody make it longer from now on.
    package func sealGrowth() { _ = clinux_add_seals(descriptor.raw, CLINUX_SEAL_GROW) }

    /// Its length in bytes.
    package var size: Int {
        var facts = clinux_stat()
        return clinux_stat_fd(descriptor.raw, &facts) == 0 ? Int(clamping: facts.size) : 0
    }

    /// What is in it, at most so many bytes: a provider may write without end.
    package func contents(limit: Int = 64 << 20) -> [UInt8] { Self.contents(of: descriptor.raw, limit: limit) }

    /// What is in an open file, from its start.
    package static func contents(of descriptor: CInt, limit: Int = 64 << 20) -> [UInt8] {
        range(of: descriptor, at: 0, count: limit)
    }

    /// Some bytes of an open file, fewer where it ends.
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
