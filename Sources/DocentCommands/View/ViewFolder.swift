import CLinux
import Documents
import FoundationEssentials
import Glibc
import ViewMounting

/// A folder that shows the documents as files, and what can be said of it without asking a provider.
enum ViewFolder {
    /// The folder that `docent mount` uses if none is named.
    static func standard(_ environment: [String: String]) throws(DocumentsError) -> String {
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw DocumentsError(
                .invalidArgument, "HOME is not set.", suggestion: "Name the folder: `docent mount FOLDER`.")
        }
        return (home.count > 1 && home.hasSuffix("/") ? String(home.dropLast()) : home) + "/Docent"
    }

    /// The absolute path of a folder that exists, without links.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The folders of this user that are mounted.
    static func mounted() -> [String] {
        ViewMountTable.current().filter { $0.type == ViewMount.type && $0.user == geteuid() }.map(\.path)
    }

    /// The mounted folders of the daemon that this environment leads to; and those in the user's home that do not
    /// answer and so do not say whose they are.
    static func own(_ environment: [String: String]) async -> [ViewStatus] {
        let socket = SocketLocation(environment: environment).path
        let home = environment["HOME"].flatMap(resolved)
        return await ViewStatus.all(of: mounted()).filter { view in
            if view.state == .mounted { return view.socket == socket }
            return home.map { view.path.hasPrefix($0 == "/" ? "/" : $0 + "/") } ?? false
        }
    }

    /// The paths of the mounted folders of the daemon that this environment leads to, and that answer.
    static func served(_ environment: [String: String]) async -> [String] {
        await own(environment).filter { $0.state == .mounted }.map(\.path)
    }

    /// Whether a mount still has a program that answers.
    static func isAlive(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || (errno != ENOTCONN && errno != ECONNABORTED)
    }

    /// An extended attribute of a file; nil if it has none.
    static func attribute(_ name: String, of path: String) -> String? {
        var value = [UInt8](repeating: 0, count: 65_536)
        let count = value.withUnsafeMutableBytes {
            clinux_get_attribute_of(path, "user.docent." + name, $0.baseAddress, $0.count)
        }
        return count >= 0 ? String(validating: value[0..<count], as: UTF8.self) : nil
    }

    /// The names of the entries of a folder.
    static func entries(of path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
