import Testing

@testable import DriveStore

/// The fold as a pure function.
struct TreeFoldTests {
    private func shuffled(seed: UInt64) -> (records: [DriveRecord], random: SeededRandom) {
        var random = SeededRandom(seed)
        let devices = (0..<3).map { _ in random.identifier() }
        let items = (0..<8).map { _ in random.identifier() }
        var lamport: UInt64 = 0
        var versions: [DriveIdentifier] = []
        var trashes: [DriveIdentifier] = []
        var records: [DriveRecord] = []
        for _ in 0..<60 {
            lamport += UInt64.random(in: 0...2, using: &random)
            let item = items.randomElement(using: &random) ?? .root
            let body: RecordBody
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                body = .place(
                    item: item, parent: (items + [.root]).randomElement(using: &random) ?? .root,
                    name: ["a", "b", "\u{E9}", "e\u{301}"].randomElement(using: &random) ?? "a", isFolder: true,
                    previous: nil)
            case 5..<7:
                let version = random.identifier()
                body = .content(
                    ContentVersion(
                        item: item, version: version, parents: Array(versions.shuffled(using: &random).prefix(1)),
                        manifest: .inline([]), size: 0, modified: 0))
                versions.append(version)
            case 7..<9:
                body = .trash([.init(item: item, heads: Array(versions.shuffled(using: &random).prefix(3)))])
            default:
                body = .purge([.init(item: item, heads: versions, trash: trashes.randomElement(using: &random))])
            }
            let record = DriveRecord(
                identifier: random.identifier(),
                stamp: Stamp(lamport: lamport, device: devices.randomElement(using: &random) ?? .root), time: 0,
                body: body)
            guard !records.contains(where: { $0.stamp == record.stamp }) else { continue }
            if case .trash = body { trashes.append(record.identifier) }
            records.append(record)
        }
        return (records, random)
    }

    @Test("R2: the order of the records does not matter", arguments: 1...300)
    func theOrderOfTheRecordsDoesNotMatter(seed: UInt64) {
        var (records, random) = shuffled(seed: seed)
        let expected = TreeFold.tree(base: [:], floor: 0, records: records)
        for _ in 0..<4 {
            records.shuffle(using: &random)
            let tree = TreeFold.tree(base: [:], floor: 0, records: records)
            #expect(tree.placements == expected.placements)
            #expect(tree.shownNames == expected.shownNames)
            #expect(tree.live == expected.live && tree.trashed == expected.trashed && tree.purged == expected.purged)
            #expect(tree.heads == expected.heads && tree.current == expected.current)
            #expect(tree.conflicts == expected.conflicts)
        }
    }

    @Test("R2: a floor changes nothing", arguments: 1...300)
    func aFloorChangesNothing(seed: UInt64) {
        let (records, _) = shuffled(seed: seed)
        let expected = TreeFold.tree(base: [:], floor: 0, records: records)
        for floor in stride(from: UInt64(0), to: 60, by: 7) {
            let base = TreeFold.placements(base: [:], floor: 0, records: records.filter { $0.stamp.lamport <= floor })
            let tree = TreeFold.tree(base: base, floor: floor, records: records)
            #expect(tree.placements == expected.placements)
            #expect(tree.shownNames == expected.shownNames && tree.live == expected.live)
            #expect(tree.trashed == expected.trashed && tree.purged == expected.purged)
        }
    }

    @Test("every item is reachable and has a name of its own", arguments: 1...300)
    func everyItemIsReachableAndHasANameOfItsOwn(seed: UInt64) {
        let tree = TreeFold.tree(base: [:], floor: 0, records: shuffled(seed: seed).records)
        let reachable = Set(tree.subtree(of: .root)).subtracting([.root])
        #expect(reachable == tree.live)
        for items in tree.children.values {
            #expect(Set(items.compactMap { tree.shownNames[$0] }).count == items.count)
        }
    }

    @Test("a taken name gets device and date")
    func aTakenNameGetsDeviceAndDate() {
        #expect(
            ConflictName.name("notes.txt", isFolder: false, device: "laptop", time: 1_795_867_200_000, number: 1)
                == "notes (laptop 2026-11-28).txt")
        #expect(
            ConflictName.name("notes.d", isFolder: true, device: "a/b", time: 0, number: 2)
                == "notes.d (ab 1970-01-01 2)")
        #expect(
            ConflictName.name(".profile", isFolder: false, device: "x", time: -1, number: 1)
                == ".profile (x 1970-01-01)")
        let long = ConflictName.name(
            String(repeating: "\u{E9}", count: 127), isFolder: false, device: "x", time: Int64.max, number: 1)
        #expect(long.utf8.count <= 255 && long.hasSuffix("(x 9999-12-31)"))
    }
}

extension SeededRandom {
    mutating func identifier() -> DriveIdentifier { DriveIdentifier(bytes: bytes(16)) ?? .root }
}
