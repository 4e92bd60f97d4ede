/// The sizes in which pictures are kept: those of the desktop's own cache.
package enum ThumbnailSize: Int, CaseIterable, Sendable {
    case normal = 128
    case large = 256
    case extraLarge = 512
    case doubleExtraLarge = 1024

    /// The smallest one of at least so many pixels; nil if there is none, and for a number that is not positive.
    package init?(atLeast pixels: Int) {
        guard pixels > 0, let size = Self.allCases.first(where: { $0.rawValue >= pixels }) else { return nil }
        self = size
    }

    /// How many pixels the longer side has at most.
    package var pixels: Int { rawValue }

    /// The name of the folder for pictures of this size.
    package var folder: String {
        switch self {
        case .normal: "normal"
        case .large: "large"
        case .extraLarge: "x-large"
        case .doubleExtraLarge: "xx-large"
        }
    }
}
