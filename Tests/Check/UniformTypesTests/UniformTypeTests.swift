import FoundationEssentials
import Testing
import UniformTypes

struct UniformTypeTests {
    @Test(
        "7.2: the syntax of identifiers",
        arguments: [
            ("public.data", true), ("com.example.a-b.C9", true), ("org.exämple.日本", true), ("single", true),
            ("", false),
            (".", false), ("a..b", false), (".pdf", false), ("a.", false), ("a b", false), ("a_b", false),
            ("a/b", false),
            ("$(PRODUCT_BUNDLE_IDENTIFIER).x", false), ("a\u{0}", false), ("\u{200B}", false), ("a.\u{200B}.b", false),
        ])
    func syntax(text: String, isValid: Bool) {
        #expect(UniformType.isValidIdentifier(text) == isValid)
        #expect((UniformType(text) != nil) == isValid)
    }

    @Test("7.2: identifiers are compared without case and keep their spelling")
    func comparison() throws {
        let type = try #require(UniformType("Public.JPEG"))
        #expect(type == .jpeg)
        #expect(type.hashValue == UniformType.jpeg.hashValue)
        #expect(type.identifier == "Public.JPEG")
        #expect("\(type)" == "Public.JPEG")
        #expect(type != .png)
    }

    @Test(
        "6: zero-width characters do not create another type",
        arguments: ["\u{200B}", "\u{FEFF}", "\u{200D}", "\u{2060}"])
    func zeroWidth(character: String) throws {
        let type = try #require(UniformType("public.\(character)jpeg\(character)"))
        #expect(type == .jpeg)
        #expect(UniformTypeRegistry().conforms(type, to: .image))
    }

    @Test("7.2: a type is encoded as a plain string, and an invalid one is refused")
    func coding() throws {
        let data = try JSONEncoder().encode([UniformType.pdf])
        #expect(String(decoding: data, as: UTF8.self) == #"["com.adobe.pdf"]"#)
        #expect(try JSONDecoder().decode([UniformType].self, from: data) == [.pdf])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UniformType].self, from: Data(#"["a b"]"#.utf8))
        }
    }

    @Test("6: conformance and tags are a string or an array; unusable ones are reported")
    func propertyLists() {
        let entries: [Any] = [
            [String: Any](),
            "text",
            [
                "UTTypeIdentifier": "org.example.one", "UTTypeConformsTo": "public.data",
                "UTTypeTagSpecification": [
                    "public.filename-extension": "one", "public.mime-type": ["x/one", "x/uno"],
                ],
            ] as [String: Any],
            [
                "UTTypeIdentifier": "org.example.two", "UTTypeConformsTo": ["public.data", 3] as [Any],
                "UTTypeTagSpecification": 7,
            ] as [String: Any],
            ["UTTypeIdentifier": "not valid"],
        ]
        let (declarations, problems) = UniformTypeDeclaration.declarations(propertyList: entries, origin: .exported)
        #expect(declarations.map(\.identifier) == ["org.example.one", "org.example.two", "not valid"])
        #expect(declarations.map(\.conformsTo) == [["public.data"], ["public.data"], []])
        #expect(declarations[0].tags == [.filenameExtension: ["one"], .mimeType: ["x/one", "x/uno"]])
        #expect(problems.count == 3)
        #expect(UniformTypeDeclaration.declarations(propertyList: nil, origin: .exported).problems.isEmpty)
        #expect(UniformTypeDeclaration.declarations(propertyList: "x", origin: .exported).problems.count == 1)
        let registry = UniformTypeRegistry().adding(exported: declarations)
        #expect(registry.type(filenameExtension: "one").identifier == "org.example.one")
    }
}
