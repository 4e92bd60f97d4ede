import DocentTestSupport
import Foundation
import Testing

/// A package created by `docent provider init` from a template in a language other than Swift, in its own installation.
struct TemplatePackage {
    enum Language: String, CaseIterable, CustomTestStringConvertible {
        case c
        case rust

        var testDescription: String { rawValue }
    }

    static let provider = "org.example.Postbox"

    let language: Language
    let installation: Installation

    var path: String { installation.root + "/Postbox" }
    var library: String { path + (language == .c ? "/build" : "/target/debug") + "/libPostbox.so" }
    /// Where the template keeps its documents: the log in its storage.
    var log: String? {
        let groups = installation.data + "/Groups"
        let files = FileManager.default.enumerator(atPath: groups)?.compactMap { $0 as? String } ?? []
        return files.first { $0.hasSuffix("/.Postbox/log") }.map { groups + "/" + $0 }
    }

    /// Creates the package and builds its library; the provider is found only through the user's own directories.
    static func with<Result>(
        _ language: Language, _ body: (TemplatePackage) async throws -> Result
    ) async throws -> Result {
        let environment = ["DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": ""]
        return try await Installation.with(environment: environment) { installation in
            let package = TemplatePackage(language: language, installation: installation)
            try await installation.docent(
                "provider", "init", "Postbox", "--language", language.rawValue, "--directory", package.path,
                environment: ["DOCENT_TEMPLATES": Repository.root + "/Templates"]
            ).succeeded()
            switch language {
            case .c: try await package.run("make").succeeded()
            case .rust: try await package.run("cargo", "build", "--offline").succeeded()
            }
            return try await body(package)
        }
    }

    /// The same, with the provider installed and enabled.
    static func withInstalled<Result>(
        _ language: Language, _ body: (TemplatePackage) async throws -> Result
    ) async throws -> Result {
        try await with(language) { package in
            try await package.docent("provider", "install", "--enable", "--yes", package.path).succeeded()
            return try await body(package)
        }
    }

    func docent(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await installation.run(
            Installation.binaries + "/docent", arguments, input: input.map { Data($0.utf8) })
    }

    /// Runs a tool in the package, with the required variables of the tests' environment.
    func run(_ tool: String, _ arguments: String...) async throws -> Outcome {
        try await Outcome.run(
            "/usr/bin/env", [tool] + arguments, input: nil,
            environment: installation.environment.merging(Self.tools) { _, new in new }, folder: path)
    }

    private static let tools: [String: String] = {
        let own = ProcessInfo.processInfo.environment
        var tools = own.filter { ["CARGO_HOME", "RUSTUP_HOME", "HOME", "PATH"].contains($0.key) }
        // No compiler may warn about a package that was just created.
        tools["RUSTFLAGS"] = "-D warnings"
        return tools
    }()
}
