import Foundation
import HostServices
import Testing

@Suite struct CountingEntriesTests {
    private let minute = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("an entry is handed over once, after its minute, with its count")
    func once() {
        var entries = CountingEntries(limit: 10)
        entries.note(1, count: 3, first: minute + 59, at: minute + 59)
        entries.note(2, count: 1, first: minute, at: minute + 1)
        #expect(entries.takeOver(at: minute + 60) == [:])
        #expect(entries.takeOver(at: minute + 62) == [1: 3, 2: 1])
        #expect(entries.takeOver(at: minute + 180) == [:])
    }

    @Test("an entry that arrives after its minute is not handed over")
    func over() {
        var entries = CountingEntries(limit: 10)
        entries.note(1, count: 3, first: minute, at: minute + 300)
        #expect(entries.takeOver(at: minute + 600) == [:])
    }
}
