/// What the supervisor inside said on the lifeline. The plugin's process does not have that descriptor, so this is the
/// truth about its end, where an exit status of 139 may be a signal or a plugin's own code.
struct LifelineReport {
    private var text = ""

    mutating func append(_ bytes: some Collection<UInt8>) {
        text += String(decoding: bytes, as: UTF8.self)
    }

    /// Landlock's version inside, 0 where the kernel has none; nil until the sandbox has been closed.
    var landlockVersion: Int? { value(of: "sandboxed").flatMap { Int($0) } }

    /// Whether the host came as far as to the plugin.
    var hasStarted: Bool { landlockVersion != nil || text.split(separator: "\n").contains("unsandboxed") }

    /// How the plugin's process ended, as far as that was told.
    var exit: ExtensionExit? {
        if let code = value(of: "exited").flatMap({ Int32($0) }) { return .exited(code) }
        return value(of: "signalled").flatMap { Int32($0) }.map { .signalled($0) }
    }

    /// The end of the outermost process, told by this report where it can be.
    ///
    /// A process that ended without a report never came to the host program: bubblewrap failed, which is a missing
    /// layer of the sandbox.
    func judge(_ outermost: ExtensionExit, isSandboxed: Bool) -> ExtensionExit {
        if let exit { return exit }
        return isSandboxed && !hasStarted && outermost == .exited(1) ? .exited(5) : outermost
    }

    private func value(of word: String) -> Substring? {
        text.split(separator: "\n").lazy.map { $0.split(separator: " ") }
            .first { $0.count == 2 && $0[0] == word }.map { $0[1] }
    }
}
