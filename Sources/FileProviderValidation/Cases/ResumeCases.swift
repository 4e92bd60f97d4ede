import DocentInterfaces

/// Interrupted downloads, and removed copies.
enum ResumeCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "resume.offset", level: 2, needs: [.write, .resume], requirements: [.interface],
            "An interrupted download resumes where it ended, and the whole content is correct."
        ) { try await offset($0) },
        ValidationCase(
            "resume.otherVersion", level: 2, needs: [.write, .resume], requirements: [.interface],
            "A download of another version starts again, and no byte of the old one remains."
        ) { try await otherVersion($0) },
        ValidationCase(
            "resume.beyond", level: 3, needs: [.write, .resume], requirements: [.interface],
            "An offset at or beyond the end of the content is refused, or the final content is correct."
        ) { try await beyond($0) },
        ValidationCase(
            "resume.undeclared", level: 3, needs: [.write], requirements: [.interface],
            "A provider that cannot resume writes the whole content, whatever the offset."
        ) { try await undeclared($0) },
        ValidationCase(
            "eviction.refetch", level: 2, requirements: [.interface, .eviction, .placeholders],
            "A document whose local copy was removed is read again unchanged."
        ) { try await refetch($0) },
    ]

    private static func offset(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 200_000)
        guard let version = try await context.item(file.identifier).version else {
            try context.skip("the document has no version to resume from")
        }
        var resumed = 0
        for offset in [0, 1, 65_536, 100_000, 199_999] {
            let begun = try ContentFile(Array(file.content[..<offset]))
            let reply = try await context.fetch(file.identifier, into: begun, offset: offset, version: version)
            if offset > 0, reply.offset == offset { resumed += 1 }
            let did = "Fetch from byte \(offset) of 200000 on"
            let told = reply.offset ?? 0
            context.expect(
                told == 0 || told == offset, did: did, expected: "content written from byte \(offset) or 0",
                got: "from byte \(told)")
            let bytes = begun.contents()
            context.expect(
                bytes == file.content, did: did, expected: "the whole content in the end",
                got: PlainText.difference(bytes, file.content))
            context.expect(
                reply.completedBytes == file.content.count, did: did,
                expected: "200000 completed bytes, including those that were present before",
                got: "\(reply.completedBytes)")
        }
        // Some services do not rely on a version that is less than a second old.
        for _ in 0..<40 where resumed == 0 {
            try await Task.sleep(for: .milliseconds(100))
            let begun = try ContentFile(Array(file.content[..<65_536]))
            let reply = try await context.fetch(file.identifier, into: begun, offset: 65_536, version: version)
            if reply.offset == 65_536 { resumed += 1 }
        }
        context.expect(
            resumed > 0, did: "Fetch from four offsets on, of the current version",
            expected: "at least one resumed download, because resume is declared",
            got: "a download from the start each time")
    }

    private static func otherVersion(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 150_000)
        let old = try await context.item(file.identifier)
        let content = context.randomBytes(120_000)
        _ = try await context.modify(file.identifier, base: old.version, content: content)
        for version in [old.version, "no version of this"] {
            let begun = try ContentFile(Array(file.content[..<60_000]))
            let did =
                "Fetch from byte 60000 on of the version \(PlainText.quoted(version ?? "")), after the content was changed"
            do {
                let reply = try await context.fetch(file.identifier, into: begun, offset: 60_000, version: version)
                let bytes = begun.contents()
                context.expect(
                    bytes == content, did: did, expected: "the whole new content, from byte 0",
                    got: "writing began at \(reply.offset ?? 0): " + PlainText.difference(bytes, content))
                context.expect(
                    (reply.offset ?? 0) == 0, did: did,
                    expected: "the offset 0 or none, because the version is another",
                    got: "\(reply.offset ?? 0)")
            } catch let problem as CallProblem {
                guard problem.code == .versionOutOfDate else { throw problem }
            }
        }
    }

    private static func beyond(_ context: CaseContext) async throws {
        let file = try await context.makeFile(count: 10_000)
        let version = try await context.item(file.identifier).version
        for offset in [10_000, 10_001, 1 << 40] {
            let begun = try ContentFile(file.content)
            let did = "Fetch from byte \(offset) on, of a document with 10000"
            guard
                let problem = try await context.problem({
                    _ = try await context.fetch(file.identifier, into: begun, offset: offset, version: version)
                    let bytes = begun.contents(limit: 1 << 20)
                    context.expect(
                        bytes == file.content, did: did, expected: "an error, or the whole content",
                        got: PlainText.difference(bytes, file.content))
                })
            else { continue }
            if problem.failure == nil { throw problem }
        }
    }

    private static func undeclared(_ context: CaseContext) async throws {
        guard !context.has(.resume) else { try context.skip("the provider declares resume") }
        guard !context.has(.inPlace), !context.has(.classic) else {
            try context.skip("the provider does not support Fetch")
        }
        let file = try await context.makeFile(count: 50_000)
        let version = try await context.item(file.identifier).version
        let begun = try ContentFile([UInt8](repeating: 0xEE, count: 20_000))
        let reply = try await context.fetch(file.identifier, into: begun, offset: 20_000, version: version)
        let bytes = begun.contents()
        context.expect(
            bytes == file.content && (reply.offset ?? 0) == 0,
            did: "Fetch from byte 20000 on, though resume is not declared",
            expected: "the whole content, from byte 0",
            got: "writing began at \(reply.offset ?? 0): " + PlainText.difference(bytes, file.content))
    }

    private static func refetch(_ context: CaseContext) async throws {
        let identifier: String
        var model: [UInt8]?
        if context.has(.write) {
            let file = try await context.makeFile(count: 80_000)
            (identifier, model) = (file.identifier, file.content)
        } else if let found = try await context.walk().first(where: { !$0.isFolder && $0.symbolicLinkTarget == nil }) {
            identifier = found.identifier
        } else {
            try context.skip("the provider shows no document, and does not declare write")
        }
        let first = try await context.read(identifier)
        let content = model ?? first
        for round in 1...3 {
            let problem = try await context.problem {
                try await context.call(
                    FileProviderInterface.StopProviding.self, .init(domain: context.domain, identifier: identifier),
                    "StopProviding")
            }
            // A provider that keeps no copies need not support this.
            if let problem, problem.code != .notSupported { throw problem }
            let bytes = try await context.read(identifier)
            context.expect(
                bytes == content, did: "Reading a document after StopProviding, for the time \(round)",
                expected: "the same content", got: PlainText.difference(bytes, content))
        }
    }
}
