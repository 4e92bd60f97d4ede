import CommandConsole
import Documents
import Glibc

/// Where the program to run is, and what has to be mounted for it.
struct ProgramPlace: Equatable, Sendable {
    /// Absolute; the same inside and outside the sandbox.
    let path: String
    let mounts: [ClientMount]

    /// Finds the program as a shell does.
    ///
    /// - Parameters:
    ///   - folders: mounted too, each as a whole.
    ///   - folder: the working directory, for relative paths.
    /// - Throws: ``DocumentsError`` `notFound` or `notPermitted`.
    static func find(
        _ program: String, folders: [String], system: SystemTree, search: String, folder: String
    ) throws(DocumentsError) -> ProgramPlace {
        func absolute(_ path: String) -> String { plain(path.hasPrefix("/") ? path : "\(folder)/\(path)") }
        let candidates =
            program.contains("/")
            ? [absolute(program)] : search.split(separator: ":").map { absolute(String($0)) + "/" + program }
        guard let path = candidates.first(where: { isFile($0) && access($0, X_OK) == 0 }) else {
            if let path = candidates.first(where: isFile) {
                throw DocumentsError(
                    .notPermitted, "\(SafeText.escaped(path)) is not executable.",
                    suggestion: "Make it executable with chmod +x, or name its interpreter.")
            }
            throw DocumentsError(
                .notFound, "There is no program \(SafeText.escaped(program)).",
                suggestion: "Write its path, or install it.")
        }
        var mounts: [ClientMount] = []
        for folder in folders.map(absolute) {
            var status = stat()
            guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw DocumentsError(.notFound, "There is no folder \(SafeText.escaped(folder)).")
            }
            if !system.shows(folder) { mounts.append(ClientMount(folder)) }
        }
        let isShown = system.shows(path) || mounts.contains { path.hasPrefix($0.target + "/") }
        return ProgramPlace(path: path, mounts: isShown ? mounts : mounts + [ClientMount(path)])
    }

    /// Without `.` and `..`: the folders that these lead through may not exist inside.
    private static func plain(_ path: String) -> String {
        let names = path.split(separator: "/").filter { $0 != "." }
        guard let last = names.last, names.contains("..") else { return "/" + names.joined(separator: "/") }
        // Links decide where `..` leads. The last name may be a link itself, and stays.
        guard last != ".." else { return canonical(path) ?? path }
        let parent = "/" + names.dropLast().joined(separator: "/")
        return canonical(parent).map { ($0 == "/" ? "" : $0) + "/" + last } ?? path
    }

    private static func canonical(_ path: String) -> String? {
        guard let found = realpath(path, nil) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }

    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
