import CLinux
import ExtensionManifest
import Foundation

/// The files that a plugin needs besides its own library to be loaded.
enum LibraryClosure {
    /// The most files that a provider may have in its own directory: each one is examined before every start.
    static let mostFiles = 1000

    /// The provider's own directory among the libraries of providers; nil when its library lies elsewhere.
    static func ownDirectory(of library: String, provider: String) -> String? {
        library.range(of: "/docent/providers/\(provider)/").map { String(library[..<$0.upperBound].dropLast()) }
    }

    /// All files in a provider's own directory except its library, at any depth; nil when there are more than
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

    /// Shared libraries in the directory of a plugin that has no directory of its own: it may need them by `$ORIGIN`.
    /// At most 64. A link counts if its target lies there too.
    static func companions(of library: String) -> [String] {
        let folder = library.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        // Every sandbox shows these folders.
        let isShown = folder.hasPrefix("/usr/") && !BaseProfile.providerFolders.contains { folder.hasPrefix($0) }
        guard !folder.isEmpty, !isShown else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("lib") && ($0.hasSuffix(".so") || $0.contains(".so.")) }
            .sorted().prefix(64).map { folder + "/" + $0 }.filter { path in
                path != library && PathLookup.canonical(path)?.hasPrefix(folder + "/") == true
            }
    }

    /// The directory of the toolchain's Swift runtime that a library names, if it exists here. It contains what a
    /// smaller runtime lacks, and has the compiler's version.
    static func toolchainRuntime(of library: String) -> String? {
        // A relative path would depend on where the daemon was started.
        let absolute = SharedLibrary(path: library).searchPath.filter { $0.hasPrefix("/") }
        return absolute.lazy.compactMap { PathLookup.canonical($0) }.first { directory in
            // A library cannot give its provider access to any other directory.
            directory.hasSuffix("/lib/swift/linux") && access(directory + "/libswiftCore.so", R_OK) == 0
        }
    }

    /// The Swift runtime that this daemon itself uses, or `DOCENT_SWIFT_RUNTIME` if set. An installed one lies in
    /// `lib/swift` beside `libexec`.
    static func swiftRuntime(_ environment: [String: String]) -> String? {
        if let given = environment["DOCENT_SWIFT_RUNTIME"] { return PathLookup.canonical(given) }
        // Where the loader found this process's runtime. A statically linked daemon finds itself, and searches further.
        if let name = clinux_file_of_symbol("swift_retain"), let path = PathLookup.canonical(String(cString: name)),
            path.hasSuffix("/libswiftCore.so")
        {
            return path.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        }
        guard let own = PathLookup.linkTarget("/proc/self/exe") else { return nil }
        let prefix = own.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        return PathLookup.canonical(prefix + "/lib/swift")
    }
}
