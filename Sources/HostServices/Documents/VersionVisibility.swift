import DocentInterfaces
import FoundationEssentials
import HostCore
import Records
import RemoteDocuments
import Rights

/// What a client learns of the versions of a document that it may read. An unconfined program learns everything. A
/// confined one was given the document as it is: it does not see what was replaced before, nor who else saves it.
struct VersionVisibility: Sendable {
    private let principal: Principal
    /// The moment from which on versions are seen; nil for all of them.
    private let since: Date?

    /// - Parameter ground: the right by which the client reads the document.
    init(_ principal: Principal, by ground: Grant) {
        self.principal = principal
        since = principal.isConfined ? ground.created : nil
    }

    /// Whether the version exists for the client: it was kept since the right was given, or the client saved it itself.
    func shows(_ version: KeptVersion) -> Bool {
        guard let since else { return true }
        return version.created >= since || version.savedBy == principal
    }

    /// Whether a version that the provider has exists for the client: it was saved since the right was given.
    func shows(_ version: EarlierContent) -> Bool {
        guard let since else { return true }
        return version.saved.map { $0 >= since } ?? false
    }

    /// The description of a version that only the provider has, with what the client may know.
    func shown(_ version: Wire.DocumentVersion) -> Wire.DocumentVersion {
        guard since != nil else { return version }
        var shown = version
        shown.author = nil
        return shown
    }

    /// The description of a version with what the client may know: of its own saves everything, of those of others
    /// neither the program nor the machine.
    func shown(_ version: Wire.DocumentVersion, savedBy saver: Principal?) -> Wire.DocumentVersion {
        guard since != nil, saver != principal else { return version }
        var shown = version
        shown.savedBy = nil
        shown.host = nil
        shown.author = nil
        return shown
    }
}
