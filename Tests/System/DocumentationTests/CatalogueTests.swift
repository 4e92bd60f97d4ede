import DocentTestSupport
import Foundation
import Testing

/// The SDKs' catalogues build without a warning: every link leads to an existing symbol or article.
@Suite(.needs(.programs)) struct CatalogueTests {
    /// The directory with the modules of these tests' build, or DOCENT_TEST_MODULES.
    private static var modules: String {
        ProcessInfo.processInfo.environment["DOCENT_TEST_MODULES"]
            ?? Installation.binaries + "/Modules"
    }

    @Test(
        "the documentation of each SDK can be built, and its first page lists every symbol in the right section",
        .needs(.programs, within: .seconds(300)),
        arguments: ["Documents", "FileProvider", "FileProviderValidation", "UniformTypes"])
    func converts(_ module: String) async throws {
        let files = FileManager.default
        let place = files.temporaryDirectory.appending(path: "docent-docs-\(UUID().uuidString)")
        try files.createDirectory(at: place, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: place) }
        let log = place.appending(path: "log")
        let status = try await Self.run(
            ["--output", place.path, "--modules", Self.modules, module], writingTo: log)
        let text = try String(contentsOf: log, encoding: .utf8)
        guard status == 0 else {
            Issue.record("Scripts/docs.sh ended with \(status):\n\(text)")
            return
        }
        let page = place.appending(path: "\(module)/data/documentation/\(module.lowercased()).json")
        let first = try JSONDecoder().decode(FirstPage.self, from: Data(contentsOf: page))
        #expect(first.topicSections.count > 1)
        for section in first.topicSections where section.generated == true {
            Issue.record("no topic of \(module).md has: \(section.identifiers.joined(separator: ", "))")
        }
    }

    /// The checked parts of a module's page. A generated section lists the symbols that the others omit.
    private struct FirstPage: Decodable {
        struct Section: Decodable {
            var identifiers: [String]
            var generated: Bool?
        }

        var topicSections: [Section]
    }

    private static func run(_ arguments: [String], writingTo place: URL) async throws -> Int32 {
        let script = Process()
        script.executableURL = DocumentationTree.root.appending(path: "Scripts/docs.sh")
        script.arguments = arguments
        guard FileManager.default.createFile(atPath: place.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let log = try FileHandle(forWritingTo: place)
        defer { try? log.close() }
        script.standardOutput = log
        script.standardError = log
        script.standardInput = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            script.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try script.run()
            } catch {
                script.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}
