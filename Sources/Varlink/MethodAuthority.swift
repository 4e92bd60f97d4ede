/// Who may call the methods of an interface; declared where they are registered.
package enum MethodAuthority: Sendable {
    /// Everyone who may connect.
    case everyone
    /// Programs outside every sandbox only: choosing, and changing what others may do, is the user's (I1).
    case unconfined
}
