package import Documents

/// Everything that can happen to the picker.
package enum PickerEvent: Sendable {
    case began
    case key(Key)
    /// A line, on terminals that cannot draw.
    case line(String)
    case resized(TerminalSize)
    case accounts([PickerAccount], shortcuts: [PickerShortcut] = [], serial: Int)
    case space(AccountUsage, provider: String, domain: String)
    case page([PickerEntry], remembered: RememberedListing?, isLast: Bool, serial: Int)
    /// The end of a search: what it did not cover, and whether there is more.
    case searched(gaps: [PickerGap], isCut: Bool, serial: Int)
    case listingFailed(DocumentsError, serial: Int)
    /// The first lines of a document.
    case preview([String], serial: Int)
    /// What a link leads to.
    case followed(PickerEntry, serial: Int)
    /// What has the chosen name already; nil if nothing has.
    case lookedUp(PickerEntry?, serial: Int)
    case madeFolder(name: String, serial: Int)
    case progressed(DownloadProgress, serial: Int)
    /// The end of the step that is shown as work.
    case worked(serial: Int)
    case failed(DocumentsError, serial: Int)
    /// The sign-in has ended; nil if it succeeded.
    case signedIn(DocumentsError?)
    /// The program's request still waits or no longer does, beside so many others.
    case requests(isWaiting: Bool, others: Int)
    /// The confirming key has been visible long enough.
    case armed(serial: Int)
    /// The terminal has gone.
    case ended
}
