import DocentTestSupport
import Foundation
import Testing

/// Types declared by manifests are known everywhere that a type is named (7.2, A7).
@Suite(.needs(.daemon)) struct DeclaredTypesTests {
    private struct Item: Decodable {
        var name: String
        var contentType: String
    }

    @Test("7.2, A7: a type exported by a manifest identifies its documents and finds its provider")
    func exported() async throws {
        try await Installation.with { installation in
            let path = installation.manifests + "/org.docent.LocalFolder.FileProvider.plist"
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            var manifest = try #require(
                try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
            manifest["UTExportedTypeDeclarations"] = [
                [
                    "UTTypeIdentifier": "org.docent.test-note", "UTTypeConformsTo": "public.plain-text",
                    "UTTypeTagSpecification": ["public.filename-extension": ["dnote"]],
                ] as [String: Any]
            ]
            try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
                .write(to: URL(fileURLWithPath: path))
            try await installation.docent("provider", "enable", "org.docent.LocalFolder", "--yes").succeeded()
            try installation.write("x", to: "a.dnote")
            let items = try await installation.docent("ls", "LocalFolder:/", "--json").succeeded().json([Item].self)
            #expect(items.map(\.contentType) == ["org.docent.test-note"])
            let offered = try await installation.docent("providers", "--type", "org.docent.test-note", "--json")
                .succeeded()
            #expect(offered.text.contains("org.docent.LocalFolder"))
        }
    }
}
