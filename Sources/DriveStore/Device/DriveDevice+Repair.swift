/// Where the mending of a drive stands.
package struct DriveRepairStep: Sendable {
    /// Objects that were written again, or are no longer needed.
    package var mended: [String] = []
    /// What could not be mended, by the object or document that is affected.
    package var problems: [(object: String, error: DriveError)] = []
    /// How many objects were examined in this step, and how many there are in all.
    package var done = 0
    package var total = 0
    /// Where the next step begins; nil after the last.
    package var next: String?
}

extension DriveDevice {
    /// Examines all objects like ``check(from:within:)``, and mends what can be mended from what is left: chunks of a
    /// broken pack that are right are put into a new one, and parts of this device's own log are written again.
    ///
    /// A pack is given up only when all its chunks are elsewhere. Otherwise it may still come back; until then, nothing
    /// that this device sends refers to it, so that the same content is sent again when it is saved again.
    ///
    /// - Parameters:
    ///   - cursor: Where the last step ended; nil to begin.
    ///   - patience: How long a step may take; one object is examined in any case.
    package func repair(
        from cursor: String?, within patience: Duration = .seconds(8)
    ) async throws(DriveError) -> DriveRepairStep {
        var step = DriveRepairStep()
        if cursor == nil { step.problems = try await readForCheck() }
        let units = checkUnits
        step.total = units.count
        let end = ContinuousClock.now + patience
        let rest = units.filter { cursor == nil || $0.name > cursor ?? "" }
        for unit in rest {
            if step.done > 0, ContinuousClock.now >= end { break }
            try await mend(unit, &step)
            step.done += 1
            step.next = unit.name
        }
        if step.done == rest.count { step.next = nil }
        try await append()
        return step
    }

    private func mend(_ unit: CheckUnit, _ step: inout DriveRepairStep) async throws(DriveError) {
        var problem: DriveError?
        do throws(DriveError) { _ = try await examine(unit) } catch {
            if error.isOfPassage { throw error }
            problem = error
        }
        switch unit.kind {
        case .segment(let device, let segment, let before):
            guard let problem else { return }
            if device == state.device, try await rewrite(segment, after: before) {
                step.mended.append(unit.object)
            } else {
                step.problems.append((unit.object, problem))
            }
        case .pack(let pack, let chunks):
            guard let problem else {
                if state.damaged.contains(pack) { try commit([.damaged(state.damaged.subtracting([pack]).sorted())]) }
                return
            }
            if try await salvage(pack, chunks) {
                step.mended.append(unit.object)
            } else {
                step.problems.append((unit.object, problem))
            }
        case .content(let content):
            if problem == nil, try await isWhole(content) { return }
            step.problems.append(
                (
                    unit.object,
                    problem
                        ?? .missing(
                            "A part of its content is lost. A machine that still has the document mends it by saving "
                                + "it once more, after `docent drive repair` there.")
                ))
        case .checkpoint: if let problem { step.problems.append((unit.object, problem)) }
        }
    }

    /// Whether every chunk is in a pack that was not found damaged.
    private func isWhole(_ content: ContentVersion) async throws(DriveError) -> Bool {
        var pieces = try await pieces(of: content)
        if case .indirect(let list) = content.manifest { pieces += list }
        return pieces.allSatisfy { piece in
            state.chunks[piece.chunk]?.contains { !state.damaged.contains($0.pack) } ?? false
        }
    }

    /// Puts the chunks of a broken pack that are nowhere else into a new one.
    ///
    /// - Returns: Whether all of them are elsewhere now.
    private func salvage(
        _ pack: DriveIdentifier, _ chunks: [(chunk: ChunkIdentifier, place: ChunkPlace)]
    ) async throws(DriveError) -> Bool {
        await uploadTurns.take()
        defer { uploadTurns.give() }
        let object = try await store.get(StoreNames.pack(pack))?.bytes ?? []
        var upload = Upload(pack: try Pack(keys))
        var isComplete = true
        for (chunk, place) in chunks {
            if try await isElsewhere(chunk, than: pack) { continue }
            let range = place.offset..<place.offset + place.length
            guard range.upperBound <= object.count,
                let plain = try? Pack.open(Array(object[range]), chunk, epoch: place.epoch, keys: keys)
            else {
                isComplete = false
                continue
            }
            if !upload.pack.hasRoom(for: plain.count) { try await finish(&upload) }
            upload.pack.add(plain, chunk)
        }
        try await finish(&upload)
        guard isComplete else {
            try commit([.damaged(state.damaged.union([pack]).sorted())])
            return false
        }
        try commit([.journaled([record(.gone(list: .root, packs: [pack]))])])
        return true
    }

    private func isElsewhere(_ chunk: ChunkIdentifier, than pack: DriveIdentifier) async throws(DriveError) -> Bool {
        for place in state.chunks[chunk] ?? [] where place.pack != pack && !state.avoided.contains(place.pack) {
            let range = place.offset..<place.offset + place.length
            guard let object = try await store.get(StoreNames.pack(place.pack), range: range),
                (try? Pack.open(object.bytes, chunk, epoch: place.epoch, keys: keys)) != nil
            else { continue }
            return true
        }
        return false
    }

    /// Writes a part of this device's own log again, if all its records are still known.
    private func rewrite(
        _ segment: DriveHead.Segment, after before: LogPosition
    ) async throws(DriveError) -> Bool {
        guard let device = state.device else { return false }
        let range = segment.first..<segment.end.count
        let records = state.records.values.compactMap { known -> (Int, [UInt8])? in
            guard let origin = known.origin, origin.device == device, range.contains(origin.index) else { return nil }
            return (origin.index, known.record.encoded)
        }.sorted { $0.0 < $1.0 }.map(\.1)
        guard records.count == range.count, before.adding(records) == segment.end else { return false }
        let key = StoreKey(segment.name)
        let object = try segmentObject(records, first: segment.first, name: segment.name, of: device)
        try await store.delete(key)
        try await store.publish(key, object)
        return true
    }
}
