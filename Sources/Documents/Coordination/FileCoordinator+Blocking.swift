extension FileCoordinator {
    /// Reads an item, for synchronous code: waits and runs the accessor on the calling thread. On the main thread the
    /// claim states this, so that a presenter that needs the main thread is reported as a `deadlock`.
    ///
    /// - Throws: as ``coordinate(readingItemAt:options:_:)``.
    public func coordinateBlocking<Result>(
        readingItemAt reference: DocumentReference, options: ReadingOptions = [],
        _ accessor: (ReadingAccess) throws -> Result
    ) throws -> Result {
        let query = try query([.reading(reference, options: options)], blocks: true)
        return try withClaimBlocking(query, forbidsWriting: false) { claim in try accessor(ReadingAccess(claim, 0)) }
    }

    /// Writes at a place, on the calling thread.
    public func coordinateBlocking<Result>(
        writingItemAt place: DocumentPlace, options: WritingOptions = [],
        _ accessor: (BlockingWritingAccess) throws -> Result
    ) throws -> Result {
        let query = try query([.writing(place, options: options)], blocks: true)
        return try withClaimBlocking(query, forbidsWriting: true) { claim in
            try accessor(BlockingWritingAccess(claim, 0, place))
        }
    }

    /// Writes an item, on the calling thread.
    public func coordinateBlocking<Result>(
        writingItemAt reference: DocumentReference, options: WritingOptions = [],
        _ accessor: (BlockingWritingAccess) throws -> Result
    ) throws -> Result {
        try coordinateBlocking(writingItemAt: DocumentPlace(reference), options: options, accessor)
    }

    /// Reads one item and writes another with a single claim, on the calling thread.
    public func coordinateBlocking<Result>(
        readingItemAt reference: DocumentReference, options readingOptions: ReadingOptions,
        writingItemAt place: DocumentPlace, options writingOptions: WritingOptions = [],
        _ accessor: (ReadingAccess, BlockingWritingAccess) throws -> Result
    ) throws -> Result {
        let query = try query(
            [.reading(reference, options: readingOptions), .writing(place, options: writingOptions)], blocks: true)
        return try withClaimBlocking(query, forbidsWriting: false) { claim in
            try accessor(ReadingAccess(claim, 0), BlockingWritingAccess(claim, 1, place))
        }
    }

    /// Writes at two places with a single claim, on the calling thread.
    public func coordinateBlocking<Result>(
        writingItemAt first: DocumentPlace, options firstOptions: WritingOptions,
        writingItemAt second: DocumentPlace, options secondOptions: WritingOptions = [],
        _ accessor: (BlockingWritingAccess, BlockingWritingAccess) throws -> Result
    ) throws -> Result {
        let query = try query(
            [.writing(first, options: firstOptions), .writing(second, options: secondOptions)], blocks: true)
        return try withClaimBlocking(query, forbidsWriting: false) { claim in
            try accessor(BlockingWritingAccess(claim, 0, first), BlockingWritingAccess(claim, 1, second))
        }
    }

    /// Asks the presenters of many items in a single step, on the calling thread.
    public func prepareBlocking<Result>(
        forReadingItemsAt reading: [DocumentReference], options readingOptions: ReadingOptions,
        writingItemsAt writing: [DocumentPlace] = [], options writingOptions: WritingOptions = [],
        _ body: () throws -> Result
    ) throws -> Result {
        var query = try query(try Self.preparation(reading, readingOptions, writing, writingOptions), blocks: true)
        query.prepares = true
        query.opens = false
        return try withClaimBlocking(query, forbidsWriting: false) { _ in try body() }
    }
}
