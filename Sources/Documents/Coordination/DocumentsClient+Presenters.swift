extension DocumentsClient {
    /// Adds a presenter: from now on it is asked and told (J1). Held weakly. Adding it twice does nothing.
    ///
    /// To be called within a coordinated read, or followed by one, so that no change in between is missed. After a restart of the
    /// daemon it is added again by itself, and told when the item has changed meanwhile (D3).
    ///
    /// - Throws: ``DocumentsError``: `notPermitted`, `notFound`, `unavailable`. A presenter whose `presentedItem` is nil is added
    ///   as soon as a coordinated access on its behalf ends with something there.
    public func addFilePresenter(_ presenter: any FilePresenter) async throws(DocumentsError) {
        try await registration(of: presenter).add()
    }

    /// Removes a presenter. When it returns, the handler that was running has ended, unless this is called by that itself, and no
    /// other will be called.
    public func removeFilePresenter(_ presenter: any FilePresenter) async {
        guard let registration = forgetRegistration(of: presenter) else { return }
        await registration.remove()
    }

    /// The presenters that were added to this client and still exist.
    public var filePresenters: [any FilePresenter] { registrations.filter(\.isAdded).compactMap(\.presenter) }
}
