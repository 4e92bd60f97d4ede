import Foundation
import Glibc
import Rights

/// Measures, in the daemon's module, the cost of checking a right and of an audit entry, on a copy of a database.
///
/// `rights-benchmark DIRECTORY` writes a JSON object. The directory has an otherwise unused `docent.sqlite`, with
/// rights of the clients `org.example.client0` and so on to the items `item0` and so on of `org.docent.Bench`.
@main
struct RightsBenchmark {
    private struct Result: Encodable {
        var grants: Int
        var loadSeconds: Double
        var checkMicroseconds: Double
        var refusalMicroseconds: Double
        var folderMicroseconds: Double
        var pageMilliseconds: Double
        var noteMicroseconds: Double
    }

    static func main() async throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: rights-benchmark DIRECTORY\n".utf8))
            exit(64)
        }
        let database = try HostDatabase(directory: CommandLine.arguments[1])
        let start = now(CLOCK_MONOTONIC)
        let store = try await GrantStore(database: database)
        let load = now(CLOCK_MONOTONIC) - start
        let result = Result(
            grants: store.count, loadSeconds: load,
            checkMicroseconds: checks { store.check(client($0), item($0 / 7), .read) != nil },
            refusalMicroseconds: checks(expected: false) {
                store.check(client($0), item(-1 - $0 % 1000), .read) != nil
            },
            folderMicroseconds: checks { number in
                let place = RightDecision.Place(
                    item: item(-1 - number % 1000), name: "a", folders: (0..<5).map { item(-2000 - $0) } + [item(0)])
                return store.ground(client(number), place, .read) != nil
            },
            pageMilliseconds: try await page(store) * 1e3, noteMicroseconds: try await notes(database) * 1e6)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        print(String(decoding: try encoder.encode(result), as: UTF8.self))
    }

    /// Microseconds per check, including the construction of the client's and the item's names.
    private static func checks(expected: Bool = true, _ check: (Int) -> Bool) -> Double {
        let count = 200_000
        var hits = 0
        let start = now(CLOCK_MONOTONIC)
        for number in 0..<count where check(number) { hits += 1 }
        let seconds = now(CLOCK_MONOTONIC) - start
        guard hits == (expected ? count : 0) else {
            FileHandle.standardError.write(Data("\(hits) of \(count) checks found a right\n".utf8))
            exit(1)
        }
        return seconds / Double(count) * 1e6
    }

    private static func page(_ store: GrantStore) async throws -> Double {
        let start = now(CLOCK_MONOTONIC)
        for _ in 0..<20 { _ = try await store.page(GrantFilter(), limit: 100) }
        return (now(CLOCK_MONOTONIC) - start) / 20
    }

    /// Processor seconds per logged open, including the write of the counts every second.
    private static func notes(_ database: HostDatabase) async throws -> Double {
        let audit = AuditLog(database: database)
        let run = Task { await audit.run() }
        let clients = (0..<10).map(client)
        let items = (0..<1000).map(item)
        let (start, end) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC) + 4)
        var count = 0
        while now(CLOCK_MONOTONIC) < end {
            for item in items { audit.noteOpened(clients[count % 10], item, .read, grant: 1, process: 1) }
            count += 1
        }
        run.cancel()
        await run.value
        return (now(CLOCK_PROCESS_CPUTIME_ID) - start) / Double(count * items.count)
    }

    private static func client(_ number: Int) -> Principal {
        Principal(kind: .unconfined, identifier: "org.example.client\(number % 1000)")
    }

    private static func item(_ number: Int) -> ItemKey {
        ItemKey(provider: "org.docent.Bench", identifier: "item\(number < 0 ? number : number % 1000)")
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
