/// Something on this machine that the sandbox shows.
package struct ClientMount: Hashable, Sendable {
    /// A path on this machine; links are followed.
    package let source: String
    /// The absolute path inside, without `.` and `..`.
    package let target: String
    package let isWritable: Bool

    package init(_ source: String, at target: String, isWritable: Bool = false) {
        self.source = source
        self.target = Self.plain(target)
        self.isWritable = isWritable
    }

    /// The same path inside and outside, read-only.
    package init(_ path: String) { self.init(path, at: path) }

    /// A path, resolved as text: inside, none of its components is a link.
    private static func plain(_ path: String) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        return "/" + names.joined(separator: "/")
    }

    /// The options for bubblewrap. Without `dev-`, so never with devices or set-user-id bits.
    var options: [String] { [isWritable ? "--bind" : "--ro-bind", source, target] }
}
