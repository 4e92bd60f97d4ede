package import Documents

/// A document or a folder that was chosen.
package struct PickedItem: Hashable, Sendable {
    package var location: DocumentLocation
    /// What is known of it; nil for the top folder of an account.
    package var entry: PickerEntry?

    package init(location: DocumentLocation, entry: PickerEntry?) {
        self.location = location
        self.entry = entry
    }
}

/// How the picker ended.
package enum PickerOutcome: Hashable, Sendable {
    /// Nothing was chosen.
    case cancelled
    /// At least one.
    case items([PickedItem], PickerTerms)
    /// A folder and a name.
    ///
    /// - `replaces`: whether the person agreed to replace the content of what is there.
    case destination(folder: DocumentLocation, name: String, replaces: Bool)
    /// The person refused the program's request.
    case refused
    /// The program no longer waits.
    case withdrawn
}
