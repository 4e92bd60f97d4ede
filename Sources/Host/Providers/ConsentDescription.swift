package import DocentInterfaces
package import ExtensionManifest

/// What enabling a provider would mean, in words (S3). Pure.
package enum ConsentDescription {
    /// The description that a person reads, and the digest that names it.
    ///
    /// - Parameters:
    ///   - folders: where the user's folders are; nil shows those of the home by the names in the manifest.
    ///   - ceilings: the most that the administrator lets any provider use.
    package static func consent(
        _ provider: KnownProvider, folders: UserFolders? = nil, ceilings: [ProviderLimits.Kind: Int] = [:]
    ) -> Wire.Consent {
        let description = provider.description
        return Wire.Consent(
            provider: provider.identifier, displayName: description.displayName, digest: description.digest,
            isSystem: description.isSystem, manifests: description.extensions.map(\.path),
            libraries: Array(Set(description.extensions.map(\.libraryPath))).sorted(),
            requests: requests(description, folders),
            problems: description.problems.map { self.problem($0.problem, of: $0.path) },
            enabled: provider.state == .ready || provider.state == .quarantined, state: provider.state.rawValue,
            message: provider.quarantineReason, limits: limits(description, ceilings))
    }

    /// A problem of a manifest on the wire.
    ///
    /// - Parameter path: the manifest, where it is to be named in the message.
    package static func problem(_ problem: ManifestProblem, of path: String? = nil) -> Wire.Problem {
        Wire.Problem(
            severity: problem.severity.rawValue, key: problem.key, found: problem.found, expected: problem.expected,
            remedy: problem.remedy, message: path.map { "\($0): \(problem.message)" } ?? problem.message)
    }

    private static func requests(_ description: ProviderDescription, _ folders: UserFolders?) -> [Wire.Request] {
        var result: [Wire.Request] = []
        func add(_ kind: String, _ value: String, _ explanation: String) {
            let request = Wire.Request(kind: kind, value: value, explanation: explanation)
            if !result.contains(request) { result.append(request) }
        }
        func shown(_ path: String) -> String { folders.map { $0.displayed($0.path(of: path)) } ?? "~/" + path }
        if let group = description.documentGroup {
            add("document-group", group, "keeps documents in the group \(group)")
        }
        for entitlements in description.extensions.map(\.entitlements) {
            if entitlements.networkClient { add("network", "client", "connects to the network") }
            for path in entitlements.homeReadWrite.map(shown) { add("read-write", path, "reads and changes \(path)") }
            for path in entitlements.homeReadOnly.map(shown) { add("read-only", path, "reads \(path)") }
            for path in entitlements.absoluteReadWrite { add("read-write", path, "reads and changes \(path)") }
            for path in entitlements.absoluteReadOnly { add("read-only", path, "reads \(path)") }
            for path in entitlements.spawn { add("spawn", path, "starts the program \(path)") }
            if entitlements.loopbackListener {
                add("listener", "127.0.0.1", "takes connections from programs of this machine")
            }
            for group in entitlements.keychainAccessGroups {
                add("keychain-group", group, "uses the credentials of the group \(group)")
            }
        }
        let asked = description.limits
        for kind in asked.raised {
            add("limit", "\(kind.rawValue) \(kind.text(asked[kind]))", words(kind, asked[kind]))
        }
        return result
    }

    private static func words(_ kind: ProviderLimits.Kind, _ amount: Int) -> String {
        let (text, standard) = (kind.text(amount), kind.text(kind.standard))
        return switch kind {
        case .memory: "uses up to \(text) of memory, where \(standard) is usual"
        case .processes: "has up to \(text) processes and threads, where \(standard) is usual"
        case .disk: "keeps up to \(text) on the disk, where \(standard) is usual"
        case .files: "keeps up to \(text) files, where \(standard) is usual"
        case .processorWeight: "takes a larger share of a busy processor, \(text) where \(standard) is usual"
        }
    }

    private static func limits(
        _ description: ProviderDescription, _ ceilings: [ProviderLimits.Kind: Int]
    ) -> [Wire.Limit] {
        let limits = description.limits.capped(by: ceilings)
        return ProviderLimits.Kind.allCases.map { kind in
            Wire.Limit(
                kind: kind.rawValue, amount: limits[kind], text: kind.text(limits[kind]), standard: kind.standard)
        }
    }
}
