import Testing

@testable import MountedView

/// Which documents of the view count as temporary when they are removed.
@Suite struct NewDocumentsTests {
    @Test("a document is new for a minute after it was made, and only the first time that somebody asks")
    func ages() {
        let documents = NewDocuments()
        let start = ContinuousClock.now
        for node in UInt64(1)...3 { documents.note(node, at: start) }
        #expect(documents.take(1, at: start + .seconds(59)))
        #expect(!documents.take(1, at: start + .seconds(59)))
        #expect(!documents.take(2, at: start + .seconds(61)))
        #expect(!documents.take(4, at: start))
    }

    @Test("many new documents do not need unlimited memory: the surplus is not new")
    func bounded() {
        let documents = NewDocuments()
        let start = ContinuousClock.now
        for node in UInt64(1)...20_000 { documents.note(node, at: start) }
        #expect(documents.take(10_000, at: start))
        #expect(!documents.take(20_000, at: start))
        documents.note(30_000, at: start + .seconds(61))
        #expect(documents.take(30_000, at: start + .seconds(61)))
    }
}
