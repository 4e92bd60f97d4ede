import Glibc

extension SystemTree {
    /// The system tree of this machine, as it is now.
    package static func current() -> SystemTree {
        var tree = SystemTree()
        for path in roots {
            if let target = linkTarget(path) {
                tree.links[path] = target
            } else if access(path, F_OK) == 0 {
                tree.folders.append(path)
            }
        }
        tree.present = Set((settings + networkSettings).filter { access($0, R_OK) == 0 })
        tree.shownKeyLists = keyLists.filter { access($0, F_OK) == 0 }
        return tree
    }

    private static func linkTarget(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(validating: buffer[..<count], as: UTF8.self) : nil
    }
}
