/// Who may call the methods of an interface; declared where they are registered.
package enum MethodAuthority: Sendable {
    /// Every program that may connect.
    case everyone
    /// Only programs outside every sandbox: to choose, and to change the rights of others, is up to the user.
    case unconfined
}
