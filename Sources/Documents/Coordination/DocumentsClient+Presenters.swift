extension DocumentsClient {
    /// Adds a presenter, which from now on is asked and notified. It is held weakly. Adding it twice has no effect.
    ///
    /// Call this within a coordinated read, or follow it with one, so that no change is missed in between. After a
    /// restart of the daemon the presenter is added again automatically, and notified when the item has changed
    /// meanwhile.
    ///
    /// - Throws: ``DocumentsError``: `notPermitted`, `notFound`, `unavailable`. A presenter whose `presentedItem` is
    ///   nil is added once a coordinated access on its behalf ends with an item there.
    public func addFilePresenter(_ presenter: any FilePresenter) async throws(DocumentsError) {
        try await registration(of: presenter).add()
    }

    /// Removes a presenter. When this returns, no handler is running and none will be called, unless a handler itself
    /// called this.
    public func removeFilePresenter(_ presenter: any FilePresenter) async {
        guard let registration = forgetRegistration(of: presenter) else { return }
        await registration.remove()
    }

    /// The presenters that were added to this client and still exist.
    public var filePresenters: [any FilePresenter] { registrations.filter(\.isAdded).compactMap(\.presenter) }
}
