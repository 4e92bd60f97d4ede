import DocentInterfaces
import Varlink

/// Folders that look like one document.
enum PackagesCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "packages.create", level: 2, needs: [.packages, .write], requirements: [.interface, .packages],
            "A new package is visible only after it is committed, and then as a whole."
        ) { try await create($0) },
        ValidationCase(
            "packages.replace", level: 3, needs: [.packages, .write], requirements: [.interface, .packages],
            "A package is replaced as a whole: its elements stay, change, disappear and appear."
        ) { try await replace($0) },
        ValidationCase(
            "packages.staleElement", level: 3, needs: [.packages, .write],
            requirements: [.interface, .packages, .overwriting],
            "An unchanged element that has another version by now is not overwritten."
        ) { try await staleElement($0) },
        ValidationCase(
            "packages.repeated", level: 4, needs: [.packages, .write], requirements: [.interface, .repeating],
            "A repeated commit is answered as before; the name is taken for other operations."
        ) { try await repeated($0) },
    ]

    private static let name = "Validation.rtfd"

    private static func part(_ path: String, _ content: [UInt8]?) -> Wire.PackagePart {
        Wire.PackagePart(
            path: path, isFolder: content == nil, size: content?.count, digest: content.map { ContentDigest.hex($0) })
    }

    private static func kept(_ path: String, version: String?) -> Wire.PackagePart {
        Wire.PackagePart(path: path, isFolder: false, version: version)
    }

    /// Begins, or ends the case if this package cannot be replaced as a whole.
    private static func begin(
        _ context: CaseContext, _ identifier: String?, in parent: String?, named name: String = name,
        base: String? = nil, _ parts: [Wire.PackagePart], operation: String
    ) async throws -> [String] {
        do {
            return try await context.call(
                FileProviderInterface.BeginPackage.self,
                .init(
                    domain: context.domain, identifier: identifier, parent: parent,
                    name: identifier == nil ? name : nil, baseVersion: base, elements: parts,
                    digest: ContentDigest.hex(Array(parts.map(\.path).joined(separator: "\n").utf8)),
                    operation: operation),
                "BeginPackage with \(parts.count) elements"
            ).needed
        } catch let problem as CallProblem where problem.code == .notSupported && identifier != nil {
            try context.skip("this package cannot be replaced as a whole: \(problem.got)")
        }
    }

    private static func stage(
        _ context: CaseContext, _ path: String, _ content: [UInt8], operation: String
    ) async throws {
        let did = "StageElement of \(PlainText.quoted(path))"
        context.step(did)
        _ = try await context.session.call(
            FileProviderInterface.StageElement.self,
            .init(
                operation: operation, path: path, content: 0, size: content.count, digest: ContentDigest.hex(content)),
            descriptors: DescriptorList(try ContentFile(content).shareForReading()), did: did)
    }

    private static func commit(
        _ context: CaseContext, operation: String
    ) async throws -> FileProviderInterface.CommitPackage.Reply {
        try await context.call(
            FileProviderInterface.CommitPackage.self, .init(operation: operation, metadata: nil, thumbnail: nil),
            "CommitPackage")
    }

    /// A package with two documents and a folder with a third.
    static func make(
        _ context: CaseContext, _ contents: [String: [UInt8]], named name: String = name, in parent: String? = nil,
        operation: String, isWatched: Bool = true
    ) async throws -> Wire.ProviderItem {
        let folder = if let parent { parent } else { try await context.workFolder().identifier }
        let parts = [part("parts", nil)] + contents.sorted { $0.key < $1.key }.map { part($0.key, $0.value) }
        let needed = try await begin(context, nil, in: folder, named: name, parts, operation: operation)
        context.expect(
            needed.sorted() == contents.keys.sorted(), did: "BeginPackage of a new package",
            expected: "a request for all contents: \(PlainText.names(contents.keys.sorted()))",
            got: PlainText.names(needed))
        for (path, content) in contents.sorted(by: { $0.key < $1.key }) {
            try await stage(context, path, content, operation: operation)
        }
        // A call that fails because the provider was killed is not a finding.
        if isWatched {
            try await context.expectNoName(
                name, in: folder, after: "StageElement of all elements, before CommitPackage")
        }
        let reply = try await commit(context, operation: operation)
        guard let item = reply.item else {
            throw CallProblem(did: "CommitPackage", kind: .brokenProtocol("the reply has no item"))
        }
        if isWatched { try await context.expectFound(item, name: name, in: folder, after: "CommitPackage") }
        return item
    }

    private static func contents(_ context: CaseContext) -> [String: [UInt8]] {
        [
            "a.txt": context.randomBytes(700), "b.txt": context.randomBytes(800),
            "parts/c.txt": context.randomBytes(900),
        ]
    }

    /// The documents of a package by their paths.
    private static func elements(
        _ context: CaseContext, of identifier: String, path: String = ""
    ) async throws -> [String: Wire.ProviderItem] {
        var found: [String: Wire.ProviderItem] = [:]
        for item in try await context.list(identifier) {
            if item.isFolder {
                found.merge(try await elements(context, of: item.identifier, path: path + item.name + "/")) { $1 }
            } else {
                found[path + item.name] = item
            }
        }
        return found
    }

    static func expect(
        _ context: CaseContext, _ package: Wire.ProviderItem, has contents: [String: [UInt8]], after what: String
    ) async throws {
        let found = try await elements(context, of: package.identifier)
        context.expect(
            found.keys.sorted() == contents.keys.sorted(), did: "Listing the package after \(what)",
            expected: PlainText.names(contents.keys.sorted()), got: PlainText.names(found.keys.sorted()))
        for (path, content) in contents.sorted(by: { $0.key < $1.key }) {
            guard let item = found[path] else { continue }
            try await context.expectBytes(
                content, of: item.identifier, after: "\(what), the element \(PlainText.quoted(path))")
        }
    }

    private static func create(_ context: CaseContext) async throws {
        let contents = contents(context)
        let item = try await make(context, contents, operation: context.newOperation())
        try await expect(context, item, has: contents, after: "CommitPackage")
    }

    private static func replace(_ context: CaseContext) async throws {
        let old = contents(context)
        let item = try await make(context, old, operation: context.newOperation())
        let before = try await elements(context, of: item.identifier)
        // a.txt stays, b.txt is removed, c.txt changes, d.txt is new.
        let new = [
            "a.txt": old["a.txt"] ?? [], "parts/c.txt": context.randomBytes(950), "d.txt": context.randomBytes(50),
        ]
        let parts = [
            kept("a.txt", version: before["a.txt"]?.version), part("d.txt", new["d.txt"]), part("parts", nil),
            part("parts/c.txt", new["parts/c.txt"]),
        ]
        let operation = context.newOperation()
        let needed = try await begin(
            context, item.identifier, in: nil, base: item.version, parts, operation: operation)
        context.expect(
            needed.sorted() == ["d.txt", "parts/c.txt"], did: "BeginPackage of an existing package",
            expected: "a request for the new elements: \"d.txt\", \"parts/c.txt\"", got: PlainText.names(needed))
        for path in ["d.txt", "parts/c.txt"] {
            try await stage(context, path, new[path] ?? [], operation: operation)
            try await expect(context, item, has: old, after: "StageElement, before CommitPackage")
        }
        let reply = try await commit(context, operation: operation)
        context.expect(
            reply.item?.identifier == item.identifier, did: "CommitPackage", expected: "the identifier of the package",
            got: reply.item.map(PlainText.item) ?? "no item", requirement: .identity)
        try await expect(context, item, has: new, after: "CommitPackage")
        let after = try await elements(context, of: item.identifier)
        context.expect(
            after["a.txt"]?.identifier == before["a.txt"]?.identifier, did: "CommitPackage",
            expected: "the identifier of an element that stays",
            got: after["a.txt"].map(PlainText.item) ?? "no such element", requirement: .identity)
    }

    private static func staleElement(_ context: CaseContext) async throws {
        let old = contents(context)
        let item = try await make(context, old, operation: context.newOperation())
        let before = try await elements(context, of: item.identifier)
        guard let element = before["a.txt"], let version = element.version else {
            try context.skip("elements have no versions")
        }
        let theirs = context.randomBytes(750)
        _ = try await context.modify(element.identifier, base: version, content: theirs)
        let parts = [
            kept("a.txt", version: version), kept("b.txt", version: before["b.txt"]?.version), part("parts", nil),
            part("parts/c.txt", [1, 2, 3]),
        ]
        let did = "Replacing a package and keeping an element at a version that was replaced meanwhile"
        let operation = context.newOperation()
        do {
            for path in try await begin(
                context, item.identifier, in: nil, base: item.version, parts, operation: operation)
            {
                if path == "parts/c.txt" { try await stage(context, path, [1, 2, 3], operation: operation) }
            }
            let reply = try await commit(context, operation: operation)
            context.expect(
                reply.conflict != nil, did: did, expected: "VersionOutOfDate, or a conflict with the previous content",
                got: "success without a conflict", requirement: .overwriting)
        } catch let problem as CallProblem {
            if problem.code != .versionOutOfDate {
                context.report(problem, expected: "VersionOutOfDate, or a conflict", requirement: .overwriting)
            }
            var kept = old
            kept["a.txt"] = theirs
            try await expect(context, item, has: kept, after: did)
        }
    }

    private static func repeated(_ context: CaseContext) async throws {
        let contents = contents(context)
        let operation = context.newOperation()
        let item = try await make(context, contents, operation: operation)
        let again = try await commit(context, operation: operation)
        context.expect(
            again.item?.identifier == item.identifier, did: "CommitPackage again", expected: PlainText.item(item),
            got: again.item.map(PlainText.item) ?? "no item", requirement: .repeating)
        let folder = try await context.workFolder().identifier
        let other = context.newOperation()
        let parts = [part("x.txt", [1])]
        try await context.expectRefusal(
            [.collision], did: "A new package under a name that is taken", requirement: .overwriting
        ) {
            let needed = try await begin(context, nil, in: folder, parts, operation: other)
            for path in needed { try await stage(context, path, [1], operation: other) }
            return try await commit(context, operation: other).item
        }
        try await expect(context, item, has: contents, after: "a refused package of the same name")
    }
}
