extension DriveDevice {
    /// What content will be in the drive. Reads all of it and sends nothing.
    package func measure(_ source: some ContentSource) throws(DriveError) -> ContentManifest {
        if source.size <= ContentManifest.maximumInline { return .inline(try source.read(0..<source.size)) }
        let pieces = try pieces(of: source)
        return pieces.count <= ContentManifest.maximumPieces
            ? .pieces(pieces) : .indirect(try self.pieces(of: BytesSource(ContentManifest.encode(pieces))))
    }

    private func pieces(of source: some ContentSource) throws(DriveError) -> [ContentManifest.Piece] {
        var pieces: [ContentManifest.Piece] = []
        try cut(source) { plain throws(DriveError) in
            pieces.append(.init(chunk: ChunkIdentifier(of: plain, keys: keys), length: plain.count))
        }
        return pieces
    }

    private func cut(
        _ source: some ContentSource, _ body: ([UInt8]) throws(DriveError) -> Void
    ) throws(DriveError) {
        let chunker = Chunker(keys)
        var buffer: [UInt8] = []
        var offset = 0
        while offset < source.size {
            let wanted = min(source.size - offset, Chunker.maximum)
            if buffer.count < wanted { buffer += try source.read(offset + buffer.count..<offset + wanted) }
            let length = buffer.withUnsafeBytes { chunker.firstLength($0) }
            try body(Array(buffer[..<length]))
            buffer.removeFirst(length)
            offset += length
        }
    }

    /// Sends those chunks of content that the drive does not have. Each pack is recorded when it has arrived, so after
    /// a crash only the pack under way is sent again.
    ///
    /// - Returns: The packs that hold the content.
    /// - Throws: ``DriveError/local(_:)`` when the content is not what was measured.
    package func send(
        _ source: some ContentSource, as manifest: ContentManifest, progress: @Sendable (Int) -> Void = { _ in }
    ) async throws(DriveError) -> [DriveIdentifier] {
        await uploadTurns.take()
        defer { uploadTurns.give() }
        var upload = Upload(pack: try Pack(keys))
        switch manifest {
        case .inline: return []
        case .pieces(let pieces): try await send(source, pieces, &upload, progress)
        case .indirect(let listPieces):
            let pieces = try pieces(of: source)
            try await send(BytesSource(ContentManifest.encode(pieces)), listPieces, &upload) { _ in }
            try await send(source, pieces, &upload, progress)
        }
        try await finish(&upload)
        return upload.used.sorted()
    }

    struct Upload {
        var pack: Pack
        var inPack: Set<ChunkIdentifier> = []
        var used: Set<DriveIdentifier> = []
    }

    private func send(
        _ source: some ContentSource, _ pieces: [ContentManifest.Piece], _ upload: inout Upload,
        _ progress: (Int) -> Void
    ) async throws(DriveError) {
        var offset = 0
        for piece in pieces {
            if let place = place(of: piece.chunk) {
                upload.used.insert(place.pack)
            } else if !upload.inPack.contains(piece.chunk) {
                guard offset + piece.length <= source.size else {
                    throw .local("The content changed while it was sent.")
                }
                let plain = try source.read(offset..<offset + piece.length)
                guard ChunkIdentifier(of: plain, keys: keys) == piece.chunk else {
                    throw .local("The content changed while it was sent.")
                }
                if !upload.pack.hasRoom(for: plain.count) { try await finish(&upload) }
                upload.pack.add(plain, piece.chunk)
                upload.inPack.insert(piece.chunk)
            }
            offset += piece.length
            progress(offset)
        }
        guard offset == source.size else { throw .local("The content changed while it was sent.") }
    }

    func finish(_ upload: inout Upload) async throws(DriveError) {
        guard !upload.pack.entries.isEmpty else { return }
        var pack = upload.pack
        let object = pack.object
        try await store.publish(StoreNames.pack(pack.identifier), object)
        while state.avoided.contains(pack.identifier) {
            // Somebody took it for a leftover: the same once more, under a name that he has not seen.
            pack = pack.renamed()
            try await store.publish(StoreNames.pack(pack.identifier), object)
        }
        let entries = pack.entries.map {
            RecordBody.PlacedChunk(chunk: $0.chunk, offset: $0.offset, length: $0.length)
        }
        try commit([.journaled([record(.placed(pack: pack.identifier, epoch: pack.epoch, entries: entries))])])
        upload.used.insert(pack.identifier)
        upload.inPack = []
        upload.pack = try Pack(keys)
    }

    /// Where a chunk is, in a pack that nobody is about to remove.
    func place(of chunk: ChunkIdentifier) -> ChunkPlace? {
        state.chunks[chunk]?.first { !state.avoided.contains($0.pack) }
    }

    /// The packs that hold a version's content.
    ///
    /// - Throws: ``DriveError/notArrived(_:)`` if a part of it is nowhere.
    package func packs(of content: ContentVersion) async throws(DriveError) -> [DriveIdentifier] {
        var pieces = try await pieces(of: content)
        if case .indirect(let listPieces) = content.manifest { pieces += listPieces }
        var found: Set<DriveIdentifier> = []
        for piece in pieces {
            guard let place = place(of: piece.chunk) else {
                throw .notArrived("A part of the content has not arrived in the store yet.")
            }
            found.insert(place.pack)
        }
        return found.sorted()
    }

    /// Reads a part of a version's content, chunk by chunk.
    ///
    /// - Parameter deliver: Takes the bytes in their order.
    /// - Throws: ``DriveError/notArrived(_:)`` while another device is still sending it; errors of `deliver`.
    package func read(
        _ version: DriveIdentifier, _ range: Range<Int>, deliver: @Sendable ([UInt8]) throws -> Void
    ) async throws {
        guard let content = tree.versions[version]?.content else {
            throw DriveError.invalid("The drive has no such version.")
        }
        let wanted = range.clamped(to: 0..<content.size)
        if case .inline(let bytes) = content.manifest {
            try deliver(Array(bytes[wanted]))
            return
        }
        var offset = 0
        for piece in try await pieces(of: content) {
            let part = (offset..<offset + piece.length).clamped(to: wanted)
            if !part.isEmpty {
                let plain = try await chunk(piece)
                try Task.checkCancellation()
                try deliver(Array(plain[part.lowerBound - offset..<part.upperBound - offset]))
            }
            offset += piece.length
            if offset >= wanted.upperBound { break }
        }
    }

    func pieces(of content: ContentVersion) async throws(DriveError) -> [ContentManifest.Piece] {
        switch content.manifest {
        case .inline: return []
        case .pieces(let pieces): return pieces
        case .indirect(let listPieces):
            var list: [UInt8] = []
            for piece in listPieces { list += try await chunk(piece) }
            let pieces = try ContentManifest.decode(list)
            guard pieces.reduce(0, { $0 + $1.length }) == content.size else {
                throw .malformed("A content does not have the size that its record says.")
            }
            return pieces
        }
    }

    /// A chunk from the first of its packs that is right.
    private func chunk(_ piece: ContentManifest.Piece) async throws(DriveError) -> [UInt8] {
        var problem = DriveError.notArrived("A part of the content has not arrived in the store yet.")
        for place in state.chunks[piece.chunk] ?? [] {
            let key = StoreNames.pack(place.pack)
            do throws(DriveError) {
                let range = place.offset..<place.offset + place.length
                guard let object = try await store.get(key, range: range) else {
                    throw .missing("\(key.name) is not in the store.")
                }
                let plain = try Pack.open(object.bytes, piece.chunk, epoch: place.epoch, keys: keys)
                guard plain.count == piece.length else {
                    throw .malformed("A chunk has another length than its record.")
                }
                return plain
            } catch {
                if error.isOfPassage { throw error }
                raise(key.name, error)
                problem = error
            }
        }
        throw problem
    }
}
