import DocentInterfaces
import Testing

@testable import ExtensionHosting

@Suite struct PickedLocationTests {
    @Test(
        "C5: file URLs of this machine are paths, percent-decoded",
        arguments: [
            ("file:///a/b", "/a/b"), ("file://localhost/a", "/a"), ("file:///a%20b", "/a b"), ("file:///%C3%A9", "/é"),
            ("file:///a%2Fb", "/a/b"),
        ])
    func files(_ url: String, _ path: String) { #expect(PickedLocation(url: url) == .file(path: path)) }

    @Test(
        "C5: a malformed URL is no location",
        arguments: [
            "", "file:", "file://", "file://host/a", "file:///%", "file:///%2", "file:///%zz", "file:///%FF",
            "FILE:///a",
            "docent://", "docent:///id", "docent://p", "docent://p/", "docent://p/%zz", "a/b",
        ])
    func others(_ url: String) { #expect(PickedLocation(url: url) == .other(url)) }

    @Test(
        "a document's URL names provider, domain and identifier",
        arguments: [
            ("docent://p/id", "p", "", "id"), ("docent://p@d/id", "p", "d", "id"), ("docent://p/a%2Fb", "p", "", "a/b"),
            ("docent://p/a/b", "p", "", "a/b"), ("docent://p@a@b/i", "p", "a@b", "i"),
        ])
    func documents(_ url: String, _ provider: String, _ domain: String, _ identifier: String) {
        #expect(
            PickedLocation(url: url)
                == .document(Wire.ItemReference(provider: provider, domain: domain, identifier: identifier)))
    }

    @Test(
        "RFC 3986: any byte may be encoded, in capital or small digits",
        arguments: [
            ("", ""), ("aZ09-._~", "aZ09-._~"), ("a%20b", "a b"), ("%C3%A9%2F%25%3F%23", "é/%?#"), ("%00%0a", "\0\n"),
            ("%e6%97%A5%E6%9C%AC", "日本"), ("%61", "a"),
        ])
    func decodes(_ encoded: String, _ text: String) {
        #expect(PercentEncoding.decode(Substring(encoded)) == text)
    }
}
