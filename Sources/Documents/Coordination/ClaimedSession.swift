/// A change in progress that belongs to a writing access and ends with it.
protocol ClaimedSession: AnyObject, Sendable {
    /// Whether it is neither committed nor abandoned.
    var isOpen: Bool { get }

    /// Publishes the change.
    @discardableResult
    func commit() async throws(DocumentsError) -> DocumentItem

    /// Discards the change.
    func abandon() async throws(DocumentsError)
}
