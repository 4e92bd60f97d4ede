import FileProvider
import Testing

@testable import WebDAV

/// Addresses, references and their encoding.
@Suite struct ReferenceTests {
    @Test(
        "a reference is resolved whatever its form",
        arguments: [
            ("/dav/anna/a%20b", "/a b"), ("http://other/dav/anna/a%20b", "/a b"), ("/dav/anna//x/", "/x"),
            ("a", "/f/a"), ("/dav/./anna/x%c3%BC", "/xü"), ("/dav/%61nna/x", "/x"), ("/dav/anna/100%", "/100%"),
            ("/dav/anna/", ".root"), ("/dav/anna", ".root"), ("/dav/anna/a?b#c", "/a"), ("/dav/anna/%ff", "/\\xFF"),
        ])
    func resolved(_ href: String, _ expected: String) throws {
        let address = try ServerAddress(url: "https://h/dav/anna/")
        let folder = try #require(RemotePath(identifier: ItemIdentifier("/f")))
        #expect(address.path(ofReference: href, in: folder)?.identifier.rawValue == expected)
    }

    @Test(
        "a reference outside the root, or with an invalid name, is refused",
        arguments: [
            "/", "/dav", "/dav/otto/x", "/dav/anna/../otto", "/dav/anna/%2e%2e/otto", "/dav/anna/a%2Fb",
            "/dav/anna/a%00b",
            "/dav/anna/" + String(repeating: "x", count: 256), "http://h",
        ])
    func refused(_ href: String) throws {
        let address = try ServerAddress(url: "https://h/dav/anna")
        #expect(address.path(ofReference: href, in: .root) == nil)
    }

    @Test("every name survives encoding, and every path yields its identifier")
    func encoding() throws {
        let all = (UInt8(1)...255).filter { $0 != UInt8(ascii: "/") }
        #expect(SegmentEncoding.decode(SegmentEncoding.encode(all).utf8) == all)
        let names = [try #require(LocalName(bytes: all.prefix(200))), try #require(LocalName(".root"))]
        let path = RemotePath(names)
        #expect(RemotePath(identifier: path.identifier) == path)
        #expect(RemotePath([names[1]]).identifier != .rootContainer)
        for text in ["", "a", "/", "/a//b", "/../x", "/.", "id:5"] {
            #expect(RemotePath(identifier: ItemIdentifier(text)) == nil, "\(text)")
        }
    }

    @Test(
        "an invalid address is refused",
        arguments: [
            "", "h/dav", "ftp://h/", "http://", "http://anna:secret@h/", "http://h/a?b", "http://h/a b", "http://h/%2F",
        ]
    )
    func addresses(_ url: String) {
        #expect(throws: FileProviderError.self) { try ServerAddress(url: url) }
    }

    @Test("W/ and quotes are no part of a version, and a long tag still yields one")
    func tags() throws {
        #expect(EntityTag("W/\"a\"")?.version == EntityTag("\"a\"")?.version)
        #expect(EntityTag("a")?.quoted == "\"a\"")
        #expect(EntityTag("\"\"") == nil && EntityTag("") == nil && EntityTag("\"a\nb\"") == nil)
        let long = try #require(EntityTag(String(repeating: "x", count: 500)))
        let other = try #require(EntityTag(String(repeating: "x", count: 499) + "y"))
        #expect(long.version.content.utf8.count <= ItemVersion.maximumLength)
        #expect(long.version != other.version)
        #expect(EntityTag(long.version) == nil)
    }
}
