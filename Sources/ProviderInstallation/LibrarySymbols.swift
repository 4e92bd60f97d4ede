import Documents
import ExtensionManifest

/// Checks the library of a provider.
enum LibrarySymbols {
    /// The symbol that the library exports.
    static let entry = "docent_extension_main_v1"

    /// Checks that a file is a library for this machine that exports ``entry``.
    ///
    /// - Throws: ``DocumentsError`` `invalidArgument` with a suggestion.
    static func check(_ path: String) throws(DocumentsError) {
        let library = SharedLibrary(path: path, symbol: entry)
        switch library.kind {
        case .other:
            throw refusal(path, "it is not an ELF file", "Give the library that your build produced.")
        case .foreign: throw refusal(path, "it was built for another kind of machine", "Build it for this machine.")
        case .program: throw refusal(path, "it is not a shared library", "Build it as one, with -shared.")
        case .library: break
        }
        switch library.exportsSymbol {
        case true?: return
        case false?:
            throw refusal(
                path, "it does not export \(entry)",
                "In Swift, let the target depend on the product FileProvider. In C, Rust and others, define that "
                    + "function, and let no version script hide it.")
        case nil:
            throw refusal(
                path, "its symbol table cannot be read", "Build it again, and do not strip its section headers.")
        }
    }

    private static func refusal(_ path: String, _ why: String, _ remedy: String) -> DocumentsError {
        DocumentsError(.invalidArgument, "\(path) is not a provider's library: \(why).", suggestion: remedy)
    }
}
