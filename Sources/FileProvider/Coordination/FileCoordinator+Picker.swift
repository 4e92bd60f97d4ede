extension FileCoordinator {
    /// A coordinator for the documents in the storage of a picker's file provider. Their identifiers are their paths in
    /// the storage. It has the ``DocumentPickerExtension/purposeIdentifier`` that was set on the picker.
    @ExtensionActor
    public convenience init(for picker: DocumentPickerExtension, deadline: Duration = .seconds(30)) {
        let storage = picker.documentStorageURL
        self.init(domain: picker.domainIdentifier, claims: picker.claims, deadline: deadline) { url in
            storage.flatMap { StoragePath(url, below: $0) }.map { ItemIdentifier($0.text) }
        }
        if let purpose = picker.purposeIdentifier { try? setPurposeIdentifier(purpose) }
    }
}
