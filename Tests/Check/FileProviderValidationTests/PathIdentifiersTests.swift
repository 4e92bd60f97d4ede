import Testing

@testable import FileProviderValidation

@Suite struct PathIdentifiersTests {
    @Test("a moved item keeps its name, and so does everything below it")
    func moved() {
        var places = PathIdentifiers()
        #expect(places.identifier(of: "/a") == "/a" && places.name(of: "/a") == "/a")
        places.move("/a", from: "/a", to: "/b")
        #expect(places.identifier(of: "/a") == "/b" && places.name(of: "/b") == "/a")
        #expect(places.identifier(of: "/a/x") == "/b/x" && places.name(of: "/b/x") == "/a/x")
        #expect(places.identifier(of: "/ab") == "/ab" && places.name(of: "/bc") == "/bc")
        places.move("/a", from: "/b", to: "/c/d")
        #expect(places.identifier(of: "/a/x") == "/c/d/x" && places.name(of: "/b") == "/b")
    }

    @Test("a new item at a place that was left has another name")
    func newcomer() {
        var places = PathIdentifiers()
        places.move("/a", from: "/a", to: "/b")
        let newcomer = places.name(of: "/a")
        #expect(newcomer != "/a" && places.identifier(of: newcomer) == "/a")
        #expect(places.name(of: "/a") == newcomer, "the same each time")
        #expect(places.identifier(of: newcomer + "/y") == "/a/y")
    }

    @Test("an item that was moved within a folder follows when the folder is moved")
    func nested() {
        var places = PathIdentifiers()
        places.move("/f/x", from: "/f/x", to: "/f/y")
        places.move("/f", from: "/f", to: "/g")
        #expect(places.identifier(of: "/f/x") == "/g/y")
        #expect(places.name(of: "/g/y") == "/f/x")
        #expect(places.identifier(of: "/f/z") == "/g/z")
    }
}
