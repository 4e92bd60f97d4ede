import DocentInterfaces
import DocentTestSupport
import Documents
import Faulty
import Foundation
import Testing
import Varlink

/// Repeated faults leave nothing in the daemon.
@Suite(.needs(.daemon, .server)) struct FaultyGrowthTests {
    private static let provider = "org.example.Fault"

    /// A look for changes would start the provider's process again, whose connections would be counted.
    private static let quiet = ["DOCENT_POLL_SECONDS": "0"]

    private struct Figures {
        var descriptors: Int
        var residentBytes: Int

        init(_ providers: FaultyProviders) throws {
            let daemon = try #require(providers.installation.daemonProcess)
            descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon)/fd").count
            let status = try #require(providers.installation.read("/proc/\(daemon)/status"))
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            residentBytes = (line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0) << 10
        }
    }

    /// Each connection to a provider has a socket, an event and a process descriptor at both ends. Connections that
    /// concurrent calls needed are kept, but at most eight.
    private static let connections = 3 * 8

    /// Runs the rounds and compares; some run first, so that one-time resources exist.
    ///
    /// - Parameter allowing: the number of descriptors that may remain in addition.
    private static func requireNoGrowth(
        _ providers: FaultyProviders, rounds: Int, allowing more: Int, _ round: (Int) async throws -> Void
    ) async throws {
        for number in 0..<rounds { try await round(number) }
        let before = try Figures(providers)
        for number in rounds..<(4 * rounds) { try await round(number) }
        // Descriptors that are just being closed will be closed soon.
        try await providers.installation.eventually("descriptors are given back, \(before)") {
            try Figures(providers).descriptors <= before.descriptors + more
        }
        let after = try Figures(providers)
        #expect(after.residentBytes - before.residentBytes < 24 << 20, "\(before) \(after)")
    }

    @Test(
        "law 3: processes that die repeatedly leave nothing in the daemon, and the next one works like the first"
    )
    func crashes() async throws {
        try await FaultyProviders.with([Self.provider: .full], environment: Self.quiet) { providers in
            try await providers.addDomain(Self.provider, faults: "fetch.crash:Report.bin;children.exit:Old")
            let tour = FaultyTour(providers: providers, provider: Self.provider)
            try await Self.requireNoGrowth(providers, rounds: 3, allowing: 2) { number in
                let failure = await #expect(throws: DocumentsError.self) {
                    if number % 2 == 0 {
                        _ = try await tour.read(FaultyTour.reportPath)
                    } else {
                        _ = try await tour.names(in: "/Reports/Old")
                    }
                }
                #expect(
                    failure.map { [.unavailable, .providerFailed].contains($0.code) } == true,
                    "\(String(describing: failure))")
                _ = try await providers.client.call(
                    AdministrationInterface.ResetProvider.self, .init(provider: Self.provider))
                #expect(try await tour.read("/Welcome.txt") == Data("Nothing here is what it seems.\n".utf8))
                // Without a process there are no connections, so a leaked one would be noticed.
                _ = try await providers.client.call(
                    AdministrationInterface.ResetProvider.self, .init(provider: Self.provider))
            }
        }
    }

    @Test(
        "law 3: calls that fail repeatedly leave nothing in the daemon or the provider's process")
    func errors() async throws {
        try await FaultyProviders.with([Self.provider: .full], environment: Self.quiet) { providers in
            try await providers.addDomain(
                Self.provider, faults: "fetch.error=NotPermitted;children.error:Old;move.error=Failed")
            let tour = FaultyTour(providers: providers, provider: Self.provider)
            var inside: [Int] = []
            try await Self.requireNoGrowth(providers, rounds: 25, allowing: Self.connections + 2) { number in
                // Another document each time, so that resources kept per document would be noticed.
                let letter = "/Many/Letter \(number + 1).txt"
                await #expect(throws: DocumentsError.self) { _ = try await tour.read(letter) }
                await #expect(throws: DocumentsError.self) { _ = try await tour.names(in: "/Reports/Old") }
                await #expect(throws: DocumentsError.self) {
                    _ = try await providers.client.call(
                        PickerInterface.MoveItem.self,
                        .init(
                            location: providers.wire(Self.provider, letter), name: "other.txt",
                            operation: UUID().uuidString))
                }
                let process = try #require(try await providers.processes(Self.provider).first)
                inside.append(try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count)
            }
            // Some belong to running calls.
            let before = inside.dropFirst(24).prefix(25).max() ?? 0
            #expect((inside.suffix(25).min() ?? 0) <= before + Self.connections + 2, "\(inside)")
        }
    }
}
