import Foundation

/// `docent provider validate` of the output of `docent provider init`: the in-memory provider, at the default level
/// unless another is named.
enum ValidateBenchmark {
    /// How a package in a language is built for debugging, and the path of its library.
    struct Language: Sendable {
        var name: String
        var build: [String]
        var bundle: String
    }

    static let languages = [
        Language(name: "swift", build: ["swift", "build"], bundle: ".build/debug"),
        Language(name: "c", build: ["make"], bundle: "build"),
        Language(name: "rust", build: ["cargo", "build", "--offline"], bundle: "target/debug"),
    ]

    static func run(_ settings: Settings, _ language: Language) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            // The tools' own variables: the location of a toolchain, and what it needs.
            let own = ProcessInfo.processInfo.environment
            guard (try? Program.run("/usr/bin/env", [language.build[0], "--version"], environment: own)) != nil else {
                throw Problem(
                    "the template in \(language.name) is not measured: there is no \(language.build[0]) on PATH")
            }
            return [try measure(language, installation, own)]
        }
    }

    private static func measure(
        _ language: Language, _ installation: Installation, _ own: [String: String]
    ) throws -> Finding {
        let package = "\(installation.root)/\(language.name)"
        try installation.docent("provider", "init", "Postbox", "--language", language.name, "--directory", package)
        try Program.run(
            "/usr/bin/env", ["-C", package] + language.build, environment: own, output: package + ".log")
        let times = try (0..<3).map { _ in
            try installation.docent(
                "provider", "validate", "--level", "5", "--seed", "1", "\(package)/\(language.bundle)")
        }
        return Finding(
            what: "docent provider validate --level 5, in-memory template in \(language.name)", value: times.median,
            unit: "s", goal: 60, parts: [.init(name: "slowest", value: times.max() ?? 0, unit: "s")])
    }
}
