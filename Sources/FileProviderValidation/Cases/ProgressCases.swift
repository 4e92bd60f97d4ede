import DocentInterfaces

/// Progress of transfers.
enum ProgressCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "progress.fetch", level: 3, requirements: [.interface, .progress],
            "The progress of a download moves forward only, and ends at the size of the content."
        ) { try await fetch($0) },
        ValidationCase(
            "progress.write", level: 3, needs: [.write], requirements: [.interface, .progress],
            "The progress of an upload moves forward only, and does not exceed the size of the content."
        ) { try await write($0) },
    ]

    /// The progress reported so far.
    private struct Told {
        var bytes = 0
        var since = ContinuousClock.now
        var longest = Duration.zero

        /// Adds a report and returns what is wrong with it, if anything.
        mutating func wrong(_ completed: Int, _ total: Int?, size: Int) -> String? {
            let now = ContinuousClock.now
            longest = max(longest, now - since)
            defer { bytes = max(bytes, completed) }
            if completed < bytes { return "\(completed) bytes after \(bytes)" }
            if completed > bytes { since = now }
            if completed > total ?? size || completed > size { return "\(completed) bytes of \(total ?? size)" }
            return nil
        }
    }

    private static func fetch(_ context: CaseContext) async throws {
        if context.has(.classic) || context.has(.inPlace) { try context.skip("the provider does not support Fetch") }
        let item: Wire.ProviderItem
        if context.has(.write) {
            item = try await context.makeFile(count: 1 << 20).item
        } else {
            let documents = try await context.walk().filter { !$0.isFolder && $0.symbolicLinkTarget == nil }
            guard let largest = documents.max(by: { ($0.size ?? 0) < ($1.size ?? 0) }) else {
                try context.skip("there is no document")
            }
            item = largest
        }
        let size = item.size ?? Int.max
        var told = Told()
        var wrong: [String] = []
        let (bytes, reply) = try await context.fetch(item.identifier) { reply in
            if let text = told.wrong(reply.completedBytes, reply.totalBytes, size: size) { wrong.append(text) }
        }
        let did = "Fetch of a document of \(bytes.count) bytes"
        report(context, told, wrong, did)
        context.expect(
            reply.completedBytes == bytes.count, did: did, expected: "the last reply with \(bytes.count) bytes",
            got: "\(reply.completedBytes) bytes")
        context.expect(
            reply.totalBytes == nil || reply.totalBytes == bytes.count, did: did,
            expected: "the last reply with a total of \(bytes.count) bytes, or none",
            got: "\(reply.totalBytes ?? 0) bytes")
    }

    private static func write(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let content = context.randomBytes(1 << 20)
        var told = Told()
        var wrong: [String] = []
        let item = try await context.create("progress.bin", in: folder, content: content) { reply in
            let text = told.wrong(reply.completedBytes ?? 0, reply.totalBytes, size: content.count)
            if let text { wrong.append(text) }
        }
        report(context, told, wrong, "Create of a document of 1 MiB")
        told = Told()
        wrong = []
        _ = try await context.modify(item.identifier, base: item.version, content: content.reversed()) { reply in
            let text = told.wrong(reply.completedBytes ?? 0, reply.totalBytes, size: content.count)
            if let text { wrong.append(text) }
        }
        report(context, told, wrong, "Modify of a document with 1 MiB")
    }

    private static func report(_ context: CaseContext, _ told: Told, _ wrong: [String], _ did: String) {
        context.expect(
            wrong.isEmpty, did: did, expected: "progress that never decreases and never exceeds the content",
            got: wrong.prefix(5).joined(separator: ", "))
        context.expect(
            told.longest <= context.deadline * 3, did: did,
            expected: "at least one more byte every \(context.deadline * 3)",
            got: "the same number of bytes for \(told.longest)")
    }
}
