extension FileCoordinator {
    /// The wire order of intents: a read for uploading comes first, then reads of content.
    static func order(_ intents: [FileAccessIntent]) throws(DocumentsError) -> [Int] {
        guard !intents.isEmpty else {
            throw DocumentsError(
                .invalidArgument, "There is nothing to coordinate.", suggestion: "Name at least one item.")
        }
        guard intents.count(where: \.isForUploading) <= 1 else {
            throw DocumentsError(
                .invalidArgument, "Only one item at a time can be read for uploading.",
                suggestion: "Coordinate them one after the other.")
        }
        func rank(_ intent: FileAccessIntent) -> Int { intent.isForUploading ? 0 : intent.readsContent ? 1 : 2 }
        return intents.indices.sorted { (rank(intents[$0]), $0) < (rank(intents[$1]), $1) }
    }

    /// The accesses of a claim, in the order of the intents.
    static func accesses(
        _ claim: HeldClaim, _ intents: [FileAccessIntent], _ order: [Int]
    ) throws(DocumentsError) -> [CoordinatedAccess] {
        var accesses: [Int: CoordinatedAccess] = [:]
        for (position, index) in order.enumerated() {
            let intent = intents[index]
            accesses[index] =
                intent.isWriting
                ? .writing(WritingAccess(claim, position, intent.place)) : .reading(try ReadingAccess(claim, position))
        }
        return intents.indices.compactMap { accesses[$0] }
    }

    /// Opens the items that are read in addition to the first.
    func openOthers(_ claim: HeldClaim) async throws(DocumentsError) {
        for (index, item) in Self.others(claim) {
            let file: CInt = try await client.document(item.reference).openForReading()
            claim.keep(ClaimedFile(file), at: index)
        }
    }

    private static func others(_ claim: HeldClaim) -> [(Int, DocumentItem)] {
        claim.query.intents.indices.dropFirst().compactMap { index in
            guard claim.query.intents[index].readsContent, let item = claim.item(index), !item.isFolder else {
                return nil
            }
            return (index, item)
        }
    }

    /// The intents for `prepare`.
    static func preparation(
        _ reading: [DocumentReference], _ readingOptions: ReadingOptions, _ writing: [DocumentPlace],
        _ writingOptions: WritingOptions
    ) throws(DocumentsError) -> [FileAccessIntent] {
        guard !readingOptions.contains(.resolvesSymbolicLink), !writingOptions.contains(.forReplacing) else {
            throw DocumentsError(
                .invalidArgument, "Neither resolvesSymbolicLink nor forReplacing can be prepared for.",
                suggestion: "State them in the nested calls.")
        }
        let intents =
            reading.map { FileAccessIntent.reading($0, options: readingOptions) }
            + writing.map { FileAccessIntent.writing($0, options: writingOptions) }
        guard !intents.isEmpty else {
            throw DocumentsError(
                .invalidArgument, "There is nothing to prepare for.", suggestion: "Name at least one item.")
        }
        return intents
    }
}
