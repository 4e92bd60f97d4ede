/// What a notification says. Its texts are plain: without markup, control characters, or parts longer than people read.
package struct Notice: Sendable, Hashable {
    /// One line.
    package var title: String
    /// Lines of text.
    package var lines: [String]
    /// The buttons. Some desktops show three.
    package var actions: [NoticeAction]
    /// The command to type where there are no buttons.
    package var hint: String
    /// Whether it is shown above everything else until it is answered.
    package var isUrgent = false
    /// What it is about: a notification that was closed comes back only if this, or what it says, has changed.
    package var subject: [String] = []
    /// The effect of a click on the notification; nil for none.
    package var standard: NoticeAction?

    /// The call that a notification server gets.
    package struct Rendered: Sendable, Hashable {
        package var summary: String
        package var body: String
        /// Keys and labels by turns.
        package var actions: [String]
        package var isUrgent: Bool
        /// Whether the server may take it away after a while, because it keeps it in a list.
        package var mayExpire: Bool
    }

    /// The notification for a server.
    ///
    /// - Parameter capabilities: what the server says that it can do; nil if that is not known.
    package func rendered(for capabilities: Set<String>?) -> Rendered {
        let hasActions = capabilities?.contains("actions") ?? true
        let isMarkup = capabilities?.contains("body-markup") ?? true
        var texts = lines
        if !hasActions { texts.append(hint) }
        var keys: [String] = []
        if hasActions {
            if let standard { keys += [NoticeAction.standard.rawValue, standard.label] }
            for action in actions { keys += [action.rawValue, action.label] }
        }
        return Rendered(
            summary: title, body: (isMarkup ? texts.map(NoticeText.escaped) : texts).joined(separator: "\n"),
            actions: keys, isUrgent: isUrgent, mayExpire: capabilities?.contains("persistence") ?? false)
    }
}
