import DocentInterfaces
package import Records
import Rights

/// Where a download begins, and whether the received content is what was promised. Pure.
package enum DownloadPlan {
    /// How many bytes need not be downloaded again.
    ///
    /// - Parameters:
    ///   - length: the length of the partial file in bytes.
    ///   - canResume: whether the provider declared that it can resume.
    /// - Returns: nil to begin with a new file.
    package static func offset(
        _ partial: PartialDownload?, length: Int64, of item: ItemDescription, canResume: Bool
    ) -> Int64? {
        guard canResume, let partial, let version = item.version, partial.version.isSame(as: version) else {
            return nil
        }
        let completed = min(partial.completed, length)
        // A partial download that is longer than the whole is not of this version.
        guard completed > 0, item.size.map({ completed <= $0 }) ?? true else { return nil }
        // A service may refuse an empty range. Requesting the last byte also returns the version.
        let offset = item.size.map { min(completed, $0 - 1) } ?? completed
        return offset > 0 ? offset : nil
    }

    /// What to do with a file that a provider reports as complete.
    package enum Verdict: Hashable, Sendable {
        case complete
        /// Not what was promised; it is discarded.
        case broken(String)
    }

    /// Compares the length of the file with the provider's description.
    ///
    /// - Parameters:
    ///   - said: the item in the provider's last reply; it takes precedence over the description.
    package static func verdict(length: Int64, said: ItemDescription?, described: ItemDescription) -> Verdict {
        guard let declared = said?.size ?? described.size, declared != length else { return .complete }
        // An interrupted transfer is reported as an error; here the provider reported success.
        return .broken("the provider delivered \(length) of \(declared) bytes")
    }

    /// Finds stale bytes after the end of the content, left over from the earlier attempt when a provider starts again.
    ///
    /// - Parameters:
    ///   - offset: the number of bytes that the file already had.
    ///   - began: where the provider says that it began to write.
    /// - Returns: the length to truncate the file to; nil to leave it.
    package static func excess(offset: Int64, began: Int64, completed: Int64, length: Int64) -> Int64? {
        began == 0 && offset > 0 && completed < offset && length == offset ? completed : nil
    }
}
