extension FileCoordinator {
    /// Reads an item when its turn has come, its presenters have saved, and its content is here.
    ///
    /// The accessor runs in the caller's isolation. Cancelling the task ends the wait.
    ///
    /// - Parameters:
    ///   - reference: what is read.
    ///   - options: how it is accessed.
    ///   - accessor: gets the access; the claim ends when it returns.
    /// - Returns: what the accessor returns.
    /// - Throws: ``DocumentsError``: `cancelled`, `deadlineExceeded`, `deadlock`, what a presenter or the provider says;
    ///   `claimLost` when the daemon was restarted meanwhile and the item is another one now: what was read may be mixed. Or what
    ///   the accessor throws.
    public func coordinate<Result>(
        readingItemAt reference: DocumentReference, options: ReadingOptions = [],
        _ accessor: (ReadingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query([.reading(reference, options: options)], blocks: false)
        return try await withClaim(query, forbidsWriting: false) { claim in
            try await accessor(ReadingAccess(claim, 0))
        }
    }

    /// Writes at a place when its turn has come and its presenters have let go. Within it this coordinator may only read.
    ///
    /// - Parameters:
    ///   - place: what is written, or where it is made.
    ///   - options: how it is accessed.
    ///   - accessor: gets the access; what was begun with it is committed when it returns and abandoned when it throws.
    ///     Then the claim ends.
    /// - Throws: as ``coordinate(readingItemAt:options:_:)``; `claimLost` when nothing was published because the claim was lost.
    public func coordinate<Result>(
        writingItemAt place: DocumentPlace, options: WritingOptions = [],
        _ accessor: (WritingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query([.writing(place, options: options)], blocks: false)
        return try await withClaim(query, forbidsWriting: true) { claim in
            try await accessor(WritingAccess(claim, 0, place))
        }
    }

    /// Writes an item; as ``coordinate(writingItemAt:options:_:)-(DocumentPlace,_,_)``.
    public func coordinate<Result>(
        writingItemAt reference: DocumentReference, options: WritingOptions = [],
        _ accessor: (WritingAccess) async throws -> Result
    ) async throws -> Result {
        try await coordinate(writingItemAt: DocumentPlace(reference), options: options, accessor)
    }

    /// Reads one item and writes another, with one claim, which cannot deadlock with another program's.
    public func coordinate<Result>(
        readingItemAt reference: DocumentReference, options readingOptions: ReadingOptions,
        writingItemAt place: DocumentPlace, options writingOptions: WritingOptions = [],
        _ accessor: (ReadingAccess, WritingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query(
            [.reading(reference, options: readingOptions), .writing(place, options: writingOptions)], blocks: false)
        return try await withClaim(query, forbidsWriting: false) { claim in
            try await accessor(ReadingAccess(claim, 0), WritingAccess(claim, 1, place))
        }
    }

    /// Writes at two places with one claim. A move is `forMoving` here and `forReplacing` there.
    public func coordinate<Result>(
        writingItemAt first: DocumentPlace, options firstOptions: WritingOptions,
        writingItemAt second: DocumentPlace, options secondOptions: WritingOptions = [],
        _ accessor: (WritingAccess, WritingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query(
            [.writing(first, options: firstOptions), .writing(second, options: secondOptions)], blocks: false)
        return try await withClaim(query, forbidsWriting: false) { claim in
            try await accessor(WritingAccess(claim, 0, first), WritingAccess(claim, 1, second))
        }
    }

    /// Accesses any number of items with one claim (I2).
    ///
    /// - Parameters:
    ///   - intents: what to access, and how.
    ///   - accessor: gets the accesses in the order of the intents.
    /// - Throws: as ``coordinate(readingItemAt:options:_:)``; `invalidArgument` for several intents for uploading.
    public func coordinate<Result>(
        with intents: [FileAccessIntent], _ accessor: ([CoordinatedAccess]) async throws -> Result
    ) async throws -> Result {
        let order = try Self.order(intents)
        let query = try query(order.map { intents[$0] }, blocks: false)
        return try await withClaim(query, forbidsWriting: false) { claim in
            try await openOthers(claim)
            return try await accessor(try Self.accesses(claim, intents, order))
        }
    }

    /// Asks the presenters of many items at once, and of all that is in them, before `body` coordinates each of them without
    /// asking again (2.6). Grants no access by itself.
    ///
    /// - Parameters:
    ///   - reading: what is going to be read.
    ///   - readingOptions: not `resolvesSymbolicLink`.
    ///   - writing: what is going to be written.
    ///   - writingOptions: not `forReplacing`.
    ///   - body: makes the accesses; the presenters are told for all of them at once.
    public func prepare<Result>(
        forReadingItemsAt reading: [DocumentReference], options readingOptions: ReadingOptions,
        writingItemsAt writing: [DocumentPlace] = [], options writingOptions: WritingOptions = [],
        _ body: () async throws -> Result
    ) async throws -> Result {
        var query = try query(
            try Self.preparation(reading, readingOptions, writing, writingOptions), blocks: false)
        query.prepares = true
        query.opens = false
        return try await withClaim(query, forbidsWriting: false) { _ in try await body() }
    }
}
