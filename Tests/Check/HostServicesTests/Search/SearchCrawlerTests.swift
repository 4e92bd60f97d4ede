import DaemonCore
import DocentInterfaces
import DocentTestSupport
import FileProvider
import Foundation
import HostCore
import HostTesting
import Records
import Rights
import Testing

@testable import HostServices

/// The folders of accounts are listed in the background (K14), and the index can be lost (K15).
@Suite(.mayBlock, .timeLimit(.minutes(5))) struct SearchCrawlerTests {
    private static let remote = SearchAccount.Identity(TestProviderKind.remote.root)

    @Test("K14: before anybody searches, nothing is listed and there is no index; a day later all is listed again")
    func begins() async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            host.store(.remote).add("plan.txt", in: host.store(.remote).addFolder("sub"))
            #expect(try await !world.search.status().exists)
            #expect(host.store(.remote).calls(.children).isEmpty)
            #expect(try await world.findInAll("plan").names == ["plan.txt"])
            let first = host.store(.remote).calls(.children).count
            #expect(first == 2)
            _ = try await world.find("plan")
            #expect(host.store(.remote).calls(.children).count == first)
            // A round that is just ending would take the day for the time of its last listing.
            try await TransferSupport.eventually { await world.search.crawler.current.isEmpty }
            host.clock.advance(by: .seconds(SearchCrawler.validSeconds + 1))
            _ = try await world.findInAll("plan")
            try await TransferSupport.eventually {
                _ = try await world.find("plan")
                return host.store(.remote).calls(.children).count == 2 * first
            }
        }
    }

    @Test(
        "K14: the default account of a provider that nobody has set up is not missed; later it is found",
        arguments: [FileProviderError.Code.notAuthenticated, .invalidArgument])
    func unset(_ code: FileProviderError.Code) async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            host.store(.remote).add("plan.txt")
            host.store(.remote).fail(.children, code, times: 1)
            try await world.search.crawler.start(Self.remote)
            try await TransferSupport.eventually { await !world.search.crawler.current.contains(Self.remote) }
            #expect(host.store(.remote).calls(.children).count == 1)
            #expect(try await world.find("plan").gap(.remote) == [])
            let listed = try await world.search.status().accounts.map(\.provider)
            #expect(!listed.contains(TestProviderKind.remote.identifier))
            #expect(host.store(.remote).calls(.children).count == 1)
            // Signing in would end this obstacle.
            guard code != .notAuthenticated else { return }
            host.clock.advance(by: .seconds(SearchCrawler.failedSeconds + 1))
            #expect(try await world.findInAll("plan").names == ["plan.txt"])
        }
    }

    @Test("K14: after failures the pauses become longer, then the account is given up, and the answer says why")
    func fails() async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            host.store(.remote).fail(.children, .failed, times: 100)
            try await world.search.crawler.start(Self.remote)
            var pauses: [Duration] = []
            for _ in 1..<SearchCrawler.Limits().failures {
                pauses.append(await host.clock.pass("SearchCrawler", within: .seconds(700)))
            }
            #expect(pauses == pauses.sorted() && pauses.first == .seconds(5) && pauses.last == .seconds(80))
            try await TransferSupport.eventually { await !world.search.crawler.current.contains(Self.remote) }
            let answer = try await world.find("plan")
            #expect(answer.gap(.remote) == ["failed"])
            host.store(.remote).clearRules()
            host.store(.remote).add("plan.txt")
            host.clock.advance(by: .seconds(SearchCrawler.failedSeconds + 1))
            #expect(try await world.findInAll("plan").names == ["plan.txt"])
        }
    }

    @Test("K14: a folder that cannot be listed is left out, and counted; the others are listed")
    func leavesOut() async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            let (bad, good) = (host.store(.inPlace).addFolder("bad"), host.store(.inPlace).addFolder("good"))
            host.store(.inPlace).add("plan bad.txt", in: bad)
            host.store(.inPlace).add("plan good.txt", in: good)
            host.store(.inPlace).before(.children, times: 1000) { call in
                if call.subject == bad { throw FileProviderError(.notPermitted, "The test says so.") }
            }
            try await TransferSupport.eventually {
                let answer = try await world.find("plan")
                return answer.names == ["plan good.txt"] && answer.gap(.inPlace) == ["failed"]
            }
            let account = try await world.search.status().accounts.first {
                $0.provider == TestProviderKind.inPlace.identifier
            }
            #expect(account?.failures == 1 && account?.state == "done" && account?.listedFolders == 3)
        }
    }

    @Test("K14: the next daemon goes on where an earlier one was")
    func resumes() async throws {
        try await TestHost.with { host in
            let folders = (0..<4).map { host.store(.inPlace).addFolder("folder \($0)") }
            for folder in folders { host.store(.inPlace).add("plan \(folder).txt", in: folder) }
            let world = SearchWorld(host: host)
            let account = SearchAccount.Identity(TestProviderKind.inPlace.root)
            try await world.search.crawler.start(account)
            // The top folder and two others.
            for _ in 0..<2 { await host.clock.pass("SearchCrawler") }
            await host.clock.sleeper("SearchCrawler")
            let before = host.store(.inPlace).calls(.children).map(\.subject)
            #expect(before.count == 3)
            try await host.restarted { host in
                let world = SearchWorld(host: host)
                await world.search.crawler.resume()
                let answer = try await world.findInAll("plan")
                #expect(answer.names.count == 4)
                let after = host.store(.inPlace).calls(.children).map(\.subject).dropFirst(before.count)
                #expect(Set(after).isDisjoint(with: before) && after.count == 2, "\(Array(after))")
            }
        }
    }

    @Test("K14: a paused account is not listed, and goes on when it is started")
    func pauses() async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            host.store(.remote).add("plan.txt")
            #expect(
                try await world.search.change("pause", provider: TestProviderKind.remote.identifier, domain: "") == 1)
            let answer = try await world.find("plan")
            #expect(answer.names.isEmpty && answer.gap(.remote) == ["paused"])
            _ = try await world.search.change("start", provider: TestProviderKind.remote.identifier, domain: nil)
            try await TransferSupport.eventually { try await world.find("plan").names == ["plan.txt"] }
            for (action, provider) in [("explode", nil), ("start", "org.example.none")] as [(String, String?)] {
                await #expect(throws: Failure.self) {
                    _ = try await world.search.change(action, provider: provider, domain: nil)
                }
            }
        }
    }

    @Test("K14: on battery power nothing is listed, unless the user asks for it")
    func battery() throws {
        let folder = NSTemporaryDirectory() + "docent-power-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func supply(_ name: String, _ files: [String: String]) throws {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (file, text) in files { try Data((text + "\n").utf8).write(to: URL(filePath: path + "/" + file)) }
        }
        #expect(!PowerState(supplies: folder).isOnBattery)
        try supply("mouse", ["type": "Battery", "status": "Discharging", "scope": "Device"])
        #expect(!PowerState(supplies: folder).isOnBattery)
        try supply("BAT0", ["type": "Battery", "status": "Discharging"])
        #expect(PowerState(supplies: folder).isOnBattery)
        try supply("AC", ["type": "Mains", "online": "1"])
        #expect(!PowerState(supplies: folder).isOnBattery)
        try supply("AC", ["online": "0"])
        #expect(PowerState(supplies: folder).isOnBattery)
    }

    @Test("K15: the index can be made again, and a damaged one is; nothing else is affected")
    func damaged() async throws {
        try await TestHost.with { host in
            let world = SearchWorld(host: host)
            host.store(.remote).add("plan.txt")
            #expect(try await world.findInAll("plan").names == ["plan.txt"])
            _ = try await world.search.change("rebuild", provider: nil, domain: nil)
            try await TransferSupport.eventually { try await world.find("plan").names == ["plan.txt"] }
            let path = host.root + "/data/" + SearchIndex.fileName
            try await host.restarted { host in
                // The next daemon has not opened it yet.
                try Data(repeating: 0x21, count: 100_000).write(to: URL(filePath: path))
                let world = SearchWorld(host: host)
                #expect(try await world.findInAll("plan").names == ["plan.txt"])
                #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
            }
        }
    }
}
