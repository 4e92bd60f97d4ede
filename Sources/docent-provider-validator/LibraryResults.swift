import ExtensionManifest
import FileProviderValidation

/// Checks of the library's file, before any of its code is loaded.
enum LibraryResults {
    private static let symbol = "docent_extension_main_v1"

    /// A result for the library of a provider; empty if there is no provider.
    static func results(of description: ProviderDescription?) -> [CaseResult] {
        guard let path = description?.fileProvider?.libraryPath else { return [] }
        let testCase = ValidationCase(
            "manifest.library", level: 1, requirements: [.entrySymbol],
            "The library \(path) is for this machine and exports \(symbol)."
        ) { _ in }
        let library = SharedLibrary(path: path, symbol: symbol)
        guard let problem = problem(library) else { return [CaseResult(testCase, .passed)] }
        var result = CaseResult(testCase, .failed)
        result.findings = [
            Finding(
                did: "Reading the library \(path)",
                expected: "a shared library for this machine that exports \(symbol)",
                got: problem, requirement: .entrySymbol)
        ]
        return [result]
    }

    private static func problem(_ library: SharedLibrary) -> String? {
        switch library.kind {
        case .other: "a file that is not a library"
        case .foreign: "a library for another kind of machine"
        case .program: "a program that is not a shared library"
        // Without a symbol table the file does not show it; loading it will.
        case .library: library.exportsSymbol == false ? "a library without that symbol" : nil
        }
    }
}
