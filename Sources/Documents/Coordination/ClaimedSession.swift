/// A change in the making that belongs to a writing access, and ends with it (2.9, deadlock 9).
protocol ClaimedSession: AnyObject, Sendable {
    /// Whether it was neither committed nor abandoned yet.
    var isOpen: Bool { get }

    /// Publishes it.
    @discardableResult
    func commit() async throws(DocumentsError) -> DocumentItem

    /// Drops it.
    func abandon() async throws(DocumentsError)
}
