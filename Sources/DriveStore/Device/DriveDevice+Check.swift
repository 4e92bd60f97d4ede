/// Where a check of a drive stands.
package struct DriveCheckStep: Sendable {
    /// What is wrong, by the object that is affected.
    package var problems: [(object: String, error: DriveError)] = []
    /// How many objects were examined in this step, and how many there are in all.
    package var done = 0
    package var total = 0
    /// The bytes that were read from the store.
    package var bytes = 0
    /// Where the next step begins; nil after the last.
    package var next: String?
}

extension DriveDevice {
    /// Reads objects of the drive from the store and compares them with every hash that is known of them: segments of
    /// logs with their chains, sealed chunks with their identifiers, the lists of contents with the chunks that there
    /// are, and the newest checkpoints. Changes nothing.
    ///
    /// - Parameters:
    ///   - cursor: Where the last step ended; nil to begin.
    ///   - patience: How long a step may take; one object is examined in any case.
    /// - Throws: Only when the store cannot be reached or the own disk fails.
    package func check(
        from cursor: String?, within patience: Duration = .seconds(8)
    ) async throws(DriveError) -> DriveCheckStep {
        var step = DriveCheckStep()
        if cursor == nil { step.problems = try await readForCheck() }
        let units = checkUnits
        step.total = units.count
        let end = ContinuousClock.now + patience
        let rest = units.filter { cursor == nil || $0.name > cursor ?? "" }
        for unit in rest {
            if step.done > 0, ContinuousClock.now >= end { break }
            do throws(DriveError) { step.bytes += try await examine(unit) } catch {
                if error.isOfPassage { throw error }
                step.problems.append((unit.object, error))
            }
            step.done += 1
            step.next = unit.name
        }
        if step.done == rest.count { step.next = nil }
        return step
    }

    /// Reads the heads of all devices.
    ///
    /// - Returns: What is wrong with them.
    func readForCheck() async throws(DriveError) -> [(object: String, error: DriveError)] {
        // The check finds out about packs by itself.
        alarms = alarms.filter { !$0.subject.hasPrefix(StoreNames.packs) }
        try await exclusively { () async throws(DriveError) in
            try await self.readHeads()
            // The logs of devices that were removed are not read again otherwise.
            for removal in self.state.members.removals where self.heads[removal.device] == nil {
                _ = try await self.readHead(of: removal.device)
            }
        }
        return alarms.map { ($0.subject, $0.error) }.sorted { $0.object < $1.object }
    }

    /// One object to be examined; units are taken in the order of their names.
    struct CheckUnit {
        enum Kind {
            case segment(DriveIdentifier, DriveHead.Segment, after: LogPosition)
            case pack(DriveIdentifier, [(chunk: ChunkIdentifier, place: ChunkPlace)])
            case content(ContentVersion)
            case checkpoint(DriveHead.CheckpointReference)
        }

        let name: String
        let object: String
        let kind: Kind
    }

    var checkUnits: [CheckUnit] {
        var units: [CheckUnit] = []
        for head in Array(heads.values) + [state.own?.head].compactMap({ $0 }) {
            var before = LogPosition.start
            let end = state.members.removal(of: head.device)?.position.count ?? .max
            for segment in head.segments where segment.first < end {
                units.append(
                    CheckUnit(
                        name: "1 " + segment.name, object: segment.name,
                        kind: .segment(head.device, segment, after: before)))
                before = segment.end
            }
            if let reference = head.checkpoint {
                let name = StoreNames.checkpoint(reference.identifier).name
                units.append(CheckUnit(name: "4 " + name, object: name, kind: .checkpoint(reference)))
            }
        }
        var packs: [DriveIdentifier: [(chunk: ChunkIdentifier, place: ChunkPlace)]] = [:]
        let leaving = state.lists.values.reduce(into: Set<DriveIdentifier>()) { $0.formUnion($1.packs) }
        for (chunk, places) in state.chunks {
            for place in places where !leaving.contains(place.pack) {
                packs[place.pack, default: []].append((chunk, place))
            }
        }
        for (pack, chunks) in packs {
            let name = StoreNames.pack(pack).name
            units.append(CheckUnit(name: "2 " + name, object: name, kind: .pack(pack, chunks)))
        }
        let tree = tree
        // Older versions may have been given up.
        let shown = Set(tree.current.values).union(tree.heads.values.joined())
        for version in shown where tree.arrived.contains(version) {
            guard let known = tree.versions[version], !tree.purged.contains(known.content.item) else { continue }
            if case .inline = known.content.manifest { continue }
            let item = known.content.item
            units.append(
                CheckUnit(
                    name: "3 \(version)", object: tree.shownNames[item] ?? "version \(version)",
                    kind: .content(known.content)))
        }
        return units.sorted { $0.name < $1.name }
    }

    /// - Returns: The bytes that were read.
    func examine(_ unit: CheckUnit) async throws(DriveError) -> Int {
        switch unit.kind {
        case .segment(let device, let segment, let before):
            let records = try await segmentRecords(segment, of: device)
            guard before.adding(records) == segment.end else {
                throw .tampered("\(segment.name) does not continue the log that it belongs to.")
            }
            return records.reduce(0) { $0 + $1.count }
        case .pack(let pack, let chunks):
            let key = StoreNames.pack(pack)
            guard let object = try await store.get(key) else { throw .missing("\(key.name) is not in the store.") }
            for (chunk, place) in chunks {
                let range = place.offset..<place.offset + place.length
                guard range.upperBound <= object.bytes.count else {
                    throw .tampered("\(key.name) is shorter than it was.")
                }
                _ = try Pack.open(Array(object.bytes[range]), chunk, epoch: place.epoch, keys: keys)
            }
            return object.bytes.count
        case .content(let content):
            var pieces = try await pieces(of: content)
            if case .indirect(let list) = content.manifest { pieces += list }
            guard pieces.allSatisfy({ state.chunks[$0.chunk] != nil }) else {
                throw .missing("A part of the content is in no pack.")
            }
            return 0
        case .checkpoint(let reference): return try await load(reference).bytes
        }
    }
}
