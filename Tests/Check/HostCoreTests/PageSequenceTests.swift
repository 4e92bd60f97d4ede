import DocentInterfaces
import Testing

@testable import HostCore

/// Pages of a folder from a provider whose listing does not end (complaint 15, HAZARDS 6, 11 and 12).
@Suite struct PageSequenceTests {
    private func code(_ body: () throws -> Void) -> FailureCode? {
        do {
            try body()
            return nil
        } catch { return (error as? Failure)?.code }
    }

    @Test("complaint 15: a listing ends with the first page without a token")
    func ends() throws {
        var pages = PageSequence(provider: "p", folder: "f")
        #expect(try pages.next("a", items: 3) == "a")
        #expect(try pages.next("b", items: 0) == "b")
        #expect(try pages.next(nil, items: 2) == nil)
    }

    @Test("complaint 15: repeated tokens and overlong tokens end the listing with an error")
    func leadNowhere() {
        for next in ["a", "b", String(repeating: "x", count: 501)] {
            var pages = PageSequence(provider: "p", folder: "f")
            let failure = code {
                for token in ["a", "b", next] { _ = try pages.next(token, items: 1) }
            }
            #expect(failure == .providerFailed, "\(next.prefix(10))")
        }
    }

    @Test("complaint 15: a thousand empty pages with new tokens end with an error; one fewer do not")
    func empty() {
        var pages = PageSequence(provider: "p", folder: "f")
        var came = 0
        func ask(_ items: Int) throws {
            _ = try pages.next("\(came)", items: items)
            came += 1
        }
        #expect(code { for _ in 1..<PageSequence.Limits().emptyPages { try ask(0) } } == nil)
        #expect(code { try ask(1) } == nil, "one item, and it continues")
        let failure = code { for _ in 0..<10 * PageSequence.Limits().emptyPages { try ask(0) } }
        #expect(failure == .providerFailed)
        #expect(came < 3 * PageSequence.Limits().emptyPages)
    }

    @Test("complaint 15: endless pages end with an error, whether each has one item or very many")
    func endless() {
        for items in [1, 5_000] {
            var pages = PageSequence(provider: "p", folder: "f")
            var came = 0
            let failure = code {
                while came < 2 * PageSequence.Limits().pages {
                    _ = try pages.next("\(came)", items: items)
                    came += 1
                }
            }
            #expect(failure == .providerFailed)
            #expect(came * items <= PageSequence.mostItems)
        }
    }

    @Test("law 5: slow pages without items end with an error; slow ones with items do not")
    func slow() {
        let begin = ContinuousClock.now
        for items in [0, 1] {
            var pages = PageSequence(provider: "p", folder: "f", at: begin)
            let failure = code {
                for minute in 1...30 {
                    _ = try pages.next("\(minute)", items: items, at: begin + .seconds(60 * minute))
                }
            }
            #expect(failure == (items == 0 ? .providerFailed : nil))
        }
    }

    @Test("HAZARDS 11: 200,000 items are the limit; the error names the folder and the limit")
    func many() {
        var pages = PageSequence(provider: "p", folder: "Pictures")
        #expect(code { for page in 0..<200 { _ = try pages.next("\(page)", items: 1_000) } } == nil)
        let failure = failure { _ = try pages.next(nil, items: 1) }
        #expect(failure?.code == .providerFailed)
        #expect(failure?.message == "p returned more than 200000 items for the folder \"Pictures\".")
    }

    @Test("HAZARDS 11: the texts have a common limit, however few the items are")
    func fat() {
        var pages = PageSequence(provider: "p", folder: "f")
        var came = 0
        let failure = failure {
            while came < 1_000 {
                _ = try pages.next("\(came)", items: 100, bytes: 1 << 20)
                came += 1
            }
        }
        #expect(failure?.message.contains("64 MiB") == true && came == 64)
    }

    @Test("HAZARDS 11: a page that repeats some items is no fault; pages that only repeat items are")
    func repeated() {
        var moving = PageSequence(provider: "p", folder: "f")
        #expect(code { for page in 0..<100 { _ = try moving.next("\(page)", items: 100, repeated: 30) } } == nil)
        for size in [1, 500] {
            var pages = PageSequence(provider: "p", folder: "f")
            var came = 0
            let failure = failure {
                while came < 10_000 {
                    _ = try pages.next("\(came)", items: size, repeated: came == 0 ? 0 : size)
                    came += 1
                }
            }
            #expect(failure?.code == .providerFailed && came * size < 3_000, "\(size): \(came)")
        }
    }

    private func failure(_ body: () throws -> Void) -> Failure? {
        do {
            try body()
            return nil
        } catch { return error as? Failure }
    }
}
