import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// kill -9 of the daemon, and of the provider, at every step of a save of a package (W, law 6).
@Suite(.needs(.daemon, .server)) struct LocalPackageKillTests {
    private static let old = ["a.txt": "old a", "b/c.txt": "old c", "b/same.txt": "same"]
    private static let new = ["a.txt": "new a", "b/c.txt": "new c", "b/same.txt": "same", "d/e.txt": "new e"]
    private static let steps = [
        "linked", "committed", "renamed", "published", "recorded", "uploadRecorded", "uploaded",
    ]

    @Test(
        "W: after kill -9 of the daemon at each step a package is completely the old or the new one",
        arguments: Sample.shared.of(steps))
    func daemon(step: String) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_RESUME_SECONDS": "0"]) { installation in
            try installation.makePackage("p.rtfd", Self.old)
            try await installation.stopDaemon()
            let daemon = try await installation.readyDaemon(crashAfter: step)
            let client = installation.passiveClient()
            let package = try await installation.openPackage("p.rtfd", client: client)
            let session = try await package.begin()
            try await TestPackage.stage(["a.txt": "new a", "b/c.txt": "new c", "d/e.txt": "new e"], session)
            _ = try? await session.commit()
            try await installation.waitForEnd(of: daemon)
            #expect(daemon.terminationStatus == SIGKILL)
            #expect([Self.old, Self.new].contains(installation.package("p.rtfd")))
            client.close()

            for _ in 0..<2 {
                let next = try await installation.readyDaemon()
                let later = installation.passiveClient()
                if Installation.isCommitted(after: step) {
                    try await installation.eventually("the save is finished") {
                        try await later.outcome(of: session.operation).state == .finished
                    }
                    #expect(installation.package("p.rtfd") == Self.new)
                } else {
                    try await installation.eventually("the save is abandoned") {
                        try await later.outcome(of: session.operation).state == .failed
                    }
                    #expect(installation.package("p.rtfd") == Self.old)
                }
                try await installation.eventually("nothing is left: \(installation.leftovers)") {
                    installation.leftovers.isEmpty
                }
                #expect(installation.documentNames == ["p.rtfd"], "neither a partial package nor a false conflict")
                // The old package is a version exactly if the save was published.
                let kept = try await PackageHistoryTests.kept(installation.openPackage("p.rtfd", client: later))
                #expect(kept == (Installation.isCommitted(after: step) ? [Self.old] : []))
                later.close()
                try await installation.killDaemon(next)
            }
        }
    }

    @Test(
        "W: kill -9 of the provider during saves loses nothing and shows no partial package",
        .needs(.daemon, .server, within: .seconds(240)))
    func provider() async throws {
        try await Installation.withLocalFolder { installation in
            let names = (0..<200).map { "e\($0).txt" }
            func content(_ word: String) -> [String: String] {
                Dictionary(uniqueKeysWithValues: names.map { ($0, word) })
            }
            try installation.makePackage("p.rtfd", content("0"))
            let client = installation.client()
            let package = try await installation.openPackage("p.rtfd", client: client)
            var last = "0"
            for round in 1...6 {
                let killer = Task {
                    try await Task.sleep(for: .milliseconds(15 * round))
                    if let process = try await installation.extensionProcess() { kill(process, SIGKILL) }
                }
                let saved = try? await package.save(content("\(round)"))
                try await killer.value
                if saved != nil { last = "\(round)" }
                try await installation.docent("provider", "reset", "org.docent.LocalFolder").succeeded()
                try await installation.eventually("round \(round) is one or the other", within: 60) {
                    let texts = Set(installation.package("p.rtfd").values)
                    let isWhole = texts.count == 1 && installation.package("p.rtfd").count == names.count
                    return isWhole && (texts.contains(last) || texts.contains("\(round)"))
                        && installation.leftovers.isEmpty
                }
                last = installation.package("p.rtfd").values.first ?? last
            }
            #expect(installation.documentNames == ["p.rtfd"])
            client.close()
        }
    }
}
