import DocentTestSupport
import Foundation
import Testing

/// A provider with endless folders: the listing fails clearly, and others are served meanwhile (HAZARDS 6 and 11, T4).
@Suite(.needs(.daemon, .server)) struct EndlessListingTests {
    struct Folder: Sendable, CustomTestStringConvertible {
        var name: String
        /// Whether its provider lists in place, so that the daemon stores nothing.
        var isInPlace: Bool
        var says: String
        var testDescription: String { "\(name)\(isInPlace ? ", in place" : "")" }
    }

    @Test(
        "HAZARDS 11: an endless listing fails with the folder and the limit, and a concurrent cat is answered",
        arguments: [
            Folder(
                name: "boundless", isInPlace: false, says: "more than 5000 items for the folder \"boundless\""),
            Folder(name: "same", isInPlace: false, says: "keeps returning the same items of the folder \"same\""),
            Folder(
                name: "endless", isInPlace: false,
                says: "returns page after page of the folder \"endless\" without ever finishing"),
            Folder(
                name: "boundless", isInPlace: true, says: "more than 5000 items for the folder \"/boundless\""),
            Folder(name: "endless", isInPlace: true, says: "returns one empty page after another"),
        ])
    func fails(_ folder: Folder) async throws {
        try await Installation.withLocalFolder(environment: ["DOCENT_LISTING_ITEMS": "5000"]) { installation in
            try installation.write("well", to: "well.txt")
            let workshop = PluginWorkshop(installation)
            try await workshop.install(defines: folder.isInPlace ? [:] : ["FEATURES": #""""#])
            async let listing = installation.docent("ls", "--verbose", workshop.location(folder.name))
            for _ in 0..<3 {
                let beside = try await installation.docent("cat", "LocalFolder:/well.txt").succeeded()
                #expect(beside.text == "well")
            }
            let outcome = try await listing
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.contains(folder.says), "\(outcome.errors)")
            #expect(outcome.errors.contains("code: ProviderFailed"), "\(outcome.errors)")
        }
    }

    /// With the real limits. A million items take a while, so those are for full runs.
    static let large =
        Sample.shared.of([
            Folder(name: "boundless", isInPlace: false, says: "more than 200000 items for the folder"),
            Folder(name: "fat", isInPlace: false, says: "more than 64 MiB of names"),
        ])
        + (Sample.shared.isWhole
            ? [Folder(name: "boundless", isInPlace: true, says: "more than 1000000 items for the folder")] : [])

    @Test("HAZARDS 11: with the real limits, an endless listing uses bounded memory, which is freed", arguments: large)
    func memory(_ folder: Folder) async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("well", to: "well.txt")
            let workshop = PluginWorkshop(installation)
            try await workshop.install(defines: folder.isInPlace ? [:] : ["FEATURES": #""""#])
            try await installation.docent("cat", "LocalFolder:/well.txt").succeeded()
            let daemon = try #require(installation.daemonProcess)
            let before = try ProcessMemory.resident(of: daemon)
            async let listing = installation.docent("ls", workshop.location(folder.name))
            for _ in 0..<10 { try await installation.docent("cat", "LocalFolder:/well.txt").succeeded() }
            let outcome = try await listing
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(folder.says), "\(outcome.errors)")
            let peaks = ProcessMemory.peaks(of: installation)
            let most = try #require(peaks.first { $0.process.hasSuffix(" \(daemon)") }).bytes
            #expect(most - before < 512 << 20, "\(most >> 20) MiB at most")
            try await installation.eventually("memory is freed", within: 60) {
                try ProcessMemory.resident(of: daemon) - before < 96 << 20
            }
            #expect(installation.daemonProcess == daemon)
        }
    }
}
