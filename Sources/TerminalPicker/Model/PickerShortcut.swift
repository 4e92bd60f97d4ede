/// A list of documents from all accounts, above the accounts.
package enum PickerShortcut: String, Hashable, Sendable, CaseIterable {
    /// What was used last.
    case recents
    /// What the user marked.
    case starred

    /// Its name.
    package var title: String {
        switch self {
        case .recents: "Recents"
        case .starred: "Starred"
        }
    }
}
