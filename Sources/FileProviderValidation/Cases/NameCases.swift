import DocentInterfaces

/// Names that people and programs really use: kept to the byte, or refused.
enum NameCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "names.ordinary", level: 2, needs: [.write], requirements: [.interface],
            "Names with spaces, dots, accents and characters of other scripts are kept to the byte."
        ) { try await ordinary($0) },
        ValidationCase(
            "names.punctuation", level: 3, needs: [.write], patience: 3, requirements: [.interface],
            "Names with characters that are special elsewhere are kept to the byte, or refused."
        ) { try await kept($0, punctuation) },
        ValidationCase(
            "names.control", level: 4, needs: [.write], requirements: [.interface],
            "Names with control characters are kept to the byte, or refused."
        ) { try await kept($0, control) },
        ValidationCase(
            "names.normalization", level: 4, needs: [.write], requirements: [.interface],
            "Two spellings of an accent are two names, or the second is refused with Collision."
        ) { try await pairs($0, normalization, "spellings") },
        ValidationCase(
            "names.case", level: 4, needs: [.write], requirements: [.interface],
            "Two names that differ in case are two names, or the second is refused with Collision."
        ) { try await pairs($0, letters, "cases") },
        ValidationCase(
            "names.child", level: 3, needs: [.write], requirements: [.interface],
            "Child finds exactly the name it is asked for, and none that only looks like it."
        ) { try await exact($0) },
        ValidationCase(
            "names.length", level: 4, needs: [.write], requirements: [.interface],
            "Long names are kept to the byte or refused, never cut."
        ) { try await kept($0, long) },
        ValidationCase(
            "names.moved", level: 5, needs: [.write, .move], requirements: [.interface],
            "When an item is renamed, its name is kept to the byte or refused, as for a new item."
        ) { try await moved($0) },
        ValidationCase(
            "names.restart", level: 5, needs: [.write], abilities: [.restart], patience: 3, requirements: [.interface],
            "Names are the same to the byte in the next process."
        ) { try await restarted($0) },
    ]

    private static let plain = [
        "two words.txt", "a.b.c.tar.gz", ".hidden", "no extension", "Übergröße.txt", "日本語.txt", "Привет.txt", "😀.png",
    ]
    private static let punctuation = [
        "100% sure.txt", "what?.txt", "a#b.txt", "a&b=c.txt", "a+b.txt", "semi;colon.txt", "a:b.txt", "back\\slash.txt",
        "quote\"s'.txt", "<tag>.txt", "pipe|.txt", "star*.txt", "%2F.txt", "%00.txt", "~tilde", "-dash", "_underscore",
        " leading", "trailing ", "trailing.", "a,b.txt", "[brackets]{braces}.txt", "$HOME.txt", "`id`.txt", "@eaDir",
        "CON", "nul.txt", "...", "..a", "a..", "&amp;.txt", "\\x41.txt", "!bang.txt",
    ]
    private static let control = [
        "tab\there.txt", "line\nfeed.txt", "return\r.txt", "escape\u{1B}[31m.txt", "bell\u{7}.txt", "delete\u{7F}.txt",
        "next\u{85}line.txt", "zero\u{200B}width.txt", "right\u{202E}to left.txt", "bom\u{FEFF}.txt",
        "separator\u{2028}.txt", "noncharacter\u{FFFE}.txt",
    ]
    private static let normalization = [
        ("caf\u{E9}.txt", "cafe\u{301}.txt"), ("\u{212B}ngstrom.txt", "\u{C5}ngstrom.txt"),
        ("\u{FB01}le.txt", "file.txt"),
        ("\u{1100}\u{1161}.txt", "\u{AC00}.txt"),
    ]
    private static let letters = [
        ("readme.txt", "README.TXT"), ("stra\u{DF}e", "STRASSE"), ("\u{130}stanbul", "istanbul"),
    ]
    private static let long = [
        String(repeating: "n", count: 100) + ".txt", String(repeating: "n", count: 255),
        String(repeating: "n", count: 256),
        String(repeating: "\u{E9}", count: 127), String(repeating: "\u{E9}", count: 128),
        String(repeating: "n", count: 1_000),
        String(repeating: "n", count: 5_000),
    ]

    private static func ordinary(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder().identifier
        for name in plain {
            let file = try await context.makeFile(name, in: folder, count: 20)
            try await expectKept(context, file, name, folder)
        }
    }

    private static func kept(_ context: CaseContext, _ names: [String]) async throws {
        let folder = try await context.makeFolder().identifier
        var made: [String] = []
        for name in names {
            guard let file = try await attempt(context, name, folder) else { continue }
            made.append(name)
            try await expectKept(context, file, name, folder)
        }
        let listed = try await context.list(folder).map(\.name)
        let foreign = listed.filter { name in !made.contains { CaseContext.isSame($0, name) } }
        context.expect(
            foreign.isEmpty, did: "Listing the folder after all these names were tried",
            expected: "the names that were not refused", got: "also " + PlainText.names(foreign))
    }

    /// Creates a document; nil when a name that is not taken was refused properly.
    private static func attempt(
        _ context: CaseContext, _ name: String, _ folder: String
    ) async throws -> ModelFile? {
        do {
            return try await context.makeFile(name, in: folder, count: 20)
        } catch let problem as CallProblem {
            guard let code = problem.code, code != .collision, CaseContext.nameRefusals.contains(code) else {
                context.report(
                    problem,
                    expected: "a document of that name, or the error "
                        + CaseContext.nameRefusals.map(\.rawValue).joined(separator: " or "))
                if problem.failure == nil { throw CaseStop.reported }
                return nil
            }
            return nil
        }
    }

    private static func expectKept(
        _ context: CaseContext, _ file: ModelFile, _ name: String, _ folder: String
    ) async throws {
        let did = "Create of \(PlainText.quoted(name, limit: 60))"
        guard
            context.expect(
                CaseContext.isSame(file.item.name, name), did: did, expected: "that name to the byte",
                got: PlainText.item(file.item))
        else { return }
        let listed = try await context.list(folder).first { CaseContext.isSame($0.identifier, file.identifier) }
        context.expect(
            listed.map { CaseContext.isSame($0.name, name) } ?? false, did: "Listing the folder after \(did)",
            expected: "that name to the byte", got: listed.map(PlainText.item) ?? "nothing with its identifier")
        do {
            let named = try await context.child(name, in: folder)
            context.expect(
                CaseContext.isSame(named.identifier, file.identifier), did: "Child after \(did)",
                expected: "the document",
                got: PlainText.item(named))
        } catch let problem as CallProblem {
            context.report(problem, expected: "the document of that name")
        }
        try await context.expectContent(of: file, after: did)
    }

    private static func pairs(
        _ context: CaseContext, _ pairs: [(String, String)], _ what: String
    ) async throws {
        for (first, second) in pairs {
            let folder = try await context.makeFolder().identifier
            guard let one = try await attempt(context, first, folder) else { continue }
            let did = "Create of \(PlainText.quoted(second)) beside \(PlainText.quoted(first))"
            do {
                let two = try await context.makeFile(second, in: folder, count: 33)
                context.expect(
                    !CaseContext.isSame(one.identifier, two.identifier), did: did, expected: "another item",
                    got: PlainText.item(two.item))
                try await expectKept(context, two, second, folder)
                let ignores = try await context.item(folder).ignoresCase == true
                if what == "cases", ignores {
                    context.report(
                        did: did, expected: "Collision, because the folder says ignoresCase",
                        got: PlainText.item(two.item))
                }
            } catch let problem as CallProblem {
                if problem.code != .collision, !(problem.code.map(CaseContext.nameRefusals.contains) ?? false) {
                    context.report(problem, expected: "a second document, or the error Collision")
                }
            }
            try await expectKept(context, one, first, folder)
        }
    }

    private static func exact(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder()
        let isLoose = try await context.item(folder.identifier).ignoresCase == true
        for (name, likeIt) in normalization + letters {
            guard let file = try await attempt(context, name, folder.identifier) else { continue }
            let named = try await context.child(name, in: folder.identifier)
            context.expect(
                CaseContext.isSame(named.identifier, file.identifier), did: "Child \(PlainText.quoted(name))",
                expected: PlainText.item(file.item), got: PlainText.item(named))
            let isLetters = letters.contains { CaseContext.isSame($0.0, name) }
            guard !(isLoose && isLetters) else { continue }
            try await context.expectRefusal(
                [.noSuchItem],
                did: "Child \(PlainText.quoted(likeIt)), where only \(PlainText.quoted(name)) exists"
            ) { try await context.child(likeIt, in: folder.identifier) }
        }
    }

    private static func moved(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder().identifier
        var file = try await context.makeFile("start.txt", in: folder, count: 50)
        for name in plain + punctuation + control + long {
            let before = file.item.name
            do {
                file.item = try await context.move(file.identifier, to: folder, named: name)
                let did = "Move of a document to \(PlainText.quoted(name, limit: 60))"
                context.expect(
                    CaseContext.isSame(file.item.name, name), did: did, expected: "that name to the byte",
                    got: PlainText.item(file.item))
            } catch let problem as CallProblem {
                guard let code = problem.code, CaseContext.nameRefusals.contains(code) else {
                    context.report(problem, expected: "the new name, or an error that refuses it")
                    if problem.failure == nil { throw CaseStop.reported }
                    file.item = try await context.item(file.identifier)
                    continue
                }
                let now = try await context.item(file.identifier)
                context.expect(
                    CaseContext.isSame(now.name, before), did: problem.did + ", which was refused",
                    expected: "the name \(PlainText.quoted(before)) as before", got: PlainText.item(now))
            }
        }
        let listed = try await context.list(folder)
        context.expect(
            listed.count == 1 && listed.allSatisfy { CaseContext.isSame($0.name, file.item.name) },
            did: "Listing the folder after a document had many names", expected: "the document, under its last name",
            got: PlainText.names(listed.map(\.name)))
        try await context.expectContent(of: file, after: "many moves")
    }

    private static func restarted(_ context: CaseContext) async throws {
        try context.requireKept()
        let folder = try await context.makeFolder().identifier
        var made: [ModelFile] = []
        for name in plain + punctuation + control {
            if let file = try await attempt(context, name, folder) { made.append(file) }
        }
        try await context.restart()
        let listed = try await context.list(folder)
        for file in made {
            let now = listed.first { CaseContext.isSame($0.identifier, file.identifier) }
            context.expect(
                now.map { CaseContext.isSame($0.name, file.item.name) } ?? false,
                did: "Listing the folder in the next process", expected: PlainText.item(file.item),
                got: now.map(PlainText.item) ?? "nothing with its identifier")
        }
    }
}

extension CaseContext {
    /// The errors with which a name may be refused.
    static var nameRefusals: [FailureCode] { [.invalidArgument, .notPermitted, .notSupported, .failed] }
}
