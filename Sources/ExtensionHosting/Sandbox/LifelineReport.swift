import ExtensionManifest

/// The reports of the supervisor inside on the lifeline. The plugin's process does not have that descriptor, so they
/// state its end reliably, whereas an exit status of 139 may be a signal or a plugin's own code.
struct LifelineReport {
    private var text = ""
    /// The supervisor inside, by its process number here.
    private(set) var supervisor: Int32?
    /// The process in which the plugin's code runs.
    private(set) var plugin: Int32?

    /// - Parameter sender: the writing process according to the kernel; 0 if unknown.
    mutating func append(_ bytes: some Collection<UInt8>, from sender: Int32 = 0) {
        let more = String(decoding: bytes, as: UTF8.self)
        text += more
        guard sender > 0 else { return }
        for line in more.split(separator: "\n") {
            if line == "supervised" { supervisor = sender }
            if line == "unsandboxed" || line.hasPrefix("sandboxed ") { plugin = sender }
        }
    }

    /// Landlock's version inside, 0 if the kernel has none; nil until the sandbox has been closed.
    var landlockVersion: Int? { value(of: "sandboxed").flatMap { Int($0) } }

    /// Whether the host got as far as the plugin.
    var hasStarted: Bool { landlockVersion != nil || text.split(separator: "\n").contains("unsandboxed") }

    /// Whether the supervisor reports attempts.
    var isWatching: Bool { text.split(separator: "\n").contains("watching") }

    /// What the plugin tried beyond its sandbox, in chronological order.
    var attempts: [SandboxAttempt] { text.split(separator: "\n").compactMap(SandboxAttempt.init) }

    /// The limit that its processes exceeded, so that the supervisor ended them.
    var exceeded: ProviderLimits.Kind? {
        value(of: "exceeded").flatMap { ProviderLimits.Kind(rawValue: String($0)) }
    }

    /// How the plugin's process ended, if that was reported.
    var exit: ExtensionExit? {
        if let code = value(of: "exited").flatMap({ Int32($0) }) { return .exited(code) }
        return value(of: "signalled").flatMap { Int32($0) }.map { .signalled($0) }
    }

    /// The end of the outermost process, explained by this report if possible.
    ///
    /// A process that ended without a report never reached the host program: bubblewrap failed, which is a missing
    /// layer of the sandbox.
    func judge(_ outermost: ExtensionExit, isSandboxed: Bool) -> ExtensionExit {
        if let exit { return exit }
        // The supervisor itself was killed: bubblewrap adds 128 to the signal's number.
        if isSandboxed, case .exited(let code) = outermost, (129...192).contains(code) { return .signalled(code - 128) }
        return isSandboxed && !hasStarted && outermost == .exited(1) ? .exited(5) : outermost
    }

    private func value(of word: String) -> Substring? {
        text.split(separator: "\n").lazy.map { $0.split(separator: " ") }
            .first { $0.count == 2 && $0[0] == word }.map { $0[1] }
    }
}
