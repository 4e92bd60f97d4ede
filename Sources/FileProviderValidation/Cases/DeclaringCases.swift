import DocentInterfaces
import Varlink

/// What a provider declares must work; what it does not declare must be refused.
enum DeclaringCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "declaring.does", level: 1, requirements: [.interface],
            "Every feature that the provider declares is implemented."
        ) { try await does($0) },
        ValidationCase(
            "declaring.refuses", level: 1, requirements: [.interface],
            "A feature that is not declared is refused with NotSupported, and has no effect."
        ) { try await refuses($0) },
        ValidationCase(
            "declaring.content", level: 1, requirements: [.interface],
            "The content of documents is available: in place, with Provide, or with Fetch."
        ) { try await content($0) },
        ValidationCase(
            "declaring.capabilities", level: 2, requirements: [.interface],
            "Items allow nothing that the provider cannot do."
        ) { try await capabilities($0) },
    ]

    private static func isMissing(_ problem: CallProblem?) -> Bool { problem?.code == .notSupported }

    private static func does(_ context: CaseContext) async throws {
        func check(_ feature: ProviderFeature, _ call: () async throws -> Void) async throws {
            guard context.has(feature), let problem = try await context.problem(call) else { return }
            // Only answers that the method is missing: whether it works is tested by other cases.
            if isMissing(problem) {
                context.report(problem, expected: "an answer, because the provider declares \(feature.rawValue)")
            } else if problem.failure == nil {
                throw problem
            }
        }
        try await check(.changes) { _ = try await context.changes(since: nil) }
        try await check(.write) { _ = try await context.makeFile(count: 10) }
        if context.has(.write) {
            let file = try await context.makeFile(count: 20)
            try await check(.write) {
                _ = try await context.modify(file.identifier, base: file.item.version, content: [1, 2, 3])
            }
            try await check(.move) {
                _ = try await context.move(file.identifier, to: file.item.parent, named: context.freshName("moved"))
            }
            try await check(.delete) { try await context.delete(file.identifier) }
        }
        if context.has(.ranges), context.has(.write), context.transport.abilities.contains(.direct) {
            let file = try await context.makeFile(count: 20)
            let version = try await context.item(file.identifier).version ?? ""
            try await check(.ranges) {
                _ = try await context.fetchRange(file.identifier, version: version, from: 0, count: 20)
            }
        }
        try await check(.signIn) {
            _ = try await context.call(
                FileProviderInterface.SignIn.self, .init(domain: context.domain, kind: "password"),
                "SignIn without a credential, to ask for the current account")
        }
        try await check(.authenticate) {
            let did = "SignInForms"
            let forms = try await context.call(FileProviderInterface.SignInForms.self, .init(), did).forms
            context.expect(
                !forms.isEmpty, did: did,
                expected: "at least one way to sign in, because the provider declares authenticate",
                got: "none")
        }
        try await check(.usage) { _ = try await context.usage() }
        try await check(.packages) {
            _ = try await context.call(
                FileProviderInterface.BeginPackage.self,
                .init(
                    domain: context.domain, parent: try await context.workFolder().identifier,
                    name: context.freshName("package") + ".bundle", elements: [], digest: ContentDigest.hex([]),
                    operation: context.newOperation()), "BeginPackage of a new, empty package")
        }
    }

    private static func refuses(_ context: CaseContext) async throws {
        let root = CaseContext.root
        let before = try await context.list(root)
        let some = before.first { !$0.isFolder }?.identifier ?? before.first?.identifier
        func check(_ feature: ProviderFeature, _ did: String, _ call: () async throws -> Void) async throws {
            guard !context.has(feature) else { return }
            context.step(did)
            try await context.expectRefusal(
                [.notSupported], did: did + ", though \(feature.rawValue) is not declared", call)
        }
        let name = context.freshName("undeclared")
        try await check(.write, "Create of a folder in the top folder") {
            _ = try await context.create(name, in: root, content: nil)
        }
        try await check(.write, "Create of a document in the top folder") {
            _ = try await context.create(name, in: root, content: [1, 2, 3])
        }
        try await check(.changes, "Changes without an anchor") { _ = try await context.changes(since: nil) }
        if let some {
            try await check(.write, "Modify of \(PlainText.quoted(some))") {
                // The base cannot exist. A provider that ignores the base loses nothing here.
                _ = try await context.modify(some, base: "no version of this", content: [1, 2, 3])
            }
            try await check(.move, "Move of \(PlainText.quoted(some))") {
                _ = try await context.move(some, base: "no version of this", to: root, named: name)
            }
            try await check(.delete, "Delete of \(PlainText.quoted(some))") {
                try await context.delete(some, base: "no version of this")
            }
            if let document = before.first(where: { !$0.isFolder })?.identifier {
                try await check(.inPlace, "OpenInPlace of \(PlainText.quoted(document))") {
                    _ = try await context.openInPlace(document)
                }
                try await check(.ranges, "FetchRange of \(PlainText.quoted(document))") {
                    _ = try await context.fetchRange(document, version: "no version of this", from: 0, count: 1)
                }
                try await check(.versions, "ListVersions of \(PlainText.quoted(document))") {
                    _ = try await context.call(
                        FileProviderInterface.ListVersions.self,
                        .init(domain: context.domain, identifier: context.real(document)), "ListVersions")
                }
                try await check(.thumbnails, "Thumbnail of \(PlainText.quoted(document))") {
                    _ = try await context.thumbnail(document, version: nil, size: 256)
                }
                try await check(.classic, "Provide of \(PlainText.quoted(document))") {
                    _ = try await context.provided(document)
                }
            }
        }
        try await check(.packages, "BeginPackage of a new package") {
            _ = try await context.call(
                FileProviderInterface.BeginPackage.self,
                .init(
                    domain: context.domain, parent: root, name: name, elements: [], digest: ContentDigest.hex([]),
                    operation: context.newOperation()), "BeginPackage")
        }
        try await check(.usage, "Usage") { _ = try await context.usage() }
        try await check(.trash, "ListTrash") {
            _ = try await context.call(
                FileProviderInterface.ListTrash.self, .init(domain: context.domain), "ListTrash")
        }
        try await check(.actions, "Perform of an action without a name") {
            _ = try await context.call(
                FileProviderInterface.Perform.self, .init(domain: context.domain, action: "", arguments: [:]),
                "Perform")
        }
        try await check(.authenticate, "SignInForms") {
            _ = try await context.call(FileProviderInterface.SignInForms.self, .init(), "SignInForms")
        }
        let after = try await context.list(root)
        let lost = before.filter { old in !after.contains { CaseContext.isSame($0.identifier, old.identifier) } }
        context.expect(
            lost.isEmpty && !after.contains { CaseContext.isSame($0.name, name) },
            did: "Children of the top folder after an undeclared call", expected: "the same items as before",
            got: "without " + PlainText.names(lost.map(\.name)) + ", or with \(PlainText.quoted(name))")
    }

    private static func content(_ context: CaseContext) async throws {
        let document: Wire.ProviderItem
        if context.has(.write) {
            document = try await context.makeFile(count: 100).item
        } else if let found = try await context.walk().first(where: { !$0.isFolder && $0.symbolicLinkTarget == nil }) {
            document = found
        } else {
            try context.skip("the provider shows no document, and does not declare write")
        }
        _ = try await context.read(document.identifier)
    }

    private static func capabilities(_ context: CaseContext) async throws {
        let needed: [String: ProviderFeature] = [
            "write": .write, "rename": .move, "delete": .delete, "addItems": .write,
        ]
        var items = [try await context.item(CaseContext.root)] + (try await context.walk())
        if context.has(.write) { items.append(try await context.makeFile(count: 5).item) }
        for item in items {
            for capability in item.capabilities ?? [] where capability != "read" {
                guard let feature = needed[capability] else {
                    context.report(
                        did: "Looking at " + PlainText.quoted(item.name),
                        expected: "only capabilities among "
                            + (["read"] + needed.keys.sorted()).joined(separator: ", "),
                        got: PlainText.item(item))
                    continue
                }
                guard !context.has(feature) else { continue }
                context.report(
                    did: "Looking at " + PlainText.quoted(item.name),
                    expected: "no capability \(capability), because \(feature.rawValue) is not declared",
                    got: PlainText.item(item))
            }
        }
    }
}
