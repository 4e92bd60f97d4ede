import Rights
import Testing

@testable import ExtensionHosting

/// The items that providers watch for their host.
@Suite struct ObservedItemsTests {
    private let document = ItemKey(provider: "org.example.a", identifier: "a")
    private let other = ItemKey(provider: "org.example.a", identifier: "b")

    @Test("an item is watched from its first observer to its last")
    func counts() {
        let observed = ObservedItems()
        #expect(observed.add(document))
        #expect(!observed.add(document))
        #expect(observed.observes("org.example.a") && !observed.observes("org.example.b"))
        #expect(!observed.remove(document))
        #expect(observed.observes("org.example.a"))
        #expect(observed.remove(document))
        #expect(!observed.remove(document))
        #expect(!observed.observes("org.example.a"))
    }

    @Test("a provider that cannot watch is not asked, until it is restarted")
    func unable() {
        let observed = ObservedItems()
        _ = observed.add(document)
        _ = observed.add(other)
        observed.noteUnable("org.example.a")
        #expect(!observed.canWatch("org.example.a") && !observed.observes("org.example.a"))
        #expect(Set(observed.providerStarted("org.example.a")) == [document, other])
        #expect(observed.canWatch("org.example.a") && observed.observes("org.example.a"))
    }

    @Test("a restarted provider watches nothing until it has confirmed that again")
    func restarted() {
        let observed = ObservedItems()
        let elsewhere = ItemKey(provider: "org.example.b", identifier: "a")
        for item in [document, elsewhere] {
            _ = observed.add(item)
            observed.noteWatched(item, true)
        }
        #expect(observed.providerStarted("org.example.a") == [document])
        #expect(!observed.isWatched(document) && observed.isWatched(elsewhere))
        observed.noteWatched(document, true)
        #expect(observed.isWatched(document))
        #expect(observed.isObserved(document) && observed.remove(document) && !observed.isObserved(document))
    }
}
