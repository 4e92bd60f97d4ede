import DocentInterfaces

/// One of several items to access together, and how to access it.
public struct FileAccessIntent: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case reading(FileCoordinator.ReadingOptions)
        case writing(FileCoordinator.WritingOptions)
    }

    /// The place of the item when the intent was made. The access has the current one.
    public let place: DocumentPlace
    let kind: Kind

    /// An intent to read an item.
    public static func reading(
        _ reference: DocumentReference, options: FileCoordinator.ReadingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(place: DocumentPlace(reference), kind: .reading(options))
    }

    /// An intent to write at a place.
    public static func writing(
        _ place: DocumentPlace, options: FileCoordinator.WritingOptions = []
    ) -> FileAccessIntent {
        FileAccessIntent(place: place, kind: .writing(options))
    }

    /// An intent to write an item.
    public static func writing(
        _ reference: DocumentReference, options: FileCoordinator.WritingOptions = []
    ) -> FileAccessIntent {
        writing(DocumentPlace(reference), options: options)
    }

    var isWriting: Bool {
        if case .writing = kind { true } else { false }
    }

    /// Whether the content is read through the claim.
    var readsContent: Bool {
        if case .reading(let options) = kind { options.readsContent } else { false }
    }

    var isForUploading: Bool {
        if case .reading(let options) = kind { options.contains(.forUploading) } else { false }
    }

    /// The same intent, but no presenter is asked to save.
    var withoutChanges: FileAccessIntent {
        guard case .reading(let options) = kind else { return self }
        return FileAccessIntent(place: place, kind: .reading(options.union(.withoutChanges)))
    }

    var wire: Wire.ClaimAccess {
        switch kind {
        case .reading(let options): Wire.ClaimAccess(place: place.wire, writing: false, options: options.names)
        case .writing(let options): Wire.ClaimAccess(place: place.wire, writing: true, options: options.names)
        }
    }
}
