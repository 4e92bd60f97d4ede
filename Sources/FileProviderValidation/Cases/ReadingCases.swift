import DocentInterfaces
import Varlink

/// Content, byte for byte: whole, in parts, concurrently, and in its versions.
enum ReadingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "reading.whole", level: 1, needs: [.write], requirements: [.interface],
            "The content of a document is what was written, whatever its length."
        ) { try await whole($0) },
        ValidationCase(
            "reading.shown", level: 1, requirements: [.interface],
            "Listed documents can be read, have the reported size, and read the same a second time."
        ) { try await shown($0) },
        ValidationCase(
            "reading.ranges", level: 3, needs: [.write], requirements: [.interface],
            "Random ranges of documents match a model."
        ) { try await ranges($0) },
        ValidationCase(
            "reading.concurrent", level: 3, needs: [.write], requirements: [.interface, .connections],
            "Sixteen concurrent readers of four documents all get the right bytes."
        ) { try await concurrent($0) },
        ValidationCase(
            "reading.versions", level: 4, needs: [.write], patience: 2, requirements: [.interface, .keeping],
            "While a document is changed repeatedly, a reader gets one of its contents completely, with its version."
        ) { try await versions($0) },
        ValidationCase(
            "reading.folder", level: 2, requirements: [.interface],
            "A folder has no content, and reading it is refused."
        ) { try await folder($0) },
        ValidationCase(
            "reading.destination", level: 3, abilities: [.direct], requirements: [.interface, .descriptors],
            "A destination that cannot be written fails only that call."
        ) { try await destination($0) },
        ValidationCase(
            "reading.large", level: 6, needs: [.write], patience: 3, requirements: [.interface],
            "A document of 24 MiB is read as it was written."
        ) { try await large($0) },
    ]

    private static func whole(_ context: CaseContext) async throws {
        let counts = [0, 1, 4_095, 4_096, 65_535, 65_536, 65_537, 300_000]
        for count in counts {
            let file = try await context.makeFile(count: count)
            try await context.expectContent(of: file, after: "Create with \(count) bytes")
            let item = try await context.item(file.identifier)
            context.expect(
                item.size == nil || item.size == count, did: "Item of a document with \(count) bytes",
                expected: "that size, or none", got: PlainText.item(item))
            guard !context.has(.inPlace), !context.has(.classic) else { continue }
            let (bytes, reply) = try await context.fetch(file.identifier)
            context.expect(
                reply.completedBytes == bytes.count, did: "Fetch of a document with \(count) bytes",
                expected: "\(bytes.count) completed bytes, as many as were written", got: "\(reply.completedBytes)")
            context.expect(
                reply.offset == nil || reply.offset == 0, did: "Fetch of a whole document",
                expected: "the offset 0, or none",
                got: "\(reply.offset ?? 0)")
            if let told = reply.item {
                context.expect(
                    CaseContext.isSame(told.identifier, file.identifier) && (told.size ?? count) == count,
                    did: "Fetch of a document with \(count) bytes", expected: PlainText.item(item),
                    got: PlainText.item(told))
            } else {
                context.report(
                    did: "Fetch of a document with \(count) bytes", expected: "the item in the last reply", got: "none")
            }
        }
    }

    /// Existing documents that are small enough to be read.
    private static func documents(_ context: CaseContext, _ count: Int) async throws -> [Wire.ProviderItem] {
        let found = try await context.walk().filter {
            !$0.isFolder && $0.symbolicLinkTarget == nil && ($0.size ?? 0) <= 8 << 20
                && ($0.capabilities?.contains("read") ?? true)
        }
        return Array(found.prefix(count))
    }

    private static func shown(_ context: CaseContext) async throws {
        if context.has(.write) { _ = try await context.makeFile(count: 2_000) }
        let documents = try await documents(context, 12)
        if documents.isEmpty { try context.skip("the provider shows no document that can be read") }
        for document in documents {
            let first = try await context.read(document.identifier)
            let second = try await context.read(document.identifier)
            let now = try await context.item(document.identifier)
            // Changes by others are not the subject of this case.
            guard now.version == document.version else { continue }
            let did = "Reading \(PlainText.quoted(document.name)) twice"
            context.expect(
                first == second, did: did, expected: "the same bytes", got: PlainText.difference(second, first))
            context.expect(
                now.size == nil || now.size == first.count, did: did,
                expected: "\(now.size ?? 0) bytes, as its size says",
                got: "\(first.count)")
        }
    }

    private static func ranges(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 400_000)
        let content = file.content
        if context.has(.inPlace) {
            let opened = try await context.openInPlace(file.identifier).file
            for _ in 0..<64 {
                let (start, count) = range(context, in: content.count)
                let bytes = ContentFile.range(of: opened.raw, at: start, count: count)
                context.expect(
                    bytes == Array(content[start..<min(start + count, content.count)]),
                    did: "Reading \(count) bytes from byte \(start) on of the file that OpenInPlace gave",
                    expected: "the written content",
                    got: PlainText.difference(bytes, Array(content[start..<min(start + count, content.count)])))
            }
        } else if context.has(.resume) {
            guard let version = try await context.item(file.identifier).version else {
                try context.skip("the document has no version to resume from")
            }
            for _ in 0..<12 {
                let (start, _) = range(context, in: content.count)
                let begun = try ContentFile(Array(content[..<start]))
                let reply = try await context.fetch(file.identifier, into: begun, offset: start, version: version)
                let bytes = begun.contents()
                context.expect(
                    bytes == content, did: "Fetch from byte \(start) on, with the bytes before it present",
                    expected: "the whole content in the end (writing began at \(reply.offset ?? 0))",
                    got: PlainText.difference(bytes, content))
            }
        } else {
            // Ranges of content that was fetched in parts: a misplaced part shows.
            let bytes = try await context.read(file.identifier)
            for _ in 0..<64 {
                let (start, count) = range(context, in: content.count)
                let end = min(start + count, content.count)
                let got = start < bytes.count ? Array(bytes[start..<min(end, bytes.count)]) : []
                context.expect(
                    got == Array(content[start..<end]), did: "The bytes \(start) to \(end) of a fetched document",
                    expected: "the written content", got: PlainText.difference(got, Array(content[start..<end])))
            }
        }
    }

    private static func range(_ context: CaseContext, in count: Int) -> (Int, Int) {
        context.random { random in
            let start = Int(random.next() % UInt64(count))
            return (start, 1 + Int(random.next() % 70_000))
        }
    }

    private static func concurrent(_ context: CaseContext) async throws {
        var files: [ModelFile] = []
        for number in 0..<4 { files.append(try await context.makeFile(count: 30_000 + number * 50_000)) }
        let all = files
        context.step("Reading 4 documents by 16 readers at the same time")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                let file = all[number % all.count]
                group.addTask {
                    for _ in 0..<3 {
                        try await context.expectContent(of: file, after: "many readers began at the same time")
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private static func versions(_ context: CaseContext) async throws {
        // A file in place may be written at any time.
        guard !context.has(.inPlace), !context.has(.classic) else { return }
        try await ReadingVersions(context).run()
    }

    private static func folder(_ context: CaseContext) async throws {
        let folder = context.has(.write) ? try await context.makeFolder().identifier : CaseContext.root
        try await context.expectError(did: "Reading a folder") { try await context.read(folder) }
        _ = try await context.item(folder)
    }

    private static func destination(_ context: CaseContext) async throws {
        guard !context.has(.inPlace), !context.has(.classic) else {
            try context.skip("the provider does not support Fetch")
        }
        guard let document = try await documents(context, 1).first else {
            try context.skip("the provider shows no document that can be read")
        }
        let did = "Fetch of \(PlainText.quoted(document.name)) into a file that is open for reading only"
        context.step(did)
        let file = try ContentFile([1, 2, 3])
        try await context.expectError(did: did) {
            try await context.session.callWithProgress(
                FileProviderInterface.Fetch.self,
                .init(domain: context.domain, identifier: document.identifier, destination: 0),
                descriptors: DescriptorList(try file.shareForReading()), did: did
            ).value.completedBytes
        }
        _ = try await context.fetch(document.identifier)
    }

    private static func large(_ context: CaseContext) async throws {
        do {
            let file = try await context.makeFile(count: 24 << 20)
            try await context.expectContent(of: file, after: "Create with 24 MiB")
        } catch let problem as CallProblem where problem.code == .insufficientQuota {
            try context.skip("the provider has no room for it: " + problem.got)
        }
    }
}
