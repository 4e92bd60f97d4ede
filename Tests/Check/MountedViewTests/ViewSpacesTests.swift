import Documents
import FileSystemMessages
import Synchronization
import Testing

@testable import MountedView

/// What `statfs` shows of an account.
@Suite(.timeLimit(.minutes(2))) struct ViewSpacesTests {
    private static let account = ViewAccount(provider: "p", domain: "", displayName: "Work")

    @Test(
        "the space is what can be stored and what there is; without a limit, or too little knowledge, there is none",
        arguments: [
            ((100, 40, 60), (100, 60)), ((nil, nil, 60), (60, 60)), ((100, 140, 0), (100, 0)),
            ((10, nil, 60), (60, 60)),
        ] as [((Int?, Int?, Int?), (UInt64, UInt64))])
    func known(given: (Int?, Int?, Int?), expected: (UInt64, UInt64)) {
        let usage = AccountUsage(totalBytes: given.0, usedBytes: given.1, availableBytes: given.2)
        #expect(ViewSpaces.statistics(usage) == FileSystemStatistics(total: expected.0, free: expected.1))
    }

    @Test(arguments: [(nil, nil, nil), (100, nil, nil), (nil, 5, nil), (1, 1, -1)] as [(Int?, Int?, Int?)])
    func unknown(given: (Int?, Int?, Int?)) {
        #expect(
            ViewSpaces.statistics(
                AccountUsage(totalBytes: given.0, usedBytes: given.1, availableBytes: given.2)) == nil)
    }

    @Test("nobody waits for the provider, it is asked once at a time, and what was known stays when it fails")
    func background() async throws {
        let (gate, opening) = AsyncStream.makeStream(of: AccountUsage?.self)
        let asked = Atomic(0)
        let spaces = ViewSpaces(validity: .zero) { _ in
            asked.wrappingAdd(1, ordering: .relaxed)
            for await answer in gate { return answer }
            return nil
        }
        for _ in 0..<5 { #expect(spaces.statistics(of: Self.account) == nil) }
        opening.yield(AccountUsage(totalBytes: 100, availableBytes: 60))
        while spaces.statistics(of: Self.account) == nil { await Task.yield() }
        opening.yield(nil)
        opening.finish()
        for _ in 0..<100 {
            #expect(spaces.statistics(of: Self.account) == FileSystemStatistics(total: 100, free: 60))
            await Task.yield()
        }
        #expect(asked.load(ordering: .relaxed) >= 2)
    }
}
