extension FileCopier {
    /// Makes a private copy without a name, for a client that must not see the file itself.
    ///
    /// - Parameter directory: a folder of Docent's own on the file system that will hold the copy.
    /// - Returns: the copy, opened read-only; its space is freed when the last descriptor is closed.
    package static func unlinkedCopy(
        of source: Int32, in directory: Directory, bound: UInt64, cancellation: Cancellation = Cancellation()
    ) throws -> OpenDescriptor {
        let target = try TemporaryFile.unnamed(in: directory)
        _ = try copy(from: source, to: target.number, bound: bound, cancellation: cancellation)
        return try OpenDescriptor.reopenReadOnly(target.number)
    }
}
