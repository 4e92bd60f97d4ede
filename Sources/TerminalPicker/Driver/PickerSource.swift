package import Documents

/// Where the picker gets its lists from, and who carries out its choice.
package protocol PickerSource: Sendable {
    func accounts() async throws(DocumentsError) -> [PickerAccount]
    /// The lists from all accounts that are not empty.
    func shortcuts() async -> [PickerShortcut]
    /// What is in such a list, of the accounts that can be chosen from.
    func list(_ shortcut: PickerShortcut) async throws(DocumentsError) -> [PickerEntry]
    /// Searches in all accounts, also for what is only at its provider.
    ///
    /// - Parameter received: called for each page, the best first.
    /// - Returns: what was not covered, and whether there is more.
    func search(
        _ text: String, _ received: @Sendable ([PickerEntry]) -> Void
    ) async throws(DocumentsError) -> (gaps: [PickerGap], isCut: Bool)
    /// Nil if the provider does not know.
    func space(provider: String, domain: String) async -> AccountUsage?
    /// Lists a folder.
    ///
    /// - Parameter received: called for each page, as soon as it is here.
    func list(
        _ folder: DocumentLocation,
        _ received: @Sendable (_ entries: [PickerEntry], _ remembered: RememberedListing?, _ isLast: Bool) -> Void
    ) async throws(DocumentsError)
    /// The first lines of a text whose content is here; nil for anything else. Downloads nothing.
    func preview(_ location: DocumentLocation, contentType: String) async -> [String]?
    /// What a link leads to.
    func follow(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry
    /// What is at a location; nil if nothing is, or if nobody knows now.
    func lookUp(_ location: DocumentLocation) async throws(DocumentsError) -> PickerEntry?
    func makeFolder(in folder: DocumentLocation, name: String) async throws(DocumentsError)
    func download(
        _ location: DocumentLocation, _ progress: @Sendable (DownloadProgress) -> Void
    ) async throws(DocumentsError)
    /// Carries out a choice, if the picker stays until that is done.
    func commit(_ outcome: PickerOutcome) async throws(DocumentsError)
    /// Signs in on the terminal, which the picker has left.
    func signIn(provider: String, domain: String) async throws
    /// The folder of the last time; nil for the accounts. Blocks.
    func start() -> DocumentLocation?
    /// Remembers the folder for the next time. Blocks.
    func remember(_ folder: DocumentLocation?)
}
