import ArgumentParser

/// The languages in which `docent provider init` can begin a provider.
enum TemplateLanguage: String, CaseIterable, ExpressibleByArgument {
    case swift
    case c
    case rust

    /// What a build of such a package needs on `PATH`.
    var tools: [String] {
        switch self {
        case .swift: ["swift"]
        case .c: ["cc", "make"]
        case .rust: ["cargo", "cc"]
        }
    }

    /// The command that builds such a package, in its directory.
    var build: String {
        switch self {
        case .swift: "swift build"
        case .c: "make"
        case .rust: "cargo build --offline"
        }
    }

    /// What is then given to `docent provider install`.
    var product: String {
        switch self {
        case .swift: ".build/debug"
        case .c, .rust: "."
        }
    }
}
