package import ExtensionManifest

extension PickerMode {
    /// The mode's name on the wire and on the command line.
    package var shortName: String {
        switch self {
        case .import: "import"
        case .open: "open"
        case .exportToService: "export"
        case .moveToService: "move"
        }
    }

    /// A mode by its short name.
    package init?(shortName: String) {
        guard let mode = Self.allCases.first(where: { $0.shortName == shortName }) else { return nil }
        self = mode
    }
}
