package import DocentInterfaces
package import ExtensionManifest

/// What enabling a provider would mean, in words (S3). Pure.
package enum ConsentDescription {
    /// The description that a person reads, and the digest that names it.
    package static func consent(_ provider: KnownProvider) -> Wire.Consent {
        let description = provider.description
        return Wire.Consent(
            provider: provider.identifier, displayName: description.displayName, digest: description.digest,
            isSystem: description.isSystem, manifests: description.extensions.map(\.path),
            libraries: Array(Set(description.extensions.map(\.libraryPath))).sorted(), requests: requests(description),
            problems: description.problems.map { self.problem($0.problem) },
            enabled: provider.state == .ready || provider.state == .quarantined, state: provider.state.rawValue,
            message: provider.quarantineReason)
    }

    /// A problem of a manifest on the wire.
    package static func problem(_ problem: ManifestProblem) -> Wire.Problem {
        Wire.Problem(
            severity: problem.severity.rawValue, key: problem.key, found: problem.found, expected: problem.expected,
            remedy: problem.remedy, message: problem.message)
    }

    private static func requests(_ description: ProviderDescription) -> [Wire.Request] {
        var result: [Wire.Request] = []
        func add(_ kind: String, _ value: String, _ explanation: String) {
            let request = Wire.Request(kind: kind, value: value, explanation: explanation)
            if !result.contains(request) { result.append(request) }
        }
        if let group = description.documentGroup {
            add("document-group", group, "keeps documents in the group \(group)")
        }
        for entitlements in description.extensions.map(\.entitlements) {
            if entitlements.networkClient { add("network", "client", "connects to the network") }
            for path in entitlements.homeReadWrite { add("read-write", "~/" + path, "reads and changes ~/\(path)") }
            for path in entitlements.homeReadOnly { add("read-only", "~/" + path, "reads ~/\(path)") }
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
        return result
    }
}
