package import Documents

/// What the picker wants done. Each step that is answered has a number, which comes back in the answer.
package enum PickerEffect: Hashable, Sendable {
    case loadAccounts(serial: Int)
    /// Lists a folder, in place of an earlier one.
    case list(DocumentLocation, serial: Int)
    /// Lists what was used last, or is marked, in place of an earlier list.
    case listShortcut(PickerShortcut, serial: Int)
    /// Searches in all accounts, in place of an earlier list.
    case search(String, serial: Int)
    /// Reads the beginning of a document that is here. Nil ends an earlier one.
    case preview(DocumentLocation?, contentType: String, serial: Int)
    /// Asks how much space an account has, in place of an earlier one.
    case measure(provider: String, domain: String)
    case follow(DocumentLocation, serial: Int)
    case lookUp(DocumentLocation, serial: Int)
    case makeFolder(DocumentLocation, name: String, serial: Int)
    /// Fetches the content of documents.
    case download([DocumentLocation], serial: Int)
    /// Carries out the choice.
    case commit(PickerOutcome, serial: Int)
    /// Ends the step that is shown as work.
    case cancelWork
    case signIn(provider: String, domain: String)
    /// Reports after half a second.
    case arm(serial: Int)
    case remember(DocumentLocation?)
    /// Draws everything again.
    case redraw
    /// Stops the program until it is continued.
    case suspend
    case finish(PickerOutcome)
}
