import DocentInterfaces
import Varlink

/// Parts of content for readers that stop early, are many, or are slow.
extension RangesCases {
    static func closed(_ context: CaseContext) async throws {
        let count = 3 << 20
        let (file, version) = try await document(context, count: count)
        for wanted in [0, 1, 70_000] {
            let did =
                CaseContext.rangeText(file.identifier, version: version, from: 1_000, count: count - 1_000)
                + ", with a reader that closes the pipe after \(wanted) bytes"
            let pipe = try PartPipe(limit: count)
            async let reading: Void = pipe.read(most: wanted)
            async let answer = context.problem {
                let reply = try await context.fetchRange(
                    file.identifier, version: version, from: 1_000, count: count - 1_000, through: pipe)
                context.expect(
                    (wanted..<count - 1_000).contains(reply.completedBytes), did: did,
                    expected: "at most the bytes that were written before, as completed", got: "\(reply.completedBytes)"
                )
            }
            await reading
            pipe.close()
            let expected = Array(file.content[1_000..<1_000 + min(wanted, pipe.bytes.count)])
            context.expect(
                pipe.bytes.starts(with: expected) && pipe.bytes.count >= wanted, did: did,
                expected: "the first bytes of the part", got: PlainText.difference(pipe.bytes, expected))
            // An error is no misbehaviour: the call was given up. Silence and the end of the provider are.
            if let problem = try await answer, problem.failure == nil { context.report(problem, expected: "an answer") }
            _ = try await context.item(file.identifier)
        }
        try await check(context, file.identifier, version, file.content, from: 1_000, count: 200_000)
    }

    static func concurrent(_ context: CaseContext) async throws {
        var files: [(file: ModelFile, version: String)] = []
        for number in 0..<4 { files.append(try await document(context, count: 200_000 + number * 50_000)) }
        let all = files
        context.step("Reading parts of 4 documents by 16 readers at the same time")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                let (file, version) = all[number % all.count]
                let offset = number * 10_000
                group.addTask {
                    for round in 0..<3 {
                        try await check(
                            context, file.identifier, version, file.content, from: offset + round, count: 80_000)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    static func unread(_ context: CaseContext) async throws {
        let count = 1 << 20
        let (file, version) = try await document(context, count: count)
        context.step("Reading 8 parts of a document through pipes that are not read for a while")
        let pipes = try (0..<8).map { _ in try PartPipe(limit: count) }
        let clock = ContinuousClock()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pipe in pipes {
                group.addTask {
                    defer { pipe.end() }
                    let reply = try await context.fetchRange(
                        file.identifier, version: version, from: 0, count: count, through: pipe)
                    context.expect(
                        reply.completedBytes == count, did: "FetchRange through a pipe that was not read for a while",
                        expected: "\(count) completed bytes", got: "\(reply.completedBytes)")
                }
            }
            // Less than the provider may be silent: it has nothing to report meanwhile.
            let begin = clock.now
            let pause = min(Duration.seconds(1), context.deadline / 4)
            while clock.now - begin < pause {
                _ = try await context.item(file.identifier)
                try await Task.sleep(for: .milliseconds(50))
            }
            for pipe in pipes { group.addTask { await pipe.read() } }
            try await group.waitForAll()
        }
        for pipe in pipes {
            context.expect(
                pipe.bytes == file.content, did: "FetchRange through a pipe that was not read for a while",
                expected: "the whole content", got: PlainText.difference(pipe.bytes, file.content))
        }
    }
}
