import Documents

/// The names of the versions of a document as files: when they were saved, as `2026-11-23T10:15:00Z`. Pure.
enum VersionNames {
    /// The names of versions, in their order.
    ///
    /// Of several that were saved within a second, the first that was saved has the plain name, so that a name keeps
    /// its meaning when later versions come; the others have their identifier in theirs.
    ///
    /// - Parameter versions: the newest first.
    static func names(of versions: [FileVersion]) -> [String] {
        var used: Set<String> = []
        return versions.reversed().map { version in
            let plain = MomentFormat.text((version.modificationDate ?? version.keptDate ?? 0).rounded(.down))
            guard !used.insert(plain).inserted else { return plain }
            let identifier = version.persistentIdentifier.utf8.prefix(64).map {
                $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0
            }
            return "\(plain)~\(String(decoding: identifier, as: UTF8.self))"
        }.reversed()
    }
}
