import DocentInterfaces

/// Several concurrent writers.
enum WritersCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "writers.oneDocument", level: 3, needs: [.write], requirements: [.interface, .overwriting],
            "One of several concurrent changes of a version succeeds, and no content is lost silently."
        ) { try await oneDocument($0) },
        ValidationCase(
            "writers.oneName", level: 3, needs: [.write], requirements: [.interface, .overwriting],
            "One of several concurrent Creates with the same name succeeds."
        ) { try await oneName($0) },
        ValidationCase(
            "writers.manyDocuments", level: 5, needs: [.write], patience: 2, requirements: [.interface],
            "Concurrent changes of several documents do not affect each other."
        ) { try await manyDocuments($0) },
        ValidationCase(
            "writers.model", level: 8, needs: [.write, .move, .delete], patience: 2, requirements: [.interface],
            "After a hundred and fifty random changes everything matches a model."
        ) { try await model($0) },
    ]

    private static func oneDocument(_ context: CaseContext) async throws {
        let file = try await context.makeFile("contested.bin", count: 100)
        guard let base = file.item.version else { try context.skip("documents have no versions") }
        let contents = (0..<4).map { _ in context.randomBytes(20_000) }
        let results = await withTaskGroup(of: (Int, Result<String?, any Error>).self) { group in
            for (index, content) in contents.enumerated() {
                group.addTask {
                    do {
                        return (
                            index,
                            .success(
                                try await context.whileBusy {
                                    try await context.modify(file.identifier, base: base, content: content)
                                }.conflict)
                        )
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let did = "Four concurrent calls of Modify, all based on the same version"
        var winners: [Int] = []
        for (index, result) in results {
            switch result {
            case .success(nil): winners.append(index)
            case .success: continue
            case .failure(let problem as CallProblem):
                if problem.code != .versionOutOfDate {
                    context.report(
                        problem, expected: "success, a conflict or VersionOutOfDate", requirement: .overwriting)
                }
            case .failure(let error): throw error
            }
        }
        context.expect(
            winners.count == 1, did: did, expected: "one that succeeds without a conflict",
            got: "\(winners.count) that succeed", requirement: .overwriting)
        let bytes = try await context.read(file.identifier)
        context.expect(
            contents.contains(bytes), did: "Reading after \(did)", expected: "one of the four contents as a whole",
            got: "\(bytes.count) bytes that are none of the four contents", requirement: .wholeContent)
    }

    private static func oneName(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let contents = (0..<4).map { _ in context.randomBytes(10_000) }
        let results = await withTaskGroup(of: Result<String, any Error>.self) { group in
            for content in contents {
                group.addTask {
                    do {
                        return .success(
                            try await context.whileBusy {
                                try await context.create("contested.bin", in: folder, content: content)
                            }.identifier)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let did = "Four concurrent calls of Create with the same name"
        var made: [String] = []
        for result in results {
            switch result {
            case .success(let identifier): made.append(identifier)
            case .failure(let problem as CallProblem):
                if problem.code != .collision {
                    context.report(problem, expected: "success or Collision", requirement: .overwriting)
                }
            case .failure(let error): throw error
            }
        }
        context.expect(
            made.count == 1, did: did, expected: "one that succeeds", got: "\(made.count) that succeed",
            requirement: .overwriting)
        let list = try await context.list(folder)
        context.expect(
            list.count == 1, did: "Listing after \(did)", expected: "one document",
            got: PlainText.names(list.map(\.name)), requirement: .overwriting)
        if let item = list.first {
            let bytes = try await context.read(item.identifier)
            context.expect(
                contents.contains(bytes), did: "Reading after \(did)", expected: "one of the four contents as a whole",
                got: "\(bytes.count) bytes that are none of the four contents", requirement: .wholeContent)
        }
    }

    private static func manyDocuments(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        // The changes take long enough to overlap, however fast the provider is.
        let size = try await context.pace(taking: .milliseconds(20), atMost: 1 << 20).bytes
        var files = try await withThrowingTaskGroup(of: (Int, ModelFile).self) { group in
            for index in 0..<6 {
                group.addTask {
                    (index, try await context.makeFile("one-\(index).bin", in: folder, count: 30_000 + index))
                }
            }
            return try await inOrder(&group)
        }
        for round in 0..<3 {
            let before = files
            let contents = (0..<6).map { [UInt8](repeating: UInt8(10 * round + $0 + 1), count: size + 100 * $0) }
            let digests = contents.map(ContentDigest.hex)
            files = try await withThrowingTaskGroup(of: (Int, ModelFile).self) { group in
                for (index, file) in before.enumerated() {
                    group.addTask {
                        let item = try await context.modify(
                            file.identifier, base: file.item.version, content: contents[index], digest: digests[index]
                        ).item
                        return (index, ModelFile(item: item, content: contents[index]))
                    }
                }
                return try await inOrder(&group)
            }
            for file in files {
                try await context.expectContent(of: file, after: "changes of six documents at the same time")
            }
            guard context.findings.isEmpty else { break }
        }
        let names = try await context.list(folder).map(\.name).sorted().filter { $0.hasPrefix("one-") }
        context.expect(
            names == (0..<6).map { "one-\($0).bin" }, did: "Listing after changes of six documents at the same time",
            expected: "the six of them", got: PlainText.names(names))
    }

    /// The results of tasks, in the order of their numbers.
    private static func inOrder(
        _ group: inout ThrowingTaskGroup<(Int, ModelFile), any Error>
    ) async throws -> [ModelFile] {
        var made: [(Int, ModelFile)] = []
        for try await one in group { made.append(one) }
        return made.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private static func model(_ context: CaseContext) async throws {
        let top = try await context.workFolder().identifier
        let folders = [
            top, try await context.makeFolder("left", in: top).identifier,
            try await context.makeFolder("right", in: top).identifier,
        ]
        var files: [ModelFile] = []
        for number in 0..<150 {
            let choice = context.random { Int($0.next() % 10) }
            let folder = folders[context.random { Int($0.next() % 3) }]
            let index = files.isEmpty ? 0 : context.random { Int($0.next() % UInt64(files.count)) }
            switch choice {
            case 0...3 where files.count < 30, 0...9 where files.isEmpty:
                let count = context.random { Int($0.next() % 9_000) }
                files.append(try await context.makeFile("file \(number).bin", in: folder, count: count))
            case 0...6:
                files[index].content = context.randomBytes(context.random { Int($0.next() % 9_000) })
                files[index].item = try await context.modify(
                    files[index].identifier, base: files[index].item.version, content: files[index].content
                ).item
            case 7, 8:
                files[index].item = try await context.move(
                    files[index].identifier, base: files[index].item.version, to: folder, named: "moved \(number).bin")
            default: try await context.delete(files.remove(at: index).identifier)
            }
        }
        let what = "150 random changes with the seed \(context.options.seed)"
        for file in files {
            try await context.expectFound(file.item, name: file.item.name, in: file.item.parent, after: what)
            try await context.expectContent(of: file, after: what)
        }
        for folder in folders {
            let names = try await context.list(folder).filter { !$0.isFolder }.map(\.name).sorted()
            let wanted = files.filter { $0.item.parent == folder }.map(\.item.name).sorted()
            context.expect(
                names == wanted, did: "Listing a folder after \(what)", expected: PlainText.names(wanted, limit: 40),
                got: PlainText.names(names, limit: 40))
        }
    }
}
