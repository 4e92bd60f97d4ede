public import FoundationEssentials
public import UniformTypes

/// A document picker extension without a user interface: the host relays what the user chooses. There is one instance
/// for each presentation. A subclass overrides ``contents(of:page:)`` and ``userDidChoose(_:name:)``, and ends by
/// calling ``dismissGrantingAccess(to:)`` exactly once.
@ExtensionActor
open class DocumentPickerExtension {
    /// How a presentation ended.
    enum Ending: Equatable {
        case granted(URL)
        case cancelled
    }

    /// The purpose with which the picker coordinates its writes to the storage in export and move. If it is
    /// ``providerIdentifier``, the change is not reported to the file provider, because the picker uploads it itself
    /// before it dismisses. Otherwise the change is reported, and the file provider synchronises it. nil by default.
    public final var purposeIdentifier: String?

    /// Reports the progress of a download or upload in ``userDidChoose(_:name:)``. The client sees it, and it extends
    /// the deadline.
    public internal(set) final var progress = TransferProgress()

    private(set) var presentation: DocumentPickerPresentation?
    private(set) var ending: Ending?
    private let report: @Sendable (String) -> Void
    nonisolated let claims: ClaimHub
    private let hub: KeychainHub

    /// Called by the SDK for each presentation.
    public required init(context: DocumentPickerContext) {
        report = context.report
        claims = context.claims
        hub = context.keychain
    }

    /// The mode that the client asked for; nil before ``prepareForPresentation(in:)`` is called.
    public final var documentPickerMode: DocumentPickerMode? { presentation?.mode }

    /// The source file in export and move, at a path where this process can read it; nil otherwise. Read it, do not
    /// rename it. If the sandbox forbids opening a file of another program, this is a private copy in the temporary
    /// folder, made on first use if there is enough room. ``originalFile`` needs no copy.
    public final var originalURL: URL? { presentation?.original?.url }

    /// The same file, open for reading; nil in import and open.
    public final var originalFile: ContentReader? { presentation?.original?.contents }

    /// The client's name of the source file, in export and move.
    public final var originalName: String? { presentation?.originalName }

    /// The types that the client accepts, in import and open; nil otherwise.
    public final var validTypes: [UniformType]? { presentation?.validTypes }

    /// The bundle identifier of the file provider; nil without one.
    public final var providerIdentifier: String? { presentation?.providerIdentifier }

    /// The storage of the file provider; nil without one.
    public final var documentStorageURL: URL? { presentation?.documentStorageURL }

    /// The account that is shown; empty for the default one.
    public final var domainIdentifier: String { presentation?.domain ?? "" }

    /// The secrets of the access groups in the picker's own manifest, which may differ from the file provider's. They
    /// are stored in the user's keyring.
    public final var keychain: Keychain { Keychain(hub: hub, domain: domainIdentifier) }

    /// Called before the picker is used. All properties of the presentation are valid from here on.
    open func prepareForPresentation(in mode: DocumentPickerMode) async throws {}

    /// One page of a folder's entries; "/" is the root folder.
    open func contents(of path: String, page: String?) async throws -> DocumentPickerPage {
        throw FileProviderError(.notSupported, "The picker does not implement contents(of:page:).")
    }

    /// Called when the user has chosen a document (import, open), or a folder and a name in it (export, move).
    ///
    /// - Parameters:
    ///   - path: The path of an entry, or "/".
    ///   - name: The name of the new document, in export and move.
    open func userDidChoose(_ path: String, name: String?) async throws {
        throw FileProviderError(.notSupported, "The picker does not implement userDidChoose(_:name:).")
    }

    /// Called when the host no longer needs the URL. The instance is discarded afterwards.
    open func didDismiss() async {}

    /// Ends the presentation: with the URL that the mode requires, or with nil when the user cancelled. Only the first
    /// call counts; a second one is reported and has no effect.
    public final func dismissGrantingAccess(to url: URL?) {
        guard presentation != nil else {
            report("dismissGrantingAccess was called before prepareForPresentation.")
            return
        }
        guard ending == nil else {
            report("dismissGrantingAccess was called twice in one presentation.")
            return
        }
        ending = url.map { .granted($0) } ?? .cancelled
    }

    final func begin(_ presentation: DocumentPickerPresentation) { self.presentation = presentation }

    final func tell(_ progress: TransferProgress) { self.progress = progress }
}
