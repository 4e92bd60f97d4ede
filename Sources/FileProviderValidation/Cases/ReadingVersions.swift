import DocentInterfaces
import Glibc
import Synchronization

/// Readers of a document that is changed repeatedly.
struct ReadingVersions: Sendable {
    /// The version that a reader got, and which of the contents it had.
    private struct Read: Sendable {
        var version: String?
        var number: Int?
        /// For people, about content that is none of them.
        var text: String
    }

    /// Whether the changes continue.
    private final class Changes: Sendable {
        private let state = Mutex(false)

        var areOver: Bool { state.withLock { $0 } }

        func end() { state.withLock { $0 = true } }
    }

    private static let rounds = 12
    private static let readers = 2

    private let context: CaseContext

    init(_ context: CaseContext) { self.context = context }

    func run() async throws {
        let context = context
        // A change takes long enough for readers to arrive during it, however fast the provider is.
        let size = try await context.pace(taking: .milliseconds(20), atMost: 2 << 20).bytes
        let contents = (0..<3).map { [UInt8](repeating: UInt8($0 + 1), count: size + $0 * 997) }
        let digests = contents.map(ContentDigest.hex)
        let file = try await context.makeFile(content: contents[0])
        var versions: [String: Int] = [:]
        if let version = file.item.version { versions[version] = 0 }
        let changes = Changes()
        var reads: [Read] = []
        try await withThrowingTaskGroup(of: [Read].self) { group in
            for _ in 0..<Self.readers {
                group.addTask { try await read(file.identifier, contents) { changes.areOver } }
            }
            defer { changes.end() }
            var base = file.item.version
            for round in 1...Self.rounds {
                let number = round % contents.count
                let item = try await context.modify(
                    file.identifier, base: base, content: contents[number], digest: digests[number]
                ).item
                base = item.version
                if let version = item.version { versions[version] = number }
            }
            changes.end()
            for try await some in group { reads += some }
        }
        report(reads, versions)
    }

    private func read(
        _ identifier: String, _ contents: [[UInt8]], isOver: () -> Bool
    ) async throws -> [Read] {
        let context = context
        var reads: [Read] = []
        while !isOver(), reads.count < 1_000 {
            let (bytes, reply) = try await context.whileBusy { try await context.fetch(identifier) }
            let number = contents.firstIndex { Self.isSame($0, bytes) }
            let text = number == nil ? Self.text(bytes) : ""
            reads.append(Read(version: reply.item?.version, number: number, text: text))
        }
        return reads
    }

    private func report(_ reads: [Read], _ versions: [String: Int]) {
        let did = "Reading a document while it was changed repeatedly"
        for read in reads {
            guard let number = read.number else {
                context.report(
                    did: did, expected: "one of its contents, whole", got: read.text, requirement: .wholeContent)
                continue
            }
            guard let version = read.version, let right = versions[version], right != number else { continue }
            context.report(
                did: did, expected: "with the version \(PlainText.quoted(version)), the content \(right + 1)",
                got: "the content \(number + 1)", requirement: .keeping)
        }
    }

    // In a debug build, comparing arrays takes longer than reading them.
    private static func isSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && memcmp(left, right, left.count) == 0
    }

    private static func text(_ bytes: [UInt8]) -> String {
        guard let first = bytes.first, let position = bytes.firstIndex(where: { $0 != first }) else {
            return "\(bytes.count) bytes, all of them \(bytes.first ?? 0)"
        }
        return "\(bytes.count) bytes, \(first) up to byte \(position) and \(bytes[position]) from there on"
    }
}
