/// What `docent run --allow` opens beyond the closed sandbox (S6). Each weakens it; docs/run.md says by how much.
package enum ClientAllowance: String, CaseIterable, Hashable, Sendable {
    /// The machine's network, and with it the abstract sockets of every program.
    case network
    /// The user's session bus. A program that reaches it can have other programs started outside.
    case sessionBus = "session-bus"
    /// The Wayland and X11 displays. X11 lets a program see what others do, and type into them.
    case display
}
