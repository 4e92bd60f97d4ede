import DocentInterfaces
import Varlink

/// Parts of content.
enum RangesCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "ranges.parts", level: 2, needs: [.ranges, .write], abilities: [.direct], requirements: [.interface],
            "The first, middle and last bytes of a document are those of the whole content."
        ) { try await parts($0) },
        ValidationCase(
            "ranges.shown", level: 2, needs: [.ranges], abilities: [.direct], requirements: [.interface],
            "Parts of a listed document agree with its whole content."
        ) { try await shown($0) },
        ValidationCase(
            "ranges.end", level: 2, needs: [.ranges, .write], abilities: [.direct], requirements: [.interface],
            "A part that reaches beyond the content ends with it, and a part that begins after it is empty."
        ) { try await end($0) },
        ValidationCase(
            "ranges.refused", level: 2, needs: [.ranges, .write], abilities: [.direct], requirements: [.interface],
            "An empty part, a negative offset, a folder and a missing item are refused."
        ) { try await refused($0) },
        ValidationCase(
            "ranges.otherVersion", level: 2, needs: [.ranges, .write], abilities: [.direct],
            requirements: [.interface],
            "After a change, a part of the old version is refused, and one of the new version has the new content."
        ) { try await otherVersion($0) },
        ValidationCase(
            "ranges.progress", level: 3, needs: [.ranges, .write], abilities: [.direct],
            requirements: [.interface, .progress],
            "The progress of a part moves forward only, and ends at its length."
        ) { try await progress($0) },
        ValidationCase(
            "ranges.closed", level: 3, needs: [.ranges, .write], abilities: [.direct],
            requirements: [.interface, .crashes],
            "A reader that closes the pipe early ends the call, and nothing else."
        ) { try await closed($0) },
        ValidationCase(
            "ranges.concurrent", level: 3, needs: [.ranges, .write], abilities: [.direct],
            requirements: [.interface, .connections],
            "Sixteen concurrent readers of parts of four documents all get the right bytes."
        ) { try await concurrent($0) },
        ValidationCase(
            "ranges.unread", level: 4, needs: [.ranges, .write], abilities: [.direct],
            requirements: [.interface, .connections],
            "Readers that do not read for a while delay no other call, and get the right bytes afterwards."
        ) { try await unread($0) },
    ]

    /// A new document of that size, and its version.
    static func document(_ context: CaseContext, count: Int) async throws -> (file: ModelFile, version: String) {
        let file = try await context.makeFile(count: count)
        guard let version = try await context.item(file.identifier).version else {
            try context.skip("the document has no version of which a part could be read")
        }
        return (file, version)
    }

    /// Reads a part and compares it, and what the reply says of it, with the content.
    static func check(
        _ context: CaseContext, _ identifier: String, _ version: String, _ content: [UInt8], from offset: Int,
        count: Int
    ) async throws {
        let did = CaseContext.rangeText(identifier, version: version, from: offset, count: count)
        // Some services are busy for a moment after a change.
        let (bytes, reply) = try await context.whileBusy {
            try await context.fetchRange(identifier, version: version, from: offset, count: count)
        }
        let start = min(offset, content.count)
        let expected = Array(content[start..<min(content.count, start + count)])
        context.expect(
            bytes == expected, did: did, expected: "the \(expected.count) bytes of the content",
            got: PlainText.difference(bytes, expected))
        context.expect(
            reply.completedBytes == expected.count, did: did,
            expected: "the last reply with \(expected.count) completed bytes, counted from the offset",
            got: "\(reply.completedBytes)")
        context.expect(
            reply.totalBytes == nil || reply.totalBytes == content.count, did: did,
            expected: "the last reply with a total of \(content.count) bytes, or none",
            got: "\(reply.totalBytes ?? 0)")
        context.expect(
            reply.version.map { CaseContext.isSame($0, version) } ?? false, did: did,
            expected: "the last reply with the version of the bytes",
            got: reply.version.map { PlainText.quoted($0) } ?? "none")
    }

    private static func parts(_ context: CaseContext) async throws {
        let count = 300_000
        let (file, version) = try await document(context, count: count)
        let ranges = [
            (0, 1), (0, 4_096), (0, count), (1, 1), (65_535, 2), (65_536, 65_536), (150_000, 100_000),
            (count - 4_096, 4_096), (count - 1, 1),
        ]
        for (offset, length) in ranges {
            try await check(context, file.identifier, version, file.content, from: offset, count: length)
        }
        for _ in 0..<12 {
            let (offset, length) = context.random { random in
                (Int(random.next() % UInt64(count)), 1 + Int(random.next() % 90_000))
            }
            try await check(context, file.identifier, version, file.content, from: offset, count: length)
        }
    }

    private static func shown(_ context: CaseContext) async throws {
        let documents = try await context.walk().filter {
            !$0.isFolder && $0.symbolicLinkTarget == nil && ($0.size ?? 0) <= 8 << 20
                && ($0.capabilities?.contains("read") ?? true)
        }
        guard !documents.isEmpty else { try context.skip("the provider shows no document that can be read") }
        for document in documents.prefix(4) {
            guard let version = document.version else { continue }
            let content = try await context.read(document.identifier)
            // Changes by others are not the subject of this case.
            guard try await context.item(document.identifier).version == version else { continue }
            do {
                for offset in Set([0, content.count / 2, max(0, content.count - 1)]) {
                    try await check(context, document.identifier, version, content, from: offset, count: 1_000)
                }
            } catch let problem as CallProblem where problem.code == .notSupported {
                context.note("\(PlainText.quoted(document.name)) cannot be read in parts: \(problem.got)")
            }
        }
    }

    private static func end(_ context: CaseContext) async throws {
        let (file, version) = try await document(context, count: 10_000)
        for (offset, count) in [(0, 20_000), (9_000, 1_001), (9_999, 1 << 40), (10_000, 1), (10_001, 5), (1 << 40, 9)] {
            try await check(context, file.identifier, version, file.content, from: offset, count: count)
        }
        let (empty, its) = try await document(context, count: 0)
        try await check(context, empty.identifier, its, [], from: 0, count: 100)
    }

    private static func refused(_ context: CaseContext) async throws {
        let (file, version) = try await document(context, count: 10_000)
        for (offset, count) in [(0, 0), (100, 0), (-1, 10), (0, -1)] {
            try await context.expectRefusal(
                [.invalidArgument],
                did: CaseContext.rangeText(file.identifier, version: version, from: offset, count: count)
            ) {
                try await context.fetchRange(file.identifier, version: version, from: offset, count: count).bytes.count
            }
        }
        let folder = try await context.makeFolder()
        try await context.expectError(did: "FetchRange of a folder") {
            try await context.fetchRange(folder.identifier, version: version, from: 0, count: 10).bytes.count
        }
        try await context.expectError(did: "FetchRange of an unknown item") {
            try await context.fetchRange("no such item", version: version, from: 0, count: 10).bytes.count
        }
        try await check(context, file.identifier, version, file.content, from: 0, count: 10)
    }

    private static func otherVersion(_ context: CaseContext) async throws {
        let (file, version) = try await document(context, count: 150_000)
        try await check(context, file.identifier, version, file.content, from: 70_000, count: 5_000)
        let content = context.randomBytes(150_000)
        _ = try await context.modify(file.identifier, base: version, content: content)
        for old in [version, "no version of this"] {
            try await context.expectRefusal(
                [.versionOutOfDate],
                did: CaseContext.rangeText(file.identifier, version: old, from: 70_000, count: 5_000)
                    + ", after the content was changed"
            ) {
                try await context.whileBusy {
                    try await context.fetchRange(file.identifier, version: old, from: 70_000, count: 5_000).bytes.count
                }
            }
        }
        guard let new = try await context.item(file.identifier).version else { return }
        try await check(context, file.identifier, new, content, from: 70_000, count: 5_000)
    }

    private static func progress(_ context: CaseContext) async throws {
        let count = 2 << 20
        let (file, version) = try await document(context, count: count)
        let length = count - 100_000
        var last = 0
        var wrong: [String] = []
        let did = CaseContext.rangeText(file.identifier, version: version, from: 50_000, count: length)
        let (bytes, reply) = try await context.fetchRange(
            file.identifier, version: version, from: 50_000, count: length
        ) { reply in
            if reply.completedBytes < last { wrong.append("\(reply.completedBytes) bytes after \(last)") }
            if reply.completedBytes > length { wrong.append("\(reply.completedBytes) bytes of \(length)") }
            last = max(last, reply.completedBytes)
        }
        context.expect(
            wrong.isEmpty, did: did, expected: "progress that never decreases and never exceeds the part",
            got: wrong.prefix(5).joined(separator: ", "))
        context.expect(
            bytes.count == length && reply.completedBytes == length, did: did,
            expected: "\(length) bytes, and the last reply with as many",
            got: "\(bytes.count) bytes, and the last reply with \(reply.completedBytes)")
    }
}
