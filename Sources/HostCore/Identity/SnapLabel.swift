/// The AppArmor label of a process in a Snap: `snap.NAME.APP (enforce)`. Pure.
package struct SnapLabel: Sendable, Hashable {
    /// The name of the snap, with the key of a parallel instance (`NAME_KEY`), which has its own data.
    package let name: String

    /// Reads a label; nil if it does not belong to a snap or is not enforced, like that of a classic snap.
    package init?(_ label: String?) {
        guard let label else { return nil }
        let words = label.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\0" })
        guard words.count == 2, words[1] == "(enforce)" else { return nil }
        let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
        // snap.NAME.APP or snap.NAME.hook.HOOK. A label with a stack of further profiles is not interpreted.
        guard parts.count >= 3, parts[0] == "snap", !words[0].contains("//"), parts.allSatisfy({ !$0.isEmpty }) else {
            return nil
        }
        let name = parts[1]
        guard name.utf8.count <= 51, Self.isName(name) else { return nil }
        self.name = String(name)
    }

    // Lower-case letters, digits and dashes; after an underscore, the key of the instance.
    private static func isName(_ name: Substring) -> Bool {
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count <= 2
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.utf8.allSatisfy {
                        $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    }
            }
    }

    /// Whether a process with these lines of `/proc/PID/cgroup` was started as this snap: one of its groups is called
    /// `snap.NAME.APP…`, and none is named after another snap.
    package func isIn(cgroups: String?) -> Bool {
        let snaps = (cgroups ?? "").split(separator: "\n").flatMap { line -> [Substring] in
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { return [] }
            return fields[2].split(separator: "/").compactMap { group in
                let parts = group.split(separator: ".", omittingEmptySubsequences: false)
                return parts.count >= 3 && parts[0] == "snap" ? parts[1] : nil
            }
        }
        return !snaps.isEmpty && snaps.allSatisfy { $0 == name }
    }
}
