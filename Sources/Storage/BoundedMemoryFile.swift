import CLinux

/// A file in memory for what a program or a provider that is not trusted writes. It has a fixed size: nobody makes it
/// larger, whoever holds its descriptor. What was not written is zero.
package final class BoundedMemoryFile: Sendable {
    private let file: OpenDescriptor
    private let size: Int

    /// Makes a file of this size; it takes memory only for what is written.
    ///
    /// - Throws: ``FileSystemError``.
    package init(size: Int) throws {
        file = OpenDescriptor(owning: try checked(clinux_memory_file("docent-picture", 1), "create a file in memory"))
        self.size = size
        try checked(clinux_ftruncate(file.number, Int64(size)), "set the size of a file in memory")
        let seals = CLINUX_SEAL_GROW | CLINUX_SEAL_SHRINK | CLINUX_SEAL_SEAL
        try checked(clinux_add_seals(file.number, seals), "seal a file in memory")
    }

    /// Its descriptor, open for reading and writing; valid while this object is alive.
    package var descriptor: Int32 { file.number }

    /// What is in it now, up to its end. Somebody may still be writing: the copy that is returned is what counts.
    ///
    /// - Throws: ``FileSystemError``.
    package func bytes() throws -> [UInt8] {
        try file.beginning(size)
    }

    /// These bytes as a file in memory, open for reading, that nobody can change.
    ///
    /// - Throws: ``FileSystemError``.
    package static func reading(_ bytes: [UInt8]) throws -> OpenDescriptor {
        let file = try BoundedMemoryFile(size: bytes.count)
        try file.write(bytes)
        return try OpenDescriptor.reopenReadOnly(file.descriptor)
    }

    /// Writes its beginning.
    ///
    /// - Throws: ``FileSystemError``.
    package func write(_ bytes: [UInt8]) throws { try file.writeBeginning(bytes) }
}

extension OpenDescriptor {
    /// Writes all these bytes at the beginning of the file.
    func writeBeginning(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            let count = try bytes.withUnsafeBytes { buffer in
                guard let start = buffer.baseAddress else { return 0 }
                return try checked(
                    clinux_pwrite(number, start + written, bytes.count - written, Int64(written)), "write the file")
            }
            guard count > 0 else { throw FileSystemError(.noSpace, "There is no space for the file.") }
            written += count
        }
    }
}
