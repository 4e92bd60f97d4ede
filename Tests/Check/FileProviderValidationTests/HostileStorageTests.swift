import DocentInterfaces
import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import FileProviderValidation

/// A provider that puts something else in the place of its files and folders: the validator neither hangs, nor reads or
/// creates anything outside.
@Suite(.mayBlock) struct HostileStorageTests {
    /// Runs a provider in a folder below the directory of the case, as the extension host does.
    private struct NestedTransport: ValidationTransport {
        var name: String { "nested" }
        var abilities: TransportAbilities { WireTransport.inProcess.abilities }

        func start(_ subject: ProviderSubject, in directory: String) async throws -> any ProviderInstance {
            let storage = directory + "/container/storage"
            try FileManager.default.createDirectory(atPath: storage, withIntermediateDirectories: true)
            return try await WireTransport.inProcess.start(subject, in: storage)
        }
    }

    /// A change of a provider's own folders.
    enum Swap: Sendable, CaseIterable {
        case storage, container, domain

        /// Puts a link in the place of a folder.
        func perform(in directory: String, target: String) throws {
            let storage = directory + "/container/storage"
            switch self {
            case .storage: try Self.replace(storage, target)
            case .container: try Self.replace(directory + "/container", target)
            case .domain:
                try FileManager.default.createSymbolicLink(atPath: storage + "/other", withDestinationPath: target)
            }
        }

        private static func replace(_ folder: String, _ target: String) throws {
            try FileManager.default.moveItem(atPath: folder, toPath: folder + ".moved")
            try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: target)
        }
    }

    @Test("the storage of a domain is never created through a link of the provider", arguments: Swap.allCases)
    func domains(_ swap: Swap) async throws {
        let place = try ScratchPlace()
        defer { place.remove() }
        let outside = place.scratch + "/outside"
        try FileManager.default.createDirectory(atPath: outside + "/storage", withIntermediateDirectories: true)
        let testCase = try #require(ValidationCase.all.first { $0.name == "lifecycle.domains" })
        let subject = ProviderSubject(
            identifier: "org.example.Shelf", principalClass: String(reflecting: ShelfProvider.self),
            displayName: "Shelf")
        let context = CaseContext(
            testCase, ValidationOptions(), subject, NestedTransport(), service: nil, scratch: place.scratch,
            directory: place.provider
        ) { _ in }
        try await context.start()
        #expect(try context.introduction(domains: ["", "second"]).domains.count == 2)
        #expect(access(place.provider + "/container/storage/second", F_OK) == 0)
        try swap.perform(in: place.provider, target: outside)
        let problem = #expect(throws: CallProblem.self) { try context.introduction(domains: ["", "other"]) }
        #expect(problem?.got.contains("place") == true, "\(String(describing: problem))")
        #expect(try FileManager.default.subpathsOfDirectory(atPath: outside) == ["storage"])
        await context.stop()
    }

    @Test(
        "a file that was provided is read only where it belongs, and only if it is a regular file",
        arguments: [
            ("none", nil), ("pipe", "no regular file"), ("folder", "no regular file"), ("link", "no regular file"),
            ("folder link", "no regular file"), ("hole", "a file of 67108864 bytes"),
        ] as [(String, String?)])
    func provided(_ swap: String, says: String?) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        // What a link leads to looks like the document.
        try Data(repeating: 7, count: SwappingShelf.size).write(to: URL(filePath: folder.path + "/classic.bin"))
        let target = swap == "link" ? folder.path + "/classic.bin" : folder.path
        let testCase = try #require(ValidationCase.all.first { $0.name == "classic.provide" })
        let subject = ProviderSubject(
            identifier: "org.example.Swapping", principalClass: String(reflecting: SwappingShelf.self),
            displayName: "Swapping", settings: ["swap": swap, "target": target])
        let result = await CaseExecution(ValidationOptions(), subject, WireTransport.inProcess).run(testCase)
        #expect(result.outcome == (says == nil ? .passed : .failed), "\(result)")
        if let says { #expect(result.findings.contains { $0.got.contains(says) }, "\(result.findings)") }
    }

    @Test("the directories of a case are removed, whatever the provider did to their permissions")
    func removed() throws {
        let place = try ScratchPlace()
        let closed = place.provider + "/closed"
        try FileManager.default.createDirectory(atPath: closed + "/inner", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: closed + "/inner/file"))
        #expect(chmod(closed + "/inner", 0) == 0 && chmod(closed, 0) == 0)
        place.remove()
        #expect(access(place.provider, F_OK) != 0)
    }
}
