/// Reads the entitlements at the top level of a manifest and refuses those that would defeat the sandbox.
struct EntitlementsParser {
    let environment: ManifestEnvironment
    let variables: BuildVariables

    func parse(_ manifest: DictionaryReader, _ problems: inout [ManifestProblem]) -> Entitlements {
        var result = Entitlements()
        result.applicationGroups = names(manifest, .applicationGroups, &problems)
        result.keychainAccessGroups = keychainGroups(manifest, &problems)
        result.networkClient = manifest.boolean(.networkClient, &problems) ?? false
        result.homeReadWrite = paths(manifest, .homeReadWrite, belowHome: true, &problems)
        result.homeReadOnly = paths(manifest, .homeReadOnly, belowHome: true, &problems)
        result.absoluteReadWrite = paths(manifest, .absoluteReadWrite, belowHome: false, &problems)
        result.absoluteReadOnly = paths(manifest, .absoluteReadOnly, belowHome: false, &problems)
        result.spawn = programs(manifest, &problems)
        result.loopbackListener = manifest.boolean(.loopbackListener, &problems) ?? false
        return result
    }

    /// The groups that extensions share in the keyring, without those that the daemon reserves for itself.
    private func keychainGroups(_ manifest: DictionaryReader, _ problems: inout [ManifestProblem]) -> [String] {
        var groups = names(manifest, .keychainAccessGroups, &problems)
        let key = manifest.keyPath(.keychainAccessGroups)
        for group in groups where ManifestNames.isReserved(keychainGroup: group) {
            problems.append(
                .error(
                    key, found: DisplayText.quoted(group), expected: "a group of your own",
                    remedy: "Begin the group with your own reverse DNS name.",
                    message: "\(DisplayText.quoted(group)) is reserved for Docent's own secrets in the keyring."))
        }
        groups.removeAll(where: ManifestNames.isReserved)
        if groups.count > ManifestNames.maximumKeychainGroups {
            problems.append(
                .error(
                    key, found: "\(groups.count) groups", expected: "at most \(ManifestNames.maximumKeychainGroups)",
                    remedy: "Keep several secrets in one group, by account.",
                    message: "\(key) has \(groups.count) groups, more than the \(ManifestNames.maximumKeychainGroups) "
                        + "that are possible."))
        }
        return groups
    }

    private func names(
        _ manifest: DictionaryReader, _ key: ManifestKey, _ problems: inout [ManifestProblem]
    ) -> [String] {
        var result: [String] = []
        var seen: Set<String> = []
        for (path, text) in manifest.strings(key, &problems) ?? [] {
            let unknown = variables.expand(text).unknown
            if let problem = ManifestNames.problem(ofGroup: text, unknown: unknown, path) {
                problems.append(problem)
            } else if seen.insert(text).inserted {
                result.append(text)
            }
        }
        return result
    }

    private func paths(
        _ manifest: DictionaryReader, _ entitlement: ManifestKey, belowHome isRelative: Bool,
        _ problems: inout [ManifestProblem]
    ) -> [String] {
        let entries = manifest.strings(entitlement, &problems) ?? []
        guard !entries.isEmpty else { return [] }
        // Each is looked up in the file system, so not once for each entry.
        let homes = Self.spellings(of: [environment.home])
        let protected = Self.spellings(of: environment.protectedDirectories)
        var result: [String] = []
        var seen: Set<String> = []
        for (key, text) in entries {
            guard let absolute = absolutePath(text, isRelative: isRelative) else {
                problems.append(
                    refusal(
                        key, text, isRelative ? "a path below the home, such as /Documents/" : "an absolute path",
                        "has \"..\", control characters, or is not \(isRelative ? "below the home" : "absolute")"))
                continue
            }
            if let reason = Self.reason(against: absolute, homes: homes, protected: protected) {
                problems.append(refusal(key, text, "a directory of documents", reason))
                continue
            }
            let path = isRelative ? relative(text) : absolute
            if entitlement == .homeReadWrite, path.utf8.first == UInt8(ascii: ".") {
                problems.append(warningAboutSettings(key, text))
            }
            if seen.insert(path).inserted { result.append(path) }
        }
        return result
    }

    /// `/Documents/` and `Documents` are the same path below the home.
    private func relative(_ text: String) -> String {
        (Paths.normalized(text) ?? "").utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            .joined(separator: "/")
    }

    private func absolutePath(_ text: String, isRelative: Bool) -> String? {
        guard !DisplayText.isDeceptive(text), text.utf8.count < 4096, let path = Paths.normalized(text),
            variables.expand(text).unknown.isEmpty, !text.hasPrefix("~")
        else { return nil }
        guard isRelative else { return Paths.isAbsolute(path) ? path : nil }
        let below = relative(text)
        return below.isEmpty ? environment.home : Paths.join(environment.home, below)
    }

    /// Each path as written, and without links.
    private static func spellings(of paths: [String]) -> [String] {
        paths.flatMap { [$0, Paths.canonical($0) ?? $0] }
    }

    /// Why a path cannot be an entitlement, or nil. Both the path as written and its target are checked.
    private static func reason(against path: String, homes: [String], protected: [String]) -> String? {
        for candidate in [path, Paths.canonicalAsFarAsItExists(path)] {
            if candidate == "/" { return "is the root of the file system" }
            if homes.contains(where: { Paths.contains(candidate, $0) }) {
                return "is the home itself or holds it"
            }
            for directory in protected where Paths.contains(directory, candidate) {
                return "lies in \(DisplayText.quoted(directory)), which no extension may reach"
            }
            for directory in protected where Paths.contains(candidate, directory) {
                return "holds \(DisplayText.quoted(directory)), which no extension may reach"
            }
        }
        return nil
    }

    private func programs(_ manifest: DictionaryReader, _ problems: inout [ManifestProblem]) -> [String] {
        var result: [String] = []
        var seen: Set<String> = []
        let entries = manifest.strings(.spawn, &problems) ?? []
        guard !entries.isEmpty else { return [] }
        let (homes, protected) = (
            Self.spellings(of: [environment.home]), Self.spellings(of: environment.protectedDirectories)
        )
        for (key, text) in entries {
            guard Paths.isAbsolute(text), text.utf8.last != UInt8(ascii: "/"), !DisplayText.isDeceptive(text),
                text.utf8.count < 4096, variables.expand(text).unknown.isEmpty,
                let path = Paths.normalized(text)
            else {
                problems.append(
                    refusal(key, text, "the absolute path of a program", "is not the absolute path of a program"))
                continue
            }
            if let reason = Self.reason(against: path, homes: homes, protected: protected) {
                problems.append(refusal(key, text, "the absolute path of a program", reason))
                continue
            }
            if seen.insert(path).inserted { result.append(path) }
        }
        return result
    }

    private func refusal(_ key: String, _ text: String, _ expected: String, _ reason: String) -> ManifestProblem {
        .error(
            key, found: DisplayText.quoted(text), expected: expected,
            remedy: "Ask for the smallest directory that the provider needs, or remove the entry.",
            message: "The entitlement for \(DisplayText.quoted(text)) is refused: the path \(reason).")
    }

    private func warningAboutSettings(_ key: String, _ text: String) -> ManifestProblem {
        .warning(
            key, found: DisplayText.quoted(text), expected: "a directory of documents",
            remedy: "Ask for read-only access, or for a directory that holds no settings.",
            message: "\(DisplayText.quoted(text)) holds settings; who may change them may run programs outside the "
                + "sandbox.")
    }
}
