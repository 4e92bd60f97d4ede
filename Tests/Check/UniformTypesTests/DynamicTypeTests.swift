import Testing
import UniformTypes

struct DynamicTypeTests {
    private let registry = UniformTypeRegistry()

    @Test(
        "7.2: an unknown tag has the same identifier on every machine, and can be read back from it",
        arguments: ["qqq", "x", "a:b=c,d\\e", "日本語", "e\u{301}", "\u{301}", "a b", "longer.than.usual-extension"])
    func extensions(tag: String) throws {
        let type = registry.type(filenameExtension: tag)
        #expect(type.isDynamic && UniformType.isValidIdentifier(type.identifier))
        #expect(type == UniformTypeRegistry().type(filenameExtension: tag.uppercased()))
        #expect(registry.preferredFilenameExtension(of: type) == tag)
        #expect(registry.conforms(type, to: .data) && registry.conforms(type, to: .item))
        #expect(!registry.conforms(type, to: .content))
        #expect(try #require(registry.declaration(of: type)).origin == .dynamic)
        let copy = try #require(UniformType(type.identifier.uppercased()))
        #expect(registry.preferredFilenameExtension(of: copy) == tag)
        let folder = registry.type(filenameExtension: tag, isDirectory: true)
        #expect(folder != type && registry.conforms(folder, to: .folder) && !registry.conforms(folder, to: .data))
    }

    @Test("7.2: the encoding is the publicly described one")
    func coding() {
        #expect(registry.type(filenameExtension: "qqq").identifier.hasPrefix("dyn.ah62d4rv4ge8"))
    }

    @Test("7.2: an unknown MIME type is dynamic, and conforms to text if it is text/*")
    func mimeTypes() {
        let type = registry.type(mimeType: "Application/X-Unheard-Of; q=1")
        #expect(type.isDynamic && registry.preferredMIMEType(of: type) == "application/x-unheard-of")
        #expect(registry.conforms(type, to: .data))
        #expect(registry.conforms(registry.type(mimeType: "text/x-unheard-of"), to: .text))
        #expect(registry.type(mimeType: "") == .data)
    }

    @Test(
        "7.2: a dynamic identifier that does not decode is harmless",
        arguments: ["dyn.a", "dyn.b", "dyn.zzzz", "dyn.a99", "dyn.ah62d4rv4ge8", "dyn.ah6", "dyn.aé"])
    func garbage(identifier: String) throws {
        let type = try #require(UniformType(identifier))
        #expect(registry.conforms(type, to: type))
        #expect(registry.supertypes(of: type).allSatisfy { $0 != type })
        _ = registry.declaration(of: type)
    }

    @Test("A7: a dynamic type from another machine is recognised where its tag is declared")
    func laterDeclared() throws {
        let type = registry.type(filenameExtension: "qqq")
        let declared = UniformTypeDeclaration(
            identifier: "org.example.qqq", conformsTo: ["public.image"], tags: [.filenameExtension: ["qqq"]])
        let registry = registry.adding(exported: [declared])
        #expect(registry.conforms(type, to: .image))
        #expect(registry.conforms(type, to: try #require(UniformType("org.example.qqq"))))
        #expect(!registry.conforms(registry.type(filenameExtension: "qqq", isDirectory: true), to: .image))
    }
}
