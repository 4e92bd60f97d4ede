/// Decides which manifests are used and joins them to providers. Pure.
struct ProviderAssembly {
    private struct Bucket {
        let identifier: String
        var pickers: [ExtensionManifest] = []
        var fileProviders: [ExtensionManifest] = []
    }

    private let findings: [ManifestFinding]
    private var outcome = DiscoveryResult()

    /// - Parameter findings: in the order of the search path.
    init(findings: [ManifestFinding]) {
        self.findings = findings
    }

    func result() -> DiscoveryResult {
        var copy = self
        return copy.assemble()
    }

    private mutating func assemble() -> DiscoveryResult {
        for finding in findings where finding.report.manifest == nil {
            let broken = BrokenManifest(
                path: finding.report.path, bundleIdentifier: finding.report.bundleIdentifier, origin: finding.origin,
                problems: finding.report.problems)
            if broken.problems.containsError { outcome.broken.append(broken) } else { outcome.ignored.append(broken) }
        }
        var buckets = joinedByGroup(buckets(of: chosen()))
        buckets.sort { $0.identifier < $1.identifier }
        for bucket in buckets { describe(bucket) }
        nameLocations()
        return outcome
    }

    /// The manifests that are used: explicit ones take precedence over system ones, and those over the user's. This
    /// applies to each provider as a whole, so that a user's manifest neither replaces nor extends a system provider.
    private mutating func chosen() -> [ExtensionManifest] {
        let manifests = findings.compactMap(\.report.manifest)
        let rank: [ManifestSearchPath.Origin: Int] = [.explicit: 0, .system: 1, .user: 2]
        var best: [String: ExtensionManifest] = [:]
        for manifest in manifests {
            let earlier = best[manifest.containingIdentifier]
            if rank[manifest.origin, default: 3] < earlier.flatMap({ rank[$0.origin] }) ?? 3 {
                best[manifest.containingIdentifier] = manifest
            }
        }
        var used: [String: ExtensionManifest] = [:]
        var result: [ExtensionManifest] = []
        for manifest in manifests {
            guard let winner = best[manifest.containingIdentifier] else { continue }
            if manifest.origin != winner.origin {
                if winner.origin == .system {
                    refuse(manifest, [shadowsSystem(manifest, winner)])
                } else {
                    shadow(manifest, by: winner)
                }
            } else if let first = used[manifest.bundleIdentifier] {
                if Paths.parent(of: first.path) == Paths.parent(of: manifest.path) {
                    refuse(manifest, [duplicate(manifest, first)])
                } else {
                    shadow(manifest, by: first)
                }
            } else {
                used[manifest.bundleIdentifier] = manifest
                result.append(manifest)
            }
        }
        return result
    }

    private func buckets(of manifests: [ExtensionManifest]) -> [Bucket] {
        var buckets: [String: Bucket] = [:]
        for manifest in manifests {
            let identifier = manifest.containingIdentifier
            switch manifest.point {
            case .picker: buckets[identifier, default: Bucket(identifier: identifier)].pickers.append(manifest)
            case .fileProvider:
                buckets[identifier, default: Bucket(identifier: identifier)].fileProviders.append(manifest)
            }
        }
        return buckets.values.sorted { $0.identifier < $1.identifier }
    }

    /// Joins a picker to the only file provider without a picker that has its document group and the same kind of
    /// origin.
    private func joinedByGroup(_ buckets: [Bucket]) -> [Bucket] {
        var result = buckets
        for bucket in buckets where bucket.fileProviders.isEmpty {
            guard let picker = bucket.pickers.first else { continue }
            let groups = picker.documentGroup.map { [$0] } ?? picker.entitlements.applicationGroups
            let matches = result.indices.filter { index in
                guard result[index].pickers.isEmpty, let other = result[index].fileProviders.first,
                    other.origin == picker.origin, let group = other.documentGroup
                else { return false }
                return groups.contains(group)
            }
            guard matches.count == 1, let match = matches.first else { continue }
            result[match].pickers = bucket.pickers
            result.removeAll { $0.identifier == bucket.identifier }
        }
        return result
    }

    private mutating func describe(_ bucket: Bucket) {
        for kind in [bucket.fileProviders, bucket.pickers] {
            for extra in kind.dropFirst() { refuse(extra, [second(extra, kind[0], bucket.identifier)]) }
        }
        let fileProvider = bucket.fileProviders.first
        var picker = bucket.pickers.first
        if let found = picker, fileProvider == nil {
            let illegal = modesWithoutProvider(found)
            if !illegal.isEmpty {
                refuse(found, illegal)
                picker = nil
            }
        }
        if let found = picker, let group = fileProvider?.documentGroup,
            !found.entitlements.applicationGroups.contains(group)
        {
            picker?.problems.append(unreachableGroup(group).namingPlace)
        }
        guard fileProvider != nil || picker != nil else { return }
        outcome.providers.append(
            ProviderDescription(identifier: bucket.identifier, fileProvider: fileProvider, picker: picker))
    }

    private mutating func nameLocations() {
        let names = outcome.providers.map { $0.identifier.split(separator: ".").last.map(String.init) ?? "" }
        let counts = Dictionary(names.map { ($0.lowercased(), 1) }, uniquingKeysWith: +)
        for (index, name) in names.enumerated() {
            let isUnique = counts[name.lowercased()] == 1
            outcome.providers[index].locationName = isUnique ? name : outcome.providers[index].identifier
        }
    }

    private mutating func refuse(_ manifest: ExtensionManifest, _ problems: [ManifestProblem]) {
        outcome.broken.append(
            BrokenManifest(
                path: manifest.path, bundleIdentifier: manifest.bundleIdentifier, origin: manifest.origin,
                problems: problems.map(\.namingPlace) + manifest.problems))
    }

    private mutating func shadow(_ manifest: ExtensionManifest, by winner: ExtensionManifest) {
        outcome.shadowed.append(
            ShadowedManifest(
                path: manifest.path, bundleIdentifier: manifest.bundleIdentifier, origin: manifest.origin,
                shadowedBy: winner.path))
    }

    /// One problem for each mode that a picker without a file provider must not list.
    private func modesWithoutProvider(_ picker: ExtensionManifest) -> [ManifestProblem] {
        let broken = outcome.broken.first { other in
            other.bundleIdentifier.map { ExtensionManifest.containingIdentifier(of: $0) }
                == picker.containingIdentifier
        }
        let listed = picker.attributes[ManifestKey.pickerModes.rawValue]?.arrayValue ?? []
        return picker.modes.filter(\.needsFileProvider).map { mode in
            let index = listed.firstIndex(of: .string(mode.rawValue)).map { "[\($0)]" } ?? ""
            return .error(
                "\(ManifestParser.attributesPath).\(ManifestKey.pickerModes.rawValue)\(index)", found: mode.rawValue,
                expected: "import and export only, or a file provider extension for \(picker.containingIdentifier)",
                remedy: broken.map { "Correct \(DisplayText.quoted($0.path)) first." }
                    ?? "Remove the mode, or install the file provider's manifest.",
                message: "The picker lists \(mode.rawValue), which needs a file provider extension, but "
                    + (broken == nil ? "there is none." : "its own is broken."))
        }
    }

    private func shadowsSystem(_ manifest: ExtensionManifest, _ winner: ExtensionManifest) -> ManifestProblem {
        .error(
            ManifestKey.bundleIdentifier.rawValue, found: manifest.bundleIdentifier,
            expected: "an identifier outside \(winner.containingIdentifier)",
            remedy: "Use another identifier, or name the directory in DOCENT_MANIFEST_PATH.",
            message: "The provider \(winner.containingIdentifier) is installed for the whole system "
                + "(\(DisplayText.quoted(winner.path))), and a user's manifest cannot replace or extend it.")
    }

    private func duplicate(_ manifest: ExtensionManifest, _ first: ExtensionManifest) -> ManifestProblem {
        .error(
            ManifestKey.bundleIdentifier.rawValue, found: manifest.bundleIdentifier,
            expected: "an identifier of its own",
            remedy: "Give each extension an identifier of its own, or remove one of the two files.",
            message: "\(manifest.bundleIdentifier) is already the identifier of \(DisplayText.quoted(first.path)).")
    }

    private func second(
        _ extra: ExtensionManifest, _ first: ExtensionManifest, _ identifier: String
    ) -> ManifestProblem {
        .error(
            "\(ManifestKey.extension.rawValue).\(ManifestKey.extensionPoint.rawValue)", found: extra.point.rawValue,
            expected: "one extension of this kind for \(identifier)",
            remedy: "Remove one of the two manifests, or give it another containing identifier.",
            message: "\(identifier) already has an extension of this kind: \(DisplayText.quoted(first.path)).")
    }

    private func unreachableGroup(_ group: String) -> ManifestProblem {
        .warning(
            ManifestKey.applicationGroups.rawValue, found: "no \(group)",
            expected: "the provider's document group \(group)",
            remedy: "Add \(group) to \(ManifestKey.applicationGroups.rawValue) of the picker.",
            message: "The picker cannot reach the document group \(group) of its file provider.")
    }
}
