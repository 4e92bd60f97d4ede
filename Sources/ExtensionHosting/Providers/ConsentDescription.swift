package import DocentInterfaces
package import ExtensionManifest

/// The consequences of enabling a provider, in words. Pure.
package enum ConsentDescription {
    /// The description for the user, with the digest that identifies it.
    ///
    /// - Parameters:
    ///   - folders: where the user's folders are; nil shows those in the home by their names in the manifest.
    ///   - ceilings: the limits set by the administrator.
    package static func consent(
        _ provider: KnownProvider, folders: UserFolders? = nil, ceilings: [ProviderLimits.Kind: Int] = [:]
    ) -> Wire.Consent {
        let description = provider.asked
        return Wire.Consent(
            provider: provider.identifier, displayName: description.displayName, digest: description.digest,
            isSystem: description.isSystem, manifests: description.extensions.map(\.path),
            libraries: Array(Set(description.extensions.map(\.libraryPath))).sorted(),
            requests: description.requests.map { request($0, folders) },
            problems: description.problems.map { self.problem($0.problem, of: $0.path) },
            enabled: provider.state == .ready || provider.state == .quarantined, state: provider.state.rawValue,
            message: provider.quarantineReason, limits: limits(provider.description, ceilings),
            withheld: withheld(provider, folders: folders))
    }

    /// A problem of a manifest on the wire.
    ///
    /// - Parameter path: the manifest, if the message must name it.
    package static func problem(_ problem: ManifestProblem, of path: String? = nil) -> Wire.Problem {
        Wire.Problem(
            severity: problem.severity.rawValue, key: problem.key, found: problem.found, expected: problem.expected,
            remedy: problem.remedy, message: path.map { "\($0): \(problem.message)" } ?? problem.message)
    }

    /// What a provider requests but does not get until the user agrees; nil if nothing.
    package static func withheld(_ provider: KnownProvider, folders: UserFolders? = nil) -> [Wire.Request]? {
        provider.withheld.isEmpty ? nil : provider.withheld.map { request($0, folders) }
    }

    private static func request(_ request: ProviderRequest, _ folders: UserFolders?) -> Wire.Request {
        let value = request.value
        func said(_ kind: String, _ value: String, _ explanation: String) -> Wire.Request {
            Wire.Request(kind: kind, value: value, explanation: explanation)
        }
        func shown() -> String { folders.map { $0.displayed($0.path(of: value)) } ?? "~/" + value }
        switch request.kind {
        case .documentGroup: return said("document-group", value, "keeps documents in the group \(value)")
        case .network: return said("network", "client", "connects to the network")
        case .homeReadWrite: return said("read-write", shown(), "reads and changes \(shown())")
        case .homeReadOnly: return said("read-only", shown(), "reads \(shown())")
        case .absoluteReadWrite: return said("read-write", value, "reads and changes \(value)")
        case .absoluteReadOnly: return said("read-only", value, "reads \(value)")
        case .spawn: return said("spawn", value, "starts the program \(value)")
        case .loopbackListener:
            return said("listener", "127.0.0.1", "accepts connections from programs on this machine")
        case .keychainGroup: return said("keychain-group", value, "uses the credentials of the group \(value)")
        case .memory, .processes, .disk, .files, .processorWeight:
            guard let limit = request.limit else { return said("limit", value, "uses more of this machine") }
            return said(
                "limit", "\(limit.kind.rawValue) \(limit.kind.text(limit.amount))", words(limit.kind, limit.amount))
        }
    }

    private static func words(_ kind: ProviderLimits.Kind, _ amount: Int) -> String {
        let (text, standard) = (kind.text(amount), kind.text(kind.standard))
        return switch kind {
        case .memory: "uses up to \(text) of memory, where \(standard) is usual"
        case .processes: "has up to \(text) processes and threads, where \(standard) is usual"
        case .disk: "keeps up to \(text) on disk, where \(standard) is usual"
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
