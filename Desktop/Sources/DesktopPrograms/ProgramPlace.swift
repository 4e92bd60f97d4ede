import Glibc

/// Where a program of Docent is that another one starts.
package enum ProgramPlace {
    /// The path of a program; nil if there is none.
    ///
    /// - Parameters:
    ///   - name: of the program.
    ///   - own: the path of this program. The other one is beside it, or in `bin` if this one is in `libexec/docent`.
    ///   - search: the folders of PATH, separated by colons.
    ///   - isProgram: whether there is a program at a path.
    package static func path(
        of name: String, own: String?, search: String, isProgram: (String) -> Bool = { access($0, X_OK) == 0 }
    ) -> String? {
        let folder = (own ?? "").split(separator: "/").dropLast()
        var places: [String] = []
        if !folder.isEmpty { places.append("/" + folder.joined(separator: "/")) }
        if folder.suffix(2).elementsEqual(["libexec", "docent"]) {
            places.append("/" + (folder.dropLast(2) + ["bin"]).joined(separator: "/"))
        }
        places += search.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
        return places.map { "\($0)/\(name)" }.first(where: isProgram)
    }

    /// The path of a program for this process.
    package static func path(of name: String) -> String? {
        path(of: name, own: ownPath, search: getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin")
    }

    private static var ownPath: String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return String(validating: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
