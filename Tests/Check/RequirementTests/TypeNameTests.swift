import Foundation
import Testing

/// Each type name has one meaning: no type is declared in two modules.
struct TypeNameTests {
    /// Names that two modules may both declare, each with the reason.
    private static let exceptions = [
        "FileAccessIntent": mirrored,
        "FileCoordinator": mirrored,
        "PackageElement": mirrored,
    ]
    private static let mirrored =
        "Both SDKs offer it under the name that authors know from iOS: Documents to clients, FileProvider to providers. "
        + "No program uses both."

    @Test("no type name is declared in two modules, apart from exceptions that still exist")
    func unique() throws {
        var modules: [String: Set<String>] = [:]
        for path in try Tree.files(below: ["Sources", "Plugins"], endings: [".swift"]) {
            let module = String(path.split(separator: "/")[1])
            for name in Self.names(in: String(decoding: try Tree.data(path), as: UTF8.self)) {
                modules[name, default: []].insert(module)
            }
        }
        #expect(modules.count > 1_000)
        let shared = modules.filter { $0.value.count > 1 }
        for (name, modules) in shared where Self.exceptions[name] == nil {
            Issue.record(
                "\(name) is declared in \(modules.sorted().joined(separator: " and ")): where both mean the same, keep one below both; else rename one"
            )
        }
        for name in Self.exceptions.keys where shared[name] == nil {
            Issue.record("\(name) is now declared in one module only: remove the exception")
        }
    }

    @Test("top-level declarations of a file are found, and nothing that only looks like one")
    func scanning() {
        let source = #"""
            import Glibc
            package struct First: Sendable {
                struct Inside {}
            }
            @MainActor public final class Second<Element> {}
            private enum Third {}
            extension Fourth {}
            let text = """
            struct Fifth {}
            """
            /// struct Sixth
            typealias Seventh = First
            indirect enum `Eighth` { case one }
            nonisolated struct Ninth: ~Copyable {}
            class func tenth() {}
            """#
        #expect(Self.names(in: source) == ["First", "Second", "Third", "Seventh", "Eighth", "Ninth"])
    }

    private static let kinds: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "typealias"]

    /// The top-level types of a source file.
    private static func names(in source: String) -> [String] {
        var names: [String] = []
        var isInLiteral = false
        for line in source.split(separator: "\n") {
            let quotes = line.ranges(of: "\"\"\"").count
            defer { if quotes % 2 == 1 { isInLiteral.toggle() } }
            // Nested declarations are indented.
            guard !isInLiteral, let first = line.first, first.isLetter || first == "@" else { continue }
            let words = line.split(separator: " ")
            guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count,
                words[..<kind].allSatisfy({ isModifier($0) })
            else { continue }
            let name = words[kind + 1].drop { $0 == "`" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if name != "func" { names.append(String(name)) }
        }
        return names
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.first == "@"
            || ["package", "public", "private", "fileprivate", "internal", "open", "final", "indirect", "nonisolated"]
                .contains(word)
    }
}
