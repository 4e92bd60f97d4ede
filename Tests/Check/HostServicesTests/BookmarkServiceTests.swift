import Access
import DaemonCore
import DocentInterfaces
import DocentTestSupport
import HostCore
import HostTesting
import Rights
import Testing

@testable import HostServices

/// Resolving the bookmarks of clients.
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct BookmarkServiceTests {
    @Test("G4: bookmarks of the first format version keep working for their client until the right ends")
    func firstVersion() async throws {
        try await TestHost.with { host in
            let key = TestProviderKind.inPlace.key(host.store(.inPlace).add("a.txt", "hello"))
            try await host.grant(key)
            try await host.grant(key, to: viewer)
            let bookmark = try await host.services.access.bookmarks.create(writer, key, .read)
            #expect(bookmark.hasPrefix("b1-"))
            try await host.restarted { next async throws in
                let bookmarks = next.services.documents.bookmarks
                let (session, other) = (next.session(), next.session(viewer))
                func refusal(_ session: Session) async -> FailureCode? {
                    let failure = await #expect(throws: Failure.self) {
                        _ = try await bookmarks.resolve(session, bookmark, relativeTo: nil)
                    }
                    return failure?.code
                }
                let resolved = try await bookmarks.resolve(session, bookmark, relativeTo: nil)
                #expect(resolved.access == .read && !resolved.isStale)
                #expect(resolved.item.name == "a.txt" && resolved.item.reference == key.reference)
                #expect(
                    try await bookmarks.values(session, bookmark).provider == TestProviderKind.inPlace.identifier)
                #expect(await refusal(other) == .notFound)
                #expect(try await next.services.grants.revoke(GrantFilter(principal: writer)).revoked == 1)
                #expect(await refusal(session) == .notFound)
            }
        }
    }
}
