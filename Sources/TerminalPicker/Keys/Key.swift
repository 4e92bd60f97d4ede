/// A key as a terminal sends it, or text that was pasted.
package enum Key: Hashable, Sendable {
    /// A letter, a digit or another character that can be shown.
    case character(Character)
    /// Text between the marks of a bracketed paste.
    case pasted(String)
    /// Control and a letter, in lower case.
    case control(Character)
    case enter
    case tab
    case escape
    case backspace
    case delete
    case up
    case down
    case left
    case right
    case home
    case end
    case pageUp
    case pageDown
}
