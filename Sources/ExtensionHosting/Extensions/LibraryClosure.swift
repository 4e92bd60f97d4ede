import CLinux
import ExtensionManifest
import Foundation

/// Which files besides its own library a plugin needs to be loaded.
enum LibraryClosure {
    /// The most files that a provider may have in its own directory: each one is looked at before every start.
    static let mostFiles = 1000

    /// The directory that a provider has for itself in one for the libraries of providers; nil when its library lies
    /// elsewhere.
    static func ownDirectory(of library: String, provider: String) -> String? {
        library.range(of: "/docent/providers/\(provider)/").map { String(library[..<$0.upperBound].dropLast()) }
    }

    /// All files of a provider's own directory but its library, at any depth; nil when there are more than
    /// ``mostFiles``.
    static func files(in directory: String, besides library: String) -> [String]? {
        var files: [String] = []
        let entries = FileManager.default.enumerator(atPath: directory)
        while let name = entries?.nextObject() as? String {
            let path = directory + "/" + name
            if path != library { files.append(path) }
            guard files.count <= mostFiles else { return nil }
        }
        return files.sorted()
    }

    /// Shared libraries in the directory where a plugin lies among others, which it may need by `$ORIGIN`; at most 64.
    /// A link counts if what it leads to lies there too.
    static func companions(of library: String) -> [String] {
        let folder = library.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        // What every sandbox shows.
        let isShown = folder.hasPrefix("/usr/") && !BaseProfile.providerFolders.contains { folder.hasPrefix($0) }
        guard !folder.isEmpty, !isShown else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("lib") && ($0.hasSuffix(".so") || $0.contains(".so.")) }
            .sorted().prefix(64).map { folder + "/" + $0 }.filter { path in
                path != library && FileFacts.canonical(path)?.hasPrefix(folder + "/") == true
            }
    }

    /// The directory of the Swift runtime of the toolchain that a library was built with, as the library names it, if
    /// that is here. It has what a smaller runtime lacks, and is of the compiler's version.
    static func toolchainRuntime(of library: String) -> String? {
        // A relative one would mean what lies below wherever the daemon was started.
        let absolute = SharedLibrary(path: library).searchPath.filter { $0.hasPrefix("/") }
        return absolute.lazy.compactMap { FileFacts.canonical($0) }.first { directory in
            // No other directory is opened to a provider because its library says so.
            directory.hasSuffix("/lib/swift/linux") && access(directory + "/libswiftCore.so", R_OK) == 0
        }
    }

    /// Where the Swift runtime is that this daemon itself runs with, `DOCENT_SWIFT_RUNTIME` before that; installed ones
    /// lie in `lib/swift` beside `libexec`.
    static func swiftRuntime(_ environment: [String: String]) -> String? {
        if let given = environment["DOCENT_SWIFT_RUNTIME"] { return FileFacts.canonical(given) }
        // Where the loader found the runtime of this very process; a static daemon finds itself, and looks further.
        if let name = clinux_file_of_symbol("swift_retain"), let path = FileFacts.canonical(String(cString: name)),
            path.hasSuffix("/libswiftCore.so")
        {
            return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        }
        guard let own = FileFacts.linkTarget("/proc/self/exe") else { return nil }
        let prefix = own.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        return FileFacts.canonical(prefix + "/lib/swift")
    }
}
