/// A resource of the machine that a test uses while it runs, and how much of it.
package struct Need: Hashable, Sendable {
    package let name: String
    /// The load in units; ``Admission/capacity`` of them are available at a time.
    package let load: Int
    /// Whether no other test may run at the same time.
    package var isExclusive = false
    /// Whether it keeps a processor busy for as long as the test runs: such a test never runs beyond the capacity,
    /// however idle the processors are while it starts.
    package var isBusy = false

    /// A few short programs.
    package static let programs = Need(name: "programs", load: 1)
    /// A daemon with its providers in their sandboxes, and the programs that call it.
    package static let daemon = Need(name: "daemon", load: 2)
    /// A third-party server: WebDAV, S3, an identity server.
    package static let server = Need(name: "server", load: 1)
    /// A bus with a keyring.
    package static let keyring = Need(name: "keyring", load: 1)
    /// A compiler, or anything else that keeps a processor busy for long.
    package static let processor = Need(name: "processor", load: 4, isBusy: true)
    /// A validator at its highest level, which calls a provider for minutes without a pause.
    package static let validator = Need(name: "validator", load: 1, isBusy: true)
    /// Limits that the kernel counts for all processes of a user, such as descriptors in flight. Other tests beside it
    /// would be affected too.
    package static let userLimits = Need(name: "user limits", load: 0, isExclusive: true)
}
