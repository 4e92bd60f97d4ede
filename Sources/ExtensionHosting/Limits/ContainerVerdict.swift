package import ExtensionManifest

/// The verdict on the contents of a container. Pure.
package enum ContainerVerdict: Sendable, Hashable {
    /// Within all limits.
    case within
    /// Nothing more may be added; the text says what is too much.
    case full(String)
    /// The provider must be ended as well.
    case overflowing(String)

    /// How far a container may exceed a limit before its provider is ended: work in progress may finish.
    package static func margin(_ limit: Int, _ kind: ProviderLimits.Kind) -> Int {
        max(limit / 4, kind == .disk ? 4 << 20 : 64)
    }

    /// Compares a container's usage with its limits.
    package init(_ usage: ContainerUsage, _ limits: ProviderLimits) {
        let bytes =
            "\(SizeText.rounded(usage.bytes)) in its container, more than its limit of \(SizeText.text(limits.disk))"
        let files = "\(usage.files) files in its container, more than its limit of \(limits.files)"
        if usage.isIncomplete {
            self = .overflowing("folders in its container that are nested too deeply to be counted")
        } else if usage.bytes > limits.disk + Self.margin(limits.disk, .disk) {
            self = .overflowing(bytes)
        } else if usage.files > limits.files + Self.margin(limits.files, .files) {
            self = .overflowing("more than \(limits.files) files in its container, which is its limit")
        } else if usage.bytes > limits.disk {
            self = .full(bytes)
        } else if usage.files > limits.files {
            self = .full(files)
        } else {
            self = .within
        }
    }

    /// The excess, for people; nil if there is none.
    package var excess: String? {
        switch self {
        case .within: nil
        case .full(let text), .overflowing(let text): text
        }
    }
}
