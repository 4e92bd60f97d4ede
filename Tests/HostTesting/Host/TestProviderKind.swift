package import DocentInterfaces
package import Rights

/// The test providers that a host can have.
package enum TestProviderKind: String, Sendable, CaseIterable {
    /// Its documents are local files.
    case inPlace
    /// Its documents are remote.
    case remote
    /// Its documents are read-only local files.
    case readOnly
    /// The same as in place, with its own picker.
    case ownPicker
    /// Documents can only be added to it.
    case dropBox

    /// Its bundle identifier.
    package var identifier: String { "org.docent.test." + name }

    /// An item of its default domain.
    package func key(_ identifier: String) -> ItemKey { ItemKey(provider: self.identifier, identifier: identifier) }

    /// A place in its default domain.
    package func place(_ path: String) -> Wire.Location {
        Wire.Location(provider: identifier, domain: "", path: path)
    }

    /// The folder that contains all its documents.
    package var root: ItemKey { key(".root") }

    /// The last part of its identifier.
    var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The class of its file provider.
    var providerClass: String {
        switch self {
        case .inPlace, .ownPicker, .dropBox: "InPlaceTestProvider"
        case .remote: "RemoteTestProvider"
        case .readOnly: "ReadOnlyTestProvider"
        }
    }

    /// The class of its picker; nil if the host's own browser is used.
    var pickerClass: String? { self == .ownPicker ? "TestPicker" : nil }

    /// The modes of its picker.
    var modes: [String] {
        switch self {
        case .inPlace, .remote, .ownPicker: ["Import", "Open", "ExportToService", "MoveToService"]
        case .readOnly: ["Import", "Open"]
        case .dropBox: ["ExportToService"]
        }
    }
}
