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

    /// The mounted folders of the daemon that this environment leads to, and those that nobody serves.
    static func own(_ environment: [String: String]) -> [String] {
        let socket = SocketLocation(environment: environment).path
        return mounted().filter { !isAlive($0) || attribute("socket", of: $0) == socket }
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
