package import Documents

/// Something that the window waits for after a choice.
package struct WindowWork: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// What a link leads to.
        case following
        /// What has the chosen name already.
        case lookingUp
        /// Making a folder.
        case makingFolder
        /// Fetching the content.
        case downloading
        /// Passing the choice on to the program that asked.
        case committing
    }

    package let kind: Kind
    /// Reports of others are ignored.
    package let serial: Int
    /// What was chosen.
    package let answer: DialogAnswer
    /// What is fetched; empty for other kinds.
    package var missing: [DocumentLocation] = []
    /// Whether the content of everything that was chosen is here, though not the newest.
    package var hasCopies = false
    /// How far the download is; nil before the first report.
    package var progress: DownloadProgress?

    package init(kind: Kind, serial: Int, answer: DialogAnswer) {
        self.kind = kind
        self.serial = serial
        self.answer = answer
    }

    /// Whether it can be ended. What was passed on, and what makes something, cannot be taken back.
    package var canStop: Bool { kind != .committing && kind != .makingFolder }

    /// The part that is done, from 0 to 1; nil while that is unknown.
    package var fraction: Double? {
        guard let progress, let total = progress.totalBytes, total > 0 else { return nil }
        return min(1, max(0, Double(progress.completedBytes) / Double(total)))
    }

    /// The seconds that are left at the present rate; nil while that is unknown.
    package var secondsLeft: Int? {
        guard let progress, let total = progress.totalBytes, let rate = progress.bytesPerSecond, rate >= 1 else {
            return nil
        }
        let seconds = (Double(max(0, total - progress.completedBytes)) / rate).rounded(.up)
        return seconds < 360_000 ? Int(seconds) : nil
    }
}
