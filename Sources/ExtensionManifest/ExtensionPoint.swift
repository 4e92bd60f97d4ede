/// The two extension points that Docent supports.
package enum ExtensionPoint: String, Sendable, Codable, CaseIterable {
    /// The user interface for choosing a document.
    case picker = "com.apple.fileprovider-ui"
    /// The part without a user interface that gives access to documents.
    case fileProvider = "com.apple.fileprovider-nonui"

    /// Apple's later extension point for actions: known but not supported. Its manifests are ignored with a note.
    package static let unsupportedActions = "com.apple.fileprovider-actionsui"
}
