package import ExtensionManifest

/// What follows from what a container holds. Pure.
package enum ContainerVerdict: Sendable, Hashable {
    /// All is well.
    case within
    /// Nothing more is put in; the text says what is too much.
    case full(String)
    /// Its provider is ended as well.
    case overflowing(String)

    /// How far beyond a limit a container may go before its provider is ended: what is under way may come to its end.
    package static func margin(_ limit: Int, _ kind: ProviderLimits.Kind) -> Int {
        max(limit / 4, kind == .disk ? 4 << 20 : 64)
    }

    /// Judges.
    package init(_ usage: ContainerUsage, _ limits: ProviderLimits) {
        let bytes =
            "\(SizeText.rounded(usage.bytes)) in its container, more than the \(SizeText.text(limits.disk)) that it may"
        let files = "\(usage.files) files in its container, more than the \(limits.files) that it may"
        if usage.isIncomplete {
            self = .overflowing("folders in its container that are nested too deep to be counted")
        } else if usage.bytes > limits.disk + Self.margin(limits.disk, .disk) {
            self = .overflowing(bytes)
        } else if usage.files > limits.files + Self.margin(limits.files, .files) {
            self = .overflowing("more than \(limits.files) files in its container, which is all that it may")
        } else if usage.bytes > limits.disk {
            self = .full(bytes)
        } else if usage.files > limits.files {
            self = .full(files)
        } else {
            self = .within
        }
    }

    /// What is too much, for people; nil where nothing is.
    package var excess: String? {
        switch self {
        case .within: nil
        case .full(let text), .overflowing(let text): text
        }
    }
}
