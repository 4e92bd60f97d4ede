import CLinux
import Glibc

/// This program and its runtime. A sandbox shows them too, so that `docent` works in it wherever it was built.
package enum OwnProgram {
    /// The file of this program; nil if the system does not report it.
    package static let path: String? = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }()

    /// The folder of ``path``.
    package static var folder: String? { path.map(parent) }

    /// The mounts for the parts that are not in the system. The language's runtime is mounted as a whole folder.
    static func mounts(system: SystemTree) -> [ClientMount] {
        guard let path else { return [] }
        var mounts = system.shows(path) ? [] : [ClientMount(path)]
        if let library = clinux_file_of_symbol("swift_retain").map({ String(cString: $0) }), library.hasPrefix("/"),
            library != path, !system.shows(library)
        {
            mounts.append(ClientMount(parent(library)))
        }
        return mounts
    }

    private static func parent(_ path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
