import ArgumentParser

/// The languages for which `docent provider init` has a template.
enum TemplateLanguage: String, CaseIterable, ExpressibleByArgument {
    case swift
    case c
    case rust

    /// The programs on `PATH` that the build of such a package needs.
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

    /// The argument for `docent provider install` after the build.
    var product: String {
        switch self {
        case .swift: ".build/debug"
        case .c, .rust: "."
        }
    }
}
