/// The two extension points that Docent supports (A3, A8).
package enum ExtensionPoint: String, Sendable, Codable, CaseIterable {
    /// The user interface with which a document is chosen.
    case picker = "com.apple.fileprovider-ui"
    /// The part without user interface that makes documents reachable.
    case fileProvider = "com.apple.fileprovider-nonui"

    /// Apple's later point for actions: known, but not supported; its manifests are ignored with a note.
    package static let unsupportedActions = "com.apple.fileprovider-actionsui"
}
