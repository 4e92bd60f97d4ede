/// The unit of systemd that a process belongs to, according to its control groups. Pure.
package enum UnitName {
    /// The innermost service or scope; nil if there is none.
    ///
    /// - Parameter text: what `/proc/PID/cgroup` contains.
    package static func inControlGroups(_ text: String) -> String? {
        for line in text.split(separator: "\n") {
            // "0::/user.slice/…", and "1:name=systemd:/…" where the hierarchies are not unified.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3, parts[1].isEmpty || parts[1] == "name=systemd" else { continue }
            let unit = parts[2].split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }
            if let unit { return unescaped(unit) }
        }
        return nil
    }

    // A hyphen in the name of a program is \x2d.
    private static func unescaped(_ name: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(name.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.first == UInt8(ascii: "x"), rest.count >= 3,
                let value = UInt8(String(decoding: rest.dropFirst().prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
