import CLinux
import Glibc

/// Operations on whole directories below an open one. Links are never followed.
enum LocalTree {
    /// The deepest tree that is removed.
    static let maximumDepth = 512

    /// Removes a directory with all its contents. A missing directory counts as removed.
    ///
    /// - Throws: ``FileProviderError``.
    static func remove(_ name: LocalName, in directory: LocalDirectory, depth: Int = 0) throws {
        guard depth < maximumDepth else {
            throw FileProviderError(.notSupported, "The folders are nested too deeply.")
        }
        let inner: LocalDirectory
        do {
            inner = try directory.directory(at: [name])
        } catch let error as FileProviderError where error.code == .noSuchItem {
            return
        }
        // A read-only directory cannot be emptied either.
        if try inner.facts().permissions & 0o300 != 0o300 { _ = clinux_fchmod(inner.descriptor, 0o700) }
        for entry in try LocalListing(inner) {
            let kind = try entry.kind ?? inner.facts(of: entry.name).kind
            if kind == .folder {
                try remove(entry.name, in: inner, depth: depth + 1)
            } else {
                try inner.remove(entry.name)
            }
        }
        try directory.remove(name, isFolder: true)
    }

    /// Creates the missing directories of a path.
    ///
    /// - Throws: ``FileProviderError``.
    static func makeDirectories(_ path: [LocalName], in directory: LocalDirectory, mode: UInt32) throws {
        for count in 1..<path.count + 1 {
            let parent = try directory.directory(at: Array(path.prefix(count - 1)))
            let result = path[count - 1].withCString { clinux_mkdirat(parent.descriptor, $0, mode) }
            guard result < 0, result != -EEXIST else { continue }
            throw SystemFailure(-result, "make the folder \"\(path[count - 1].displayed)\"").providerError
        }
    }

    /// Whether a file of the tree is open for writing anywhere.
    static func hasWriter(_ contents: LocalPackageContents, in directory: LocalDirectory) -> Bool {
        contents.elements.values.contains { element in
            guard element.facts.kind == .file, let name = element.path.last,
                let folder = try? directory.directory(at: element.path.dropLast()),
                let file = try? folder.openFile(name)
            else { return false }
            return clinux_has_writer(file.descriptor) == 1
        }
    }
}
