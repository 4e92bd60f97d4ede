/// What a picker lets a user do. The raw values are the strings of `UIDocumentPickerModes`.
package enum PickerMode: String, Sendable, Codable, CaseIterable {
    /// Take a private copy of a document.
    case `import` = "UIDocumentPickerModeImport"
    /// Edit the original in place; needs a file provider.
    case open = "UIDocumentPickerModeOpen"
    /// Put a copy into the service.
    case exportToService = "UIDocumentPickerModeExportToService"
    /// Move a document into the service; needs a file provider.
    case moveToService = "UIDocumentPickerModeMoveToService"

    /// Whether the mode is only valid together with a file provider extension.
    package var needsFileProvider: Bool {
        self == .open || self == .moveToService
    }

    /// The mode that was probably meant by an invalid string: a typo, another case, or the short name.
    package static func nearest(to text: String) -> PickerMode {
        let wanted = text.lowercased()
        let words: [(String, PickerMode)] = [
            ("import", .import), ("open", .open), ("export", .exportToService), ("move", .moveToService),
        ]
        if let match = words.first(where: { wanted.contains($0.0) }) { return match.1 }
        let name = DisplayText.nearest(to: text, among: allCases.map(\.rawValue), within: .max)
        return name.flatMap { PickerMode(rawValue: $0) } ?? .import
    }
}
