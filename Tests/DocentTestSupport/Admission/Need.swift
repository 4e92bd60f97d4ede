/// Something that a test uses of the machine while it runs, and how much of it.
package struct Need: Hashable, Sendable {
    package let name: String
    /// In units; ``Admission/capacity`` of them are given out at a time.
    package let load: Int
    /// Whether nothing else may run meanwhile.
    package var isExclusive = false

    /// A few short programs.
    package static let programs = Need(name: "programs", load: 1)
    /// A daemon with its providers in their sandboxes, and the programs that talk to it.
    package static let daemon = Need(name: "daemon", load: 2)
    /// A server of another project: WebDAV, S3, an identity server.
    package static let server = Need(name: "server", load: 1)
    /// A bus with a keyring on it.
    package static let keyring = Need(name: "keyring", load: 1)
    /// A compiler, or anything else that keeps a processor busy for long.
    package static let processor = Need(name: "processor", load: 4)
    /// What the kernel counts for all processes of a user, such as descriptors in flight: whatever runs beside it is
    /// starved too.
    package static let userLimits = Need(name: "user limits", load: 0, isExclusive: true)
}
