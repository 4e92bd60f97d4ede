import DocentInterfaces
package import Records
import Rights

/// Where a download begins, and whether what came is what was promised. Pure.
package enum DownloadPlan {
    /// The bytes that need not be fetched again.
    ///
    /// - Parameters:
    ///   - length: bytes that the file of the partial download has.
    ///   - canResume: whether the provider declared it.
    /// - Returns: nil to begin with a new file.
    package static func offset(
        _ partial: PartialDownload?, length: Int64, of item: ItemDescription, canResume: Bool
    ) -> Int64? {
        guard canResume, let partial, let version = item.version, partial.version.isSame(as: version) else {
            return nil
        }
        let completed = min(partial.completed, length)
        // A partial that is longer than the whole is none of this version.
        guard completed > 0, item.size.map({ completed <= $0 }) ?? true else { return nil }
        // A service may refuse a range of nothing; with the last byte it also says which version it has.
        let offset = item.size.map { min(completed, $0 - 1) } ?? completed
        return offset > 0 ? offset : nil
    }

    /// What is to be done with a file that a provider says is complete.
    package enum Verdict: Hashable, Sendable {
        case complete
        /// Not what was promised; it is thrown away.
        case broken(String)
    }

    /// Compares the length of the file with what the provider says of it.
    ///
    /// - Parameters:
    ///   - said: the item of the provider's last reply, which counts before the description.
    package static func verdict(length: Int64, said: ItemDescription?, described: ItemDescription) -> Verdict {
        guard let declared = said?.size ?? described.size, declared != length else { return .complete }
        // A cut is an error of the provider's; this one said that it was done.
        return .broken("it delivered \(length) of \(declared) bytes")
    }

    /// Bytes that a provider which began again left behind the end of the content: those of the earlier attempt.
    ///
    /// - Parameters:
    ///   - offset: the bytes that were there.
    ///   - began: where the provider says that its writing began.
    /// - Returns: the length to cut the file to; nil to leave it.
    package static func excess(offset: Int64, began: Int64, completed: Int64, length: Int64) -> Int64? {
        began == 0 && offset > 0 && completed < offset && length == offset ? completed : nil
    }
}
