public import FoundationEssentials
public import UniformTypes

/// A document picker extension (section B), driven by the host as a scripted user: one instance for each
/// presentation. A subclass overrides ``contents(of:page:)`` and ``userDidChoose(_:name:)``, and ends by calling
/// ``dismissGrantingAccess(to:)`` exactly once.
@ExtensionActor
open class DocumentPickerExtension {
    /// How a presentation ended.
    enum Ending: Equatable {
        case granted(URL)
        case cancelled
    }

    /// The purpose under which the picker coordinates what it writes to the storage in export and move (H3). With
    /// ``providerIdentifier`` the file provider is not told that the file changed, because the picker brings it to its service
    /// itself, before it dismisses (C7); otherwise it is told, and synchronises (C8). nil unless set.
    public final var purposeIdentifier: String?

    /// Tells the host how far ``userDidChoose(_:name:)`` has come with bringing a document here or to the service (C6, C7, N8), which
    /// also extends its deadline; the client sees it.
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

    /// What the client wants; nil before ``prepareForPresentation(in:)`` is called (B3).
    public final var documentPickerMode: DocumentPickerMode? { presentation?.mode }

    /// The source file in export and move, at a path where this process can read it; nil otherwise (B4). Read it, do not
    /// rename it. In a sandbox that forbids to open a file of somebody else's it is a private copy in the temporary folder, made when this is asked
    /// for first, as far as there is room; ``originalFile`` needs none.
    public final var originalURL: URL? { presentation?.original?.url }

    /// The same file, open for reading; nil in import and open.
    public final var originalFile: ContentReader? { presentation?.original?.contents }

    /// The name that the source file has at the client, in export and move.
    public final var originalName: String? { presentation?.originalName }

    /// The types that the client can use, in import and open; nil otherwise (B5).
    public final var validTypes: [UniformType]? { presentation?.validTypes }

    /// The bundle identifier of the file provider; nil without one (B6, X2).
    public final var providerIdentifier: String? { presentation?.providerIdentifier }

    /// The storage of the file provider; nil without one (B6, X2).
    public final var documentStorageURL: URL? { presentation?.documentStorageURL }

    /// The account that is shown; empty for the default one.
    public final var domainIdentifier: String { presentation?.domain ?? "" }

    /// The secrets of the picker's access groups, in the user's keyring (O6): those of the picker's own manifest, which need not be the file
    /// provider's.
    public final var keychain: Keychain { Keychain(hub: hub, domain: domainIdentifier) }

    /// The picker is about to be used. Everything that describes the presentation is valid from here on.
    open func prepareForPresentation(in mode: DocumentPickerMode) async throws {}

    /// What the picker shows in a folder; "/" is the top.
    open func contents(of path: String, page: String?) async throws -> DocumentPickerPage {
        throw FileProviderError(.notSupported, "The picker does not implement contents(of:page:).")
    }

    /// The user chose a document (import, open), or a folder and a name in it (export, move).
    ///
    /// - Parameters:
    ///   - path: The path of an entry, or "/".
    ///   - name: The name of the new document, in export and move.
    open func userDidChoose(_ path: String, name: String?) async throws {
        throw FileProviderError(.notSupported, "The picker does not implement userDidChoose(_:name:).")
    }

    /// The host has done what it had to do with the URL; the instance is about to go.
    open func didDismiss() async {}

    /// Ends the presentation: with the URL that the mode asks for (section C), or with nil when the user cancelled.
    /// Only the first call counts; a further one is reported and changes nothing (complaint 15).
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
