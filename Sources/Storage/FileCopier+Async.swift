extension FileCopier {
    /// Copies on the worker's threads; cancelling the task stops the copy at the next 4 MiB.
    ///
    /// The descriptors are kept open until the copy has ended.
    package static func copy(
        from source: OpenDescriptor, to target: OpenDescriptor, bound: UInt64, on worker: BlockingWorker,
        deadline: ContinuousClock.Instant? = nil, progress: @escaping @Sendable (UInt64, UInt64) -> Void = { _, _ in }
    ) async throws -> Outcome {
        try await worker.run(deadline: deadline) { cancellation in
            try withExtendedLifetime((source, target)) {
                try copy(
                    from: source.number, to: target.number, bound: bound, cancellation: cancellation,
                    progress: progress)
            }
        }
    }

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
