extension FileCoordinator {
    /// Reads an item once other claims allow it, its presenters have saved, and its content is on this machine.
    ///
    /// The accessor runs in the caller's isolation. Cancelling the task ends the wait.
    ///
    /// - Parameters:
    ///   - reference: the item to read.
    ///   - options: how to read it.
    ///   - accessor: receives the access; the claim ends when it returns.
    /// - Returns: the accessor's result.
    /// - Throws: ``DocumentsError``: `cancelled`, `deadlineExceeded`, `deadlock`, or an error of a presenter or the
    ///   provider; `claimLost` when the daemon was restarted meanwhile and the item has changed, so that what was read
    ///   may be inconsistent. Also rethrows the accessor's errors.
    public func coordinate<Result>(
        readingItemAt reference: DocumentReference, options: ReadingOptions = [],
        _ accessor: (ReadingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query([.reading(reference, options: options)], blocks: false)
        return try await withClaim(query, forbidsWriting: false) { claim in
            try await accessor(ReadingAccess(claim, 0))
        }
    }

    /// Writes at a place once other claims allow it and its presenters have relinquished it. Within it, this
    /// coordinator may only read.
    ///
    /// - Parameters:
    ///   - place: the item to write, or the place to create it.
    ///   - options: how to write it.
    ///   - accessor: receives the access. Changes begun with it are committed when the accessor returns and abandoned
    ///     when it throws; then the claim ends.
    /// - Throws: as ``coordinate(readingItemAt:options:_:)``; `claimLost` when nothing was published because the claim
    ///   was lost.
    public func coordinate<Result>(
        writingItemAt place: DocumentPlace, options: WritingOptions = [],
        _ accessor: (WritingAccess) async throws -> Result
    ) async throws -> Result {
        let query = try query([.writing(place, options: options)], blocks: false)
        return try await withClaim(query, forbidsWriting: true) { claim in
            try await accessor(WritingAccess(claim, 0, place))
        }
    }

    /// Writes an item, as ``coordinate(writingItemAt:options:_:)-(DocumentPlace,_,_)``.
    public func coordinate<Result>(
        writingItemAt reference: DocumentReference, options: WritingOptions = [],
        _ accessor: (WritingAccess) async throws -> Result
    ) async throws -> Result {
        try await coordinate(writingItemAt: DocumentPlace(reference), options: options, accessor)
    }

    /// Reads one item and writes another with a single claim, so that it cannot deadlock with another program's claim.
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

    /// Writes at two places with a single claim. To move an item, use `forMoving` for the first and `forReplacing` for
    /// the second.
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

    /// Accesses any number of items with a single claim.
    ///
    /// - Parameters:
    ///   - intents: what to access, and how.
    ///   - accessor: receives the accesses in the order of the intents.
    /// - Throws: as ``coordinate(readingItemAt:options:_:)``; `invalidArgument` for more than one intent for uploading.
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

    /// Asks the presenters of many items, and of everything in them, in a single step. `body` then coordinates the
    /// items without asking again. This grants no access by itself.
    ///
    /// - Parameters:
    ///   - reading: the items that will be read.
    ///   - readingOptions: may not contain `resolvesSymbolicLink`.
    ///   - writing: the places that will be written.
    ///   - writingOptions: may not contain `forReplacing`.
    ///   - body: makes the accesses; the presenters are notified of all of them together.
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
