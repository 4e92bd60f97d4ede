import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Synchronization
import Testing
import Varlink

/// Links, FIFOs, files and folders in the places of folders of a container. The test puts them there from outside;
/// `SwappingProviderTests` does it from inside.
@Suite(.needs(.daemon, .server, .keyring)) struct ContainerSwapTests {
    private static let operations: [@Sendable (RemoteInstallation) async throws -> Outcome] = [
        { try await $0.docent("cat", $0.location("a.txt")) },
        { try await $0.docent("info", $0.location("b.txt")) },
        { try await $0.write("changed \(UUID())", "b.txt") },
        { try await $0.docent("evict", $0.location("a.txt")) },
        { try await $0.docent("refresh", $0.location("")) },
    ]

    @Test(
        "F3: a provider may replace a folder of its container by anything: nothing outside is touched, and the rest works",
        arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func swapped(_ kind: ContainerSwap.Kind) async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("remote \(name)", "\(name).txt") }
        } _: { remote in
            let canaries = try CanaryTree(in: remote.installation)
            #expect(try await remote.read("a.txt") == "remote a")
            let names = Self.namesOfCopies(remote)
            for place in try Self.places(remote) {
                let swap = ContainerSwap(place: place, kind: kind)
                try swap.make(canaries, names: names)
                for operation in Self.operations { _ = try await operation(remote) }
                try await remote.killDaemon()
                _ = try await remote.docent("cat", remote.location("a.txt"))
                #expect(try canaries.changes().isEmpty, "\(swap)")
                try swap.undo()
                try await Self.forgive(remote)
                try await remote.killDaemon()
                #expect(try await remote.read("a.txt") == "remote a", "\(swap)")
            }
            // A removal is the last opportunity to follow a link, and empties folders.
            for place in try Self.places(remote) {
                try ContainerSwap(place: place, kind: kind).make(canaries, names: names)
                _ = try await remote.docent("domains", "remove", "webdav@\(RemoteInstallation.domain)", "--yes")
                #expect(try canaries.changes().isEmpty, "removed with \(kind) at \(place)")
                try ContainerSwap(place: place, kind: kind).undo()
                try await Self.forgive(remote)
                if try await remote.domain() == nil { try await remote.addDomain().succeeded() }
            }
        }
    }

    @Test("F3: a logout follows no link into another folder", arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func signedOut(_ kind: ContainerSwap.Kind) async throws {
        try await RemoteInstallation.withKeyring { server in
            try await server.put("remote a", "a.txt")
        } _: { remote, _ in
            let canaries = try CanaryTree(in: remote.installation)
            for depth in 0..<3 {
                try await remote.login().succeeded()
                #expect(try await remote.read("a.txt") == "remote a")
                let swap = ContainerSwap(place: try Self.places(remote)[depth], kind: kind)
                try swap.make(canaries, names: Self.namesOfCopies(remote))
                _ = try await remote.logout()
                #expect(try canaries.changes().isEmpty, "\(swap)")
                try swap.undo()
                try await Self.forgive(remote)
                // Also where the logout could not be finished before.
                _ = try await remote.logout()
                #expect(remote.filesHere().isEmpty)
            }
        }
    }

    @Test(
        "F3: a provider that constantly swaps a folder for anything else and back leads nothing out of its container",
        arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func swappedMeanwhile(_ kind: ContainerSwap.Kind) async throws {
        try await RemoteInstallation.with { server in
            for name in ["a", "b"] { try await server.put("remote \(name)", "\(name).txt") }
        } _: { remote in
            let canaries = try CanaryTree(in: remote.installation)
            #expect(try await remote.read("a.txt") == "remote a")
            let storage = try #require(try Self.places(remote).first)
            // On the same file system, but not in the home.
            let decoy = ContainerSwap(place: remote.installation.root + "/decoy", kind: kind)
            try decoy.make(canaries, names: Self.namesOfCopies(remote))
            let swapping = Swapping(storage, decoy.place)
            defer { swapping.stop() }
            for _ in 0..<3 {
                for operation in Self.operations { _ = try await operation(remote) }
                try await remote.killDaemon()
            }
            swapping.stop()
            #expect(swapping.count > 100)
            #expect(try canaries.changes().isEmpty)
            try await Self.forgive(remote)
            #expect(try await remote.read("a.txt") == "remote a")
        }
    }

    @Test(
        "F3: disabling and uninstalling a provider touch nothing outside its container",
        arguments: Sample.shared.of(ContainerSwap.Kind.allCases))
    func uninstalled(_ kind: ContainerSwap.Kind) async throws {
        try await ProviderPackage.with { package in
            let installation = package.installation
            let bundle = try FaultyBundle.make(in: installation)
            let canaries = try CanaryTree(in: installation)
            try await installation.docent("provider", "install", "--enable", "--yes", bundle).succeeded()
            let client = installation.client()
            defer { client.close() }
            _ = try await client.call(
                AdministrationInterface.AddDomain.self,
                .init(
                    domain: .init(provider: "org.docent.Faulty", identifier: "box", displayName: "", settings: [:]),
                    unchecked: true))
            for place in ["File Provider Storage", "File Provider Storage/box"] {
                try await installation.docent("cat", "org.docent.Faulty@box:/Welcome.txt").succeeded()
                let groups = installation.data + "/Groups"
                let group = try #require(
                    try FileManager.default.contentsOfDirectory(atPath: groups).first { $0 != CanaryTree.otherGroup })
                let swap = ContainerSwap(place: "\(groups)/\(group)/\(place)", kind: kind)
                try swap.make(canaries, names: ["box", "tree", ".docent-items"])
                try await installation.docent("provider", "disable", "org.docent.Faulty").succeeded()
                #expect(try canaries.changes().isEmpty, "disabled: \(swap)")
                _ = try await installation.docent("provider", "enable", "org.docent.Faulty", "--yes")
                _ = try await installation.docent("cat", "org.docent.Faulty@box:/Welcome.txt")
                try await installation.docent("provider", "uninstall", "org.docent.Faulty", "--yes").succeeded()
                #expect(try canaries.changes().isEmpty, "uninstalled: \(swap)")
                try swap.undo()
                try await installation.docent("provider", "install", "--enable", "--yes", bundle).succeeded()
                try await installation.docent("provider", "reset", "org.docent.Faulty").succeeded()
            }
            try await installation.docent("cat", "org.docent.Faulty@box:/Welcome.txt").succeeded()
        }
    }

    // A provider that fails to start three times in a minute is quarantined.
    private static func forgive(_ remote: RemoteInstallation) async throws {
        try await remote.docent("provider", "reset", RemoteInstallation.provider).succeeded()
    }

    /// The folders of the container, outermost first, including the former one of copies.
    private static func places(_ remote: RemoteInstallation) throws -> [String] {
        let groups = remote.installation.data + "/Groups"
        let group = try #require(
            try FileManager.default.contentsOfDirectory(atPath: groups).first { $0 != CanaryTree.otherGroup })
        let storage = "\(groups)/\(group)/File Provider Storage"
        return [
            storage, "\(storage)/\(RemoteInstallation.domain)", "\(storage)/\(RemoteInstallation.domain)/.docent-items",
        ]
    }

    private static func namesOfCopies(_ remote: RemoteInstallation) -> [String] {
        let found = FileManager.default.enumerator(atPath: remote.installation.data)?.compactMap { $0 as? String } ?? []
        let folders = found.filter { $0.hasSuffix("/a.txt") }.compactMap { $0.split(separator: "/").dropLast().last }
        return folders.map(String.init) + [RemoteInstallation.domain, "_default", ".docent-items"]
    }
}

/// Exchanges two names as fast as possible, on its own thread.
private final class Swapping: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let exchanges = Atomic<Int>(0)
    private let ended = DispatchSemaphore(value: 0)

    var count: Int { exchanges.load(ordering: .relaxed) }

    init(_ one: String, _ other: String) {
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                guard rename(one, one + ".aside") == 0 else { continue }
                if rename(other, one) == 0 {
                    exchanges.add(1, ordering: .relaxed)
                    usleep(200)
                    _ = rename(one, other)
                }
                // The daemon may have created the folder again at this moment.
                if rename(one + ".aside", one) != 0 {
                    _ = rename(one, "\(one).made-\(UUID().uuidString.prefix(8))")
                    _ = rename(one + ".aside", one)
                }
                usleep(200)
            }
            ended.signal()
        }
    }

    func stop() {
        guard !isOver.exchange(true, ordering: .relaxed) else { return }
        ended.wait()
    }
}
