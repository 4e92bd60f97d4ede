/// Something of this machine that the sandbox shows.
package struct SandboxMount: Hashable, Sendable {
    /// A path of this machine; links are followed.
    package let source: String
    /// The absolute path inside.
    package let target: String
    package let isWritable: Bool

    package init(_ source: String, at target: String, isWritable: Bool = false) {
        self.source = source
        self.target = target
        self.isWritable = isWritable
    }

    /// The same path on both sides, read-only.
    package init(_ path: String) { self.init(path, at: path) }

    /// As bubblewrap takes it. Without `dev-`, so never with devices or set-user-id bits.
    var options: [String] { [isWritable ? "--bind" : "--ro-bind", source, target] }
}
