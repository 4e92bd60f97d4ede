import DocentInterfaces

/// Items and folders as the provider shows them: page by page, and by invalid identifiers.
enum ListingCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "listing.root", level: 1, requirements: [.interface, .identity, .limits],
            "The top folder and its contents are described as the interface requires."
        ) { try await root($0) },
        ValidationCase(
            "listing.agreement", level: 2, requirements: [.interface, .identity],
            "Item and Child describe an item as Children does."
        ) { try await agreement($0) },
        ValidationCase(
            "listing.unknown", level: 1, requirements: [.interface, .identity],
            "Every method refuses an unknown identifier with NoSuchItem."
        ) { try await unknown($0) },
        ValidationCase(
            "listing.hostileIdentifiers", level: 3, requirements: [.interface, .identity, .containment],
            "Identifiers that look like paths lead to nothing."
        ) { try await hostile($0) },
        ValidationCase(
            "listing.document", level: 2, requirements: [.interface],
            "A document has no children, and asking for them is refused."
        ) { try await document($0) },
        ValidationCase(
            "listing.empty", level: 2, needs: [.write], requirements: [.interface],
            "A new folder is empty."
        ) { try await empty($0) },
        ValidationCase(
            "listing.pages", level: 4, needs: [.write], patience: 3, requirements: [.interface, .limits],
            "The pages of a folder contain every item exactly once."
        ) { try await pages($0) },
        ValidationCase(
            "listing.changingPages", level: 5, needs: [.write, .delete], patience: 3,
            requirements: [.interface, .limits],
            "If a folder changes between two pages, the items that stay in it are all listed, and the listing ends."
        ) { try await changingPages($0) },
        ValidationCase(
            "listing.tokens", level: 3, requirements: [.interface, .limits],
            "A page token from elsewhere is refused, or starts the listing from the beginning."
        ) { try await tokens($0) },
    ]

    private static func root(_ context: CaseContext) async throws {
        let root = try await context.item(CaseContext.root)
        let did = "Item of the top folder, \(PlainText.quoted(CaseContext.root))"
        context.expect(root.isFolder, did: did, expected: "a folder", got: PlainText.item(root))
        context.expect(
            CaseContext.isSame(root.identifier, CaseContext.root), did: did, expected: "its identifier",
            got: PlainText.item(root))
        let items = try await context.list(CaseContext.root)
        context.expectListed(items, in: CaseContext.root)
    }

    private static func agreement(_ context: CaseContext) async throws {
        if context.has(.write) {
            let folder = try await context.makeFolder()
            _ = try await context.makeFile(in: folder.identifier, count: 100)
        }
        var folders = [CaseContext.root]
        var looked = 0
        while let folder = folders.popLast(), looked < 60 {
            let items = try await context.list(folder)
            context.expectListed(items, in: folder)
            folders += items.filter(\.isFolder).prefix(4).map(\.identifier)
            for item in items.prefix(15) {
                looked += 1
                let alone = try await context.item(item.identifier)
                expectSame(context, item, alone, "Item of \(PlainText.quoted(item.identifier))")
                let named = try await context.child(item.name, in: folder)
                expectSame(context, item, named, "Child \(PlainText.quoted(item.name)) of \(PlainText.quoted(folder))")
            }
        }
        if looked == 0 { try context.skip("the provider shows nothing") }
    }

    private static func expectSame(
        _ context: CaseContext, _ listed: Wire.ProviderItem, _ other: Wire.ProviderItem, _ did: String
    ) {
        let isSame =
            CaseContext.isSame(listed.identifier, other.identifier) && CaseContext.isSame(listed.name, other.name)
            && CaseContext.isSame(listed.parent, other.parent) && listed.isFolder == other.isFolder
            && (listed.isFolder || (listed.version == other.version && listed.size == other.size))
        context.expect(
            isSame, did: did, expected: "the same item as in Children: " + PlainText.item(listed),
            got: PlainText.item(other),
            requirement: .identity)
    }

    private static func unknown(_ context: CaseContext) async throws {
        for identifier in ["nothing-has-this-identifier", "validation/" + context.random { $0.word(30) }] {
            try await refuse(context, identifier, [.noSuchItem], contents: true)
        }
        let name = context.freshName("nothing-has-this-name")
        try await context.expectRefusal([.noSuchItem], did: "Child \(PlainText.quoted(name)) of the top folder") {
            try await context.child(name, in: CaseContext.root)
        }
    }

    private static func hostile(_ context: CaseContext) async throws {
        let identifiers = [
            "", ".", "..", "/", "../..", "/etc/passwd", "../../../../../../etc/passwd", "file:///etc/passwd", "a\u{0}b",
            "%2e%2e%2fetc", ".root/../../etc", "\u{202E}gpj", String(repeating: "x", count: 20_000),
            String(repeating: "../", count: 300) + "etc/passwd",
        ]
        for identifier in identifiers {
            try await refuse(
                context, identifier, [.noSuchItem, .invalidArgument, .notPermitted], contents: identifier.count < 100)
        }
        _ = try await context.item(CaseContext.root)
    }

    private static func refuse(
        _ context: CaseContext, _ identifier: String, _ codes: [FailureCode], contents: Bool
    ) async throws {
        let text = PlainText.quoted(identifier, limit: 60) + ", an unknown identifier"
        try await context.expectRefusal(codes, did: "Item of \(text)") { try await context.item(identifier) }
        try await context.expectRefusal(codes, did: "Children of \(text)") {
            try await context.page(of: identifier).items.count
        }
        try await context.expectRefusal(codes, did: "Child \"a\" of \(text)") {
            try await context.child("a", in: identifier)
        }
        guard contents else { return }
        try await context.expectRefusal(codes, did: "Reading \(text)") { try await context.read(identifier) }
    }

    private static func document(_ context: CaseContext) async throws {
        let document: String
        if context.has(.write) {
            document = try await context.makeFile(count: 10).identifier
        } else if let found = try await context.walk().first(where: { !$0.isFolder }) {
            document = found.identifier
        } else {
            try context.skip("the provider shows no document, and does not declare write")
        }
        try await context.expectError(did: "Children of a document") {
            try await context.page(of: document).items.count
        }
    }

    private static func empty(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder()
        let page = try await context.page(of: folder.identifier)
        context.expect(
            page.items.isEmpty && page.nextPage == nil, did: "Children of a new folder",
            expected: "one page without items",
            got: PlainText.names(page.items.map(\.name)) + (page.nextPage == nil ? "" : ", and another page"))
    }

    private static func pages(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder().identifier
        let count = context.options.level >= 8 ? 400 : 120
        let made = (0..<count).map { "page \($0)" }
        try await context.makeFiles(made, in: folder)
        var listed: [Wire.ProviderItem] = []
        var token: String?
        var pages = 0
        repeat {
            let page = try await context.page(of: folder, token: token)
            listed += page.items
            token = page.nextPage
            pages += 1
            if let token {
                try context.require(
                    token.utf8.count <= 500, did: "Page \(pages) of a folder with \(count) items",
                    expected: "a token of at most 500 bytes", got: "one of \(token.utf8.count)", requirement: .limits)
            }
            try context.require(
                pages <= count * 2 + 10 && listed.count <= count * 3,
                did: "Listing a folder with \(count) items page by page",
                expected: "an end", got: "\(pages) pages with \(listed.count) items, and a token for more",
                requirement: .limits)
        } while token != nil
        expectOnce(context, made, listed.map(\.name), "Listing a folder with \(count) items in \(pages) pages")
    }

    private static func expectOnce(_ context: CaseContext, _ made: [String], _ listed: [String], _ did: String) {
        let counts = Dictionary(grouping: listed) { $0 }.mapValues(\.count)
        let missing = made.filter { counts[$0] == nil }
        let often = made.filter { (counts[$0] ?? 0) > 1 }
        context.expect(missing.isEmpty, did: did, expected: "all of them", got: "not " + PlainText.names(missing))
        context.expect(
            often.isEmpty, did: did, expected: "each of them once", got: "several times " + PlainText.names(often))
        let known = Set(made)
        let foreign = listed.filter { !known.contains($0) }
        context.expect(foreign.isEmpty, did: did, expected: "nothing else", got: "also " + PlainText.names(foreign))
    }

    private static func changingPages(_ context: CaseContext) async throws {
        let folder = try await context.makeFolder().identifier
        var files: [ModelFile] = []
        for number in 0..<150 { files.append(try await context.makeFile("item \(number)", in: folder, content: [1])) }
        let first = try await context.page(of: folder)
        guard let token = first.nextPage else {
            try context.skip("a folder with 150 items is listed on one page")
        }
        let gone = Set(stride(from: 3, to: 150, by: 10))
        for number in gone.sorted() { try await context.delete(files[number].identifier) }
        for number in 0..<10 { _ = try await context.makeFile("later \(number)", in: folder, content: [2]) }
        var listed = first.items
        var next: String? = token
        var pages = 1
        while let token = next {
            let did = "The page after page \(pages) of a folder that has changed"
            let page: FileProviderInterface.Children.Reply
            do {
                page = try await context.page(of: folder, token: token)
            } catch let problem as CallProblem {
                // A provider may answer that the token has expired: the host starts again.
                guard let code = problem.code, [.anchorExpired, .invalidArgument].contains(code) else { throw problem }
                listed = try await context.list(folder)
                break
            }
            listed += page.items
            next = page.nextPage
            pages += 1
            try context.require(
                pages < 500 && listed.count < 5_000, did: did, expected: "an end of the pages",
                got: "\(pages) pages with \(listed.count) items")
        }
        let names = Set(listed.map(\.name))
        let missing = files.indices.filter { !gone.contains($0) }.map { files[$0].item.name }.filter {
            !names.contains($0)
        }
        context.expect(
            missing.isEmpty, did: "Listing a folder page by page, deleting and creating items after the first page",
            expected: "all items that existed the whole time", got: "not " + PlainText.names(missing))
    }

    private static func tokens(_ context: CaseContext) async throws {
        let folder = context.has(.write) ? try await context.makeFolder().identifier : CaseContext.root
        if context.has(.write) { _ = try await context.makeFile(in: folder, count: 10) }
        let right = Set(try await context.list(folder).map(\.identifier))
        let texts = [
            "x", "", "0", "-1", "999999999999999999999", "1:p:x", "0:f:", "\u{0}", "../..",
            String(repeating: "t", count: 500), String(repeating: "t", count: 60_000),
        ]
        for token in texts {
            let did =
                "Children of \(PlainText.quoted(folder)) with the page token \(PlainText.quoted(token, limit: 30)), "
                + "which the provider did not issue"
            guard
                let problem = try await context.problem({
                    let page = try await context.page(of: folder, token: token)
                    let foreign = page.items.filter { !right.contains($0.identifier) }
                    context.expect(
                        foreign.isEmpty, did: did, expected: "an error, or items of the folder",
                        got: PlainText.names(foreign.map(\.name)))
                })
            else { continue }
            if problem.failure == nil { throw problem }
        }
        _ = try await context.item(CaseContext.root)
    }
}
