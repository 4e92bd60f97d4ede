import Testing
import UniformTypes

private func declaration(
    _ identifier: String, _ parents: [String] = ["public.data"], extensions: [String] = []
) -> UniformTypeDeclaration {
    UniformTypeDeclaration(
        identifier: identifier, conformsTo: parents, tags: extensions.isEmpty ? [:] : [.filenameExtension: extensions])
}

private func type(_ identifier: String) throws -> UniformType { try #require(UniformType(identifier)) }

struct RegistryTests {
    @Test("6: a redeclared system type stays unchanged, with its tags")
    func redeclaredSystemType() {
        let fake = declaration("Public.Jpeg", ["public.text"], extensions: ["fake"])
        let registry = UniformTypeRegistry().adding(exported: [fake], imported: [fake])
        #expect(registry.conforms(.jpeg, to: .image) && !registry.conforms(.jpeg, to: .text))
        #expect(registry.type(filenameExtension: "fake").isDynamic)
        #expect(registry.declaration(of: .jpeg)?.origin == .spine)
        #expect(registry.all.count { $0 == .jpeg } == 1)
    }

    @Test("7.2: the first exporter wins, and exports take precedence over imports in any order")
    func precedence() throws {
        let base = UniformTypeRegistry()
        let importer = declaration("org.example.doc", ["public.text"], extensions: ["imp"])
        let exporter = declaration("org.example.DOC", ["public.image"], extensions: ["exp"])
        let second = declaration("org.example.doc", ["public.audio"], extensions: ["second"])
        let doc = try type("org.example.doc")
        let imported = base.adding(imported: [importer])
        #expect(imported.conforms(doc, to: .text))
        #expect(imported.type(filenameExtension: "imp") == doc)
        for registry in [
            imported.adding(exported: [exporter, second]),
            base.adding(exported: [exporter, second], imported: [importer]),
        ] {
            #expect(registry.conforms(doc, to: .image))
            #expect(!registry.conforms(doc, to: .text) && !registry.conforms(doc, to: .audio))
            #expect(registry.type(filenameExtension: "exp") == doc)
            #expect(registry.type(filenameExtension: "imp").isDynamic, "the export takes precedence")
            #expect(registry.type(filenameExtension: "second").isDynamic)
            #expect(registry.declaration(of: doc)?.origin == .exported)
        }
        #expect(!base.conforms(doc, to: .text), "a registry never changes")
    }

    @Test("7.2: an extension belongs to the system, then to exports, then to imports")
    func tagPrecedence() throws {
        let registry = UniformTypeRegistry().adding(
            exported: [declaration("org.example.e", extensions: ["pdf", "shared"])],
            imported: [declaration("org.example.i", extensions: ["PDF", ".Shared", "own"])])
        #expect(registry.type(filenameExtension: "pdf") == .pdf)
        #expect(registry.type(filenameExtension: "shared") == (try type("org.example.e")))
        #expect(registry.type(filenameExtension: "own") == (try type("org.example.i")))
    }

    @Test("6, 7.2: loops, self-parents and unknown parents do no harm")
    func cycles() throws {
        let registry = UniformTypeRegistry().adding(exported: [
            declaration("org.example.self", ["org.example.self", "public.data"]),
            declaration("org.example.a", ["org.example.b"]),
            declaration("org.example.b", ["org.example.c", "not valid", ""]),
            declaration("org.example.c", ["org.example.a", "org.example.missing", "public.text"]),
        ])
        #expect(registry.conforms(try type("org.example.self"), to: .data))
        #expect(registry.conforms(try type("org.example.a"), to: .text))
        #expect(registry.conforms(try type("org.example.a"), to: try type("org.example.c")))
        #expect(registry.conforms(try type("org.example.c"), to: try type("org.example.b")))
        #expect(!registry.conforms(try type("org.example.a"), to: try type("org.example.missing")))
        #expect(!registry.supertypes(of: try type("org.example.a")).contains(try type("org.example.a")))
        #expect(!registry.supertypes(of: try type("org.example.a")).contains(try type("org.example.missing")))
    }

    @Test("7.2: supertypes are listed nearest first, each once")
    func supertypes() {
        let supertypes = UniformTypeRegistry().supertypes(of: .jpeg)
        #expect(supertypes == [.image, .data, .content, .item])
    }

    @Test("6: invalid declarations are left out, and dynamic identifiers cannot be declared")
    func invalid() {
        let dynamic = UniformTypeRegistry().type(filenameExtension: "qqq").identifier
        let registry = UniformTypeRegistry(declarations: []).adding(exported: [
            declaration(""), declaration("a b"), declaration(dynamic, ["public.image"]),
            declaration("  org.example.spaces \n", extensions: ["", " ", "ok"]),
        ])
        #expect(registry.all.map(\.identifier) == ["org.example.spaces"])
        #expect(registry.type(filenameExtension: "ok").identifier == "org.example.spaces")
        #expect(registry.type(filenameExtension: "") == .data)
    }

    @Test("7.2: random graphs of parents do not hang, and conformance equals reachability", arguments: 0..<40)
    func randomGraphs(seed: Int) throws {
        var generator = SystemRandomNumberGenerator()
        let count = 60
        let edges = (0..<count).map { _ in
            (0..<Int.random(in: 0...4, using: &generator)).map { _ in Int.random(in: 0..<count + 10, using: &generator)
            }
        }
        let registry = UniformTypeRegistry(
            declarations: edges.enumerated().map { index, parents in
                var result = declaration("org.example.t\(index)", parents.map { "org.example.t\($0)" })
                result.origin = [.spine, .exported, .imported][index % 3]
                return result
            })
        var reach = (0..<count).map { row in (0..<count).map { row == $0 || edges[row].contains($0) } }
        for middle in 0..<count {
            for from in 0..<count where reach[from][middle] {
                for to in 0..<count where reach[middle][to] { reach[from][to] = true }
            }
        }
        for from in 0..<count {
            let start = try type("org.example.t\(from)")
            for to in 0..<count + 10 {
                let conforms = registry.conforms(start, to: try type("org.example.t\(to)"))
                #expect(conforms == (to < count && reach[from][to]), "\(edges)")
            }
        }
    }

    @Test("7.2: a chain of ten thousand parents is traversed without recursion")
    func longChain() throws {
        let registry = UniformTypeRegistry(
            declarations: (0..<10_000).map { declaration("org.example.t\($0)", ["org.example.t\($0 + 1)"]) })
        #expect(registry.conforms(try type("org.example.t0"), to: try type("org.example.t9999")))
        #expect(!registry.conforms(try type("org.example.t0"), to: try type("org.example.t10000")))
    }

    @Test(
        "A7: a provider is offered when a type matches; public.content matches every document",
        arguments: [
            ([UniformType.pdf], [UniformType.content], true), ([.pdf], [], true), ([.zip], [.content], true),
            ([.rtfd], [.content], true), ([.folder], [.content], false), ([.folder], [.folder], true),
            ([.jpeg], [.image], true), ([.image], [.jpeg], true), ([.jpeg], [.png], false),
            ([.jpeg, .png], [.png], true),
            ([.item], [.pdf], true), ([.pdf], [.audio, .plainText], false), ([], [.content], false),
            ([.plainText, .pdf], [.audio, .pdf], true),
        ])
    func offered(types: [UniformType], supported: [UniformType], isOffered: Bool) {
        #expect(UniformTypeRegistry().isOffered(types, supported: supported) == isOffered)
    }

    @Test("A7: undeclared types count as documents")
    func unknownOffered() throws {
        let registry = UniformTypeRegistry()
        let unknown = [try type("org.example.unknown"), registry.type(filenameExtension: "qqq")]
        #expect(unknown.allSatisfy { registry.isOffered([$0], supported: [.content]) })
        #expect(!unknown.contains { registry.isOffered([$0], supported: [.image]) })
    }
}
