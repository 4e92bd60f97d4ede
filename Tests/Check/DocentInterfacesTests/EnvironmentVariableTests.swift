import DocentInterfaces
import DocentTestSupport
import Foundation
import Testing

/// The single list of environment variables, from which docs/environment.md is generated.
@Suite struct EnvironmentVariableTests {
    private static let list = "Sources/DocentInterfaces/EnvironmentVariable.swift"
    private static let prefix = "DOCENT_"

    /// Docent's names that a file mentions: in quotation marks in Swift and C, anywhere in a script.
    private static func names(in path: String) throws -> Set<String> {
        let isScript = !["swift", "c", "h"].contains((path as NSString).pathExtension)
        guard let text = try? String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8) else { return [] }
        let parts = text.components(separatedBy: isScript ? prefix : "\"\(prefix)").dropFirst()
        return Set(
            parts.map { part in
                prefix + String(decoding: part.utf8.prefix { (0x41...0x5A).contains($0) || $0 == 0x5F }, as: UTF8.self)
            })
    }

    /// Every file of programs, plugins, scripts and test support.
    private static func files() throws -> [String] {
        let folders = [
            "Sources", "Plugins", "Scripts", "packaging", "Benchmarks/Sources", "Fuzzing", "Tests/Servers",
            "Tests/DocentTestSupport", "Tests/Programs", "Tests/Check/FuzzTests", "Tests/System/DocumentationTests",
            "Tests/Full",
        ]
        var files: [String] = ["Makefile"]
        for folder in folders {
            let found = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.root)/\(folder)")
            let kept = found.filter { path in
                !path.hasSuffix(".md") && !path.contains("__pycache__") && !path.contains(".build")
            }
            files += kept.map { "\(folder)/\($0)" }
        }
        return files.filter { $0 != list }
    }

    @Test("the list and the sources, plugins and scripts name the same variables")
    func declared() throws {
        let declared = Set(EnvironmentVariable.all.flatMap(\.names))
        var read: Set<String> = []
        for file in try Self.files() {
            let names = try Self.names(in: file)
            read.formUnion(names)
            for name in names where !declared.contains(name) {
                // A prefix of several names.
                let isPrefix = name.hasSuffix("_") && declared.contains { $0.hasPrefix(name) }
                #expect(isPrefix, "\(file) reads \(name), which \(Self.list) does not declare")
            }
        }
        #expect(read.count > 40, "the sources were not found")
        let ours = declared.filter { $0.hasPrefix(Self.prefix) && !$0.hasPrefix("DOCENT_SERVICE_SETTING_") }
        #expect(ours.subtracting(read).isEmpty, "nothing reads these")
    }

    @Test("no variable is declared twice, and each has a description")
    func unambiguous() {
        let names = EnvironmentVariable.all.flatMap(\.names)
        #expect(names.count == Set(names).count)
        for variable in EnvironmentVariable.all {
            #expect(!variable.names.isEmpty && !variable.meaning.isEmpty)
            // A cell of a table.
            #expect(
                !(variable.meaning + variable.otherwise).contains { $0 == "|" || $0.isNewline }, "\(variable.names)")
        }
        #expect(Set(EnvironmentVariable.all.map(\.audience)).count == EnvironmentVariable.Audience.allCases.count)
    }
}
