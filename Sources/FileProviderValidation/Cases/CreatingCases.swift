import DocentInterfaces

/// New documents and folders.
enum CreatingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "creating.document", level: 1, needs: [.write], requirements: [.interface, .identity],
            "A new document has the requested name, folder, size and content."
        ) { try await document($0) },
        ValidationCase(
            "creating.folder", level: 1, needs: [.write], requirements: [.interface, .identity],
            "A new folder exists, is empty, and accepts documents and folders."
        ) { try await folder($0) },
        ValidationCase(
            "creating.collision", level: 1, needs: [.write], requirements: [.interface, .overwriting],
            "A name that is taken is refused with Collision, and the existing item is unchanged."
        ) { try await collision($0) },
        ValidationCase(
            "creating.names", level: 2, needs: [.write], requirements: [.interface, .identity],
            "An invalid name is refused, and nothing is created."
        ) { try await names($0) },
        ValidationCase(
            "creating.spelling", level: 3, needs: [.write], requirements: [.interface, .identity],
            "A name is kept as it is spelled, in Unicode's decomposed form too, or refused."
        ) { try await spelling($0) },
        ValidationCase(
            "creating.place", level: 2, needs: [.write], requirements: [.interface],
            "Nothing is created in a missing folder or in a document."
        ) { try await place($0) },
        ValidationCase(
            "creating.repeated", level: 3, needs: [.write], requirements: [.interface, .repeating],
            "A repeated operation is answered as before and creates nothing."
        ) { try await repeated($0) },
        ValidationCase(
            "creating.repeatedAfterRestart", level: 4, needs: [.write], abilities: [.restart],
            requirements: [.interface, .repeating],
            "An operation that is repeated in the next process creates nothing."
        ) { try await repeatedAfterRestart($0) },
        ValidationCase(
            "creating.kept", level: 4, needs: [.write], abilities: [.restart], requirements: [.interface, .keeping],
            "A confirmed document exists in the next process."
        ) { try await kept($0) },
        ValidationCase(
            "creating.whole", level: 5, needs: [.write], requirements: [.interface, .wholeContent],
            "While a document is created, it is visible with its whole content or not at all."
        ) { try await whole($0) },
    ]

    private static func document(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        for count in [0, 1, 70_000, 300_001] {
            let name = context.freshName("document") + ".bin"
            let file = try await context.makeFile(name, in: folder, count: count)
            let what = "Create of a document with \(count) bytes"
            try await context.expectFound(file.item, name: name, in: folder, after: what)
            for (call, item) in [(what, file.item), ("Item after \(what)", try await context.item(file.identifier))] {
                context.expect(
                    item.size == nil || item.size == count, did: call, expected: "the size \(count), or none",
                    got: PlainText.item(item))
                context.expect(
                    !item.isFolder, did: call, expected: "a document", got: PlainText.item(item))
            }
            try await context.expectContent(of: file, after: what, requirement: .interface)
        }
    }

    private static func folder(_ context: CaseContext) async throws {
        let parent = try await context.workFolder().identifier
        let name = context.freshName("folder")
        let folder = try await context.makeFolder(name, in: parent)
        try await context.expectFound(folder, name: name, in: parent, after: "Create of a folder")
        let list = try await context.list(folder.identifier)
        context.expect(
            list.isEmpty, did: "Listing a new folder", expected: "nothing", got: PlainText.names(list.map(\.name)))
        let inner = try await context.makeFolder("inner", in: folder.identifier)
        let file = try await context.makeFile("deep.txt", in: inner.identifier, count: 10)
        try await context.expectFound(
            file.item, name: "deep.txt", in: inner.identifier, after: "Create in a folder of a folder")
        try await context.expectContent(of: file, after: "Create in a folder of a folder")
        let refusal = try await context.problem { try await context.fetch(folder.identifier) }
        context.expect(
            refusal?.code != nil, did: "Fetch of a folder", expected: "an error: a folder has no content",
            got: refusal?.got ?? "success")
    }

    private static func collision(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let file = try await context.makeFile("taken.txt", in: folder, count: 500)
        _ = try await context.makeFolder("Taken", in: folder)
        let tries: [(name: String, content: [UInt8]?)] = [
            ("taken.txt", context.randomBytes(300)), ("taken.txt", nil), ("Taken", nil), ("Taken", [1]),
        ]
        for (name, content) in tries {
            let kind = content == nil ? "folder" : "document"
            try await context.expectRefusal(
                [.collision], did: "Create of a \(kind) \(PlainText.quoted(name)), a name that is taken",
                requirement: .overwriting
            ) {
                try await context.create(name, in: folder, content: content)
            }
        }
        try await context.expectFound(file.item, name: "taken.txt", in: folder, after: "refused calls of Create")
        try await context.expectContent(of: file, after: "refused calls of Create", requirement: .overwriting)
    }

    static let badNames = ["", ".", "..", "a/b", "../outside", "/absolute", "nul\u{0}byte", "trailing/"]

    private static func names(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        for name in badNames {
            try await context.expectRefusal(
                CaseContext.refusals, did: "Create of a document named \(PlainText.quoted(name))",
                requirement: .identity
            ) {
                try await context.create(name, in: folder, content: [0x78])
            }
        }
        let list = try await context.list(folder)
        context.expect(
            list.isEmpty, did: "Listing the folder after invalid names were refused", expected: "nothing",
            got: PlainText.names(list.map(\.name)))
    }

    private static func spelling(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        for name in ["u\u{308}ber.txt", "e\u{301}te\u{301}.txt", "Case.TXT"] {
            let item: Wire.ProviderItem
            do {
                item = try await context.create(name, in: folder, content: [0x78])
            } catch let problem as CallProblem {
                guard let code = problem.code, CaseContext.refusals.contains(code) else { throw problem }
                context.note("\(PlainText.quoted(name)) was refused.")
                continue
            }
            try await context.expectFound(
                item, name: name, in: folder, after: "Create of a document named \(PlainText.quoted(name))")
        }
        guard try await context.item(folder).ignoresCase != true else { return }
        try await context.expectRefusal(
            [.noSuchItem], did: "Child \"case.txt\" of a folder that has \"Case.TXT\" and does not say ignoresCase",
            requirement: .identity
        ) {
            try await context.child("case.txt", in: folder)
        }
    }

    private static func place(_ context: CaseContext) async throws {
        let nowhere = "no-such-item-" + context.random { $0.word(12) }
        try await context.expectRefusal(
            [.noSuchItem, .invalidArgument], did: "Create in a missing folder"
        ) {
            try await context.create("lost.txt", in: nowhere, content: [0x78])
        }
        let file = try await context.makeFile(count: 3)
        try await context.expectRefusal(
            CaseContext.refusals + [.noSuchItem], did: "Create in a document"
        ) {
            try await context.create("lost.txt", in: file.identifier, content: [0x78])
        }
        try await context.expectContent(of: file, after: "Create in it, as if it were a folder")
    }

    private static func repeated(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let operation = context.newOperation()
        let content = context.randomBytes(2_000)
        let first = try await context.create("once.bin", in: folder, content: content, operation: operation)
        let again = try await context.create("once.bin", in: folder, content: content, operation: operation)
        context.expect(
            CaseContext.isSame(first.identifier, again.identifier), did: "Create again with the same operation",
            expected: "the identifier \(PlainText.quoted(first.identifier))", got: PlainText.item(again),
            requirement: .repeating)
        try await context.expectFound(first, name: "once.bin", in: folder, after: "the same operation again")
        // Another content with the same operation is not a repetition: the name is taken.
        let other = context.randomBytes(2_100)
        _ = try await context.expectRefusal(
            [.collision, .invalidArgument], did: "Create with the same operation, name and other content",
            requirement: .repeating
        ) {
            try await context.create("once.bin", in: folder, content: other, operation: operation)
        }
        try await context.expectBytes(content, of: first.identifier, after: "operations that were refused")
    }

    private static func repeatedAfterRestart(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.workFolder().identifier
        let operation = context.newOperation()
        let content = context.randomBytes(2_000)
        let first = try await context.create("once.bin", in: folder, content: content, operation: operation)
        try await context.restart()
        let what = "Create in the next process with an operation that was carried out"
        let again = try await context.problem {
            let item = try await context.create("once.bin", in: folder, content: content, operation: operation)
            context.expect(
                CaseContext.isSame(first.identifier, item.identifier), did: what,
                expected: "the identifier \(PlainText.quoted(first.identifier))", got: PlainText.item(item),
                requirement: .repeating)
        }
        if let again { context.report(again, expected: "the same answer as before", requirement: .repeating) }
        try await context.expectFound(first, name: "once.bin", in: folder, after: what)
        try await context.expectBytes(content, of: first.identifier, after: what)
    }

    private static func kept(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.workFolder().identifier
        var file = try await context.makeFile("kept.bin", in: folder, count: 5_000)
        let created = try await context.makeFile("new.bin", in: folder, count: 100)
        file.content = context.randomBytes(4_000)
        file.item = try await context.modify(file.identifier, base: file.item.version, content: file.content).item
        let kill = context.transport.abilities.contains(.kill)
        try await context.restart(kill: kill)
        let what = kill ? "SIGKILL and a new start" : "a new start"
        for file in [file, created] {
            try await context.expectFound(file.item, name: file.item.name, in: folder, after: what)
            try await context.expectContent(of: file, after: what, requirement: .keeping)
        }
    }

    private static func whole(_ context: CaseContext) async throws {
        let folder = try await context.workFolder().identifier
        let content = context.randomBytes(1 << 20)
        let making = Task { try await context.create("whole.bin", in: folder, content: content) }
        let polled = Task { () -> [UInt8]? in
            for _ in 0..<400 where !Task.isCancelled {
                if let item = try? await context.child("whole.bin", in: folder) {
                    return try? await context.read(item.identifier)
                }
                try await Task.sleep(for: .milliseconds(10))
            }
            return nil
        }
        let item = try await making.value
        polled.cancel()
        let seen = try? await polled.value
        // Content that could not be read yet was not half a document.
        if let seen {
            context.expect(
                seen == content, did: "Reading a document during its Create",
                expected: "all \(content.count) bytes, or nothing of that name",
                got: PlainText.difference(seen, content),
                requirement: .wholeContent)
        }
        try await context.expectBytes(content, of: item.identifier, after: "Create of 1 MiB")
    }
}
