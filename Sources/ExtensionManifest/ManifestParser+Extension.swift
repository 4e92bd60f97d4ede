/// The keys of `NSExtension`.
extension ManifestParser {
    static let standardBrowser = "MainInterface"
    static let attributesPath = "\(ManifestKey.extension.rawValue).\(ManifestKey.attributes.rawValue)"

    /// The attributes. Real manifests have some of them in `NSExtensionAttributes` and some beside it.
    mutating func attributes(_ reader: DictionaryReader) -> DictionaryReader {
        let nested = reader.dictionary(.attributes, &problems)
        var values = nested?.values ?? [:]
        values.merge(reader.values.filter { $0.key != ManifestKey.attributes.rawValue }) { $1 }
        return DictionaryReader(values: values, path: reader.path)
    }

    /// The reader for the dictionary that really contains the key.
    private func holder(of key: ManifestKey, _ attributes: DictionaryReader) -> DictionaryReader {
        let isNested = contents[ManifestKey.extension.rawValue]?[key.rawValue] == nil
        return DictionaryReader(values: attributes.values, path: isNested ? Self.attributesPath : attributes.path)
    }

    mutating func documentGroup(
        _ reader: DictionaryReader, _ point: ExtensionPoint, _ entitlements: Entitlements
    ) -> String? {
        let key = reader.keyPath(.documentGroup)
        guard let group = reader.string(.documentGroup, &problems) else {
            if point == .fileProvider, reader[.documentGroup] == nil {
                problems.append(
                    .note(
                        key, found: "nothing", expected: "a group such as group.org.example.Drive",
                        remedy: "Add a group if picker and provider share files.",
                        message: "The file provider names no document group, as replicated providers do."))
            }
            return nil
        }
        let unknown = variables.expand(group).unknown
        if let problem = ManifestNames.problem(ofGroup: group, unknown: unknown, key) {
            problems.append(problem)
            return nil
        }
        let shown = DisplayText.quoted(group)
        if !group.hasPrefix("group.") {
            problems.append(
                .warning(
                    key, found: shown, expected: "\"group.\(group)\"", remedy: "Begin the group with \"group.\".",
                    message: "The document group \(shown) lacks the prefix \"group.\"."))
        }
        if !entitlements.applicationGroups.contains(group) {
            problems.append(
                .error(
                    key, found: shown, expected: "a group listed in \(ManifestKey.applicationGroups.rawValue)",
                    remedy:
                        "Add \(shown) to \(ManifestKey.applicationGroups.rawValue) at the top level of the manifest.",
                    message: "The document group \(shown) is not among the extension's application groups."))
        }
        return group
    }

    mutating func entryPoint(
        _ reader: DictionaryReader, _ point: ExtensionPoint
    ) -> (principalClass: String?, storyboard: String?) {
        let storyboard = reader.string(.mainStoryboard, &problems)
        let principal = principalClass(reader)
        let key = reader.keyPath(.mainStoryboard)
        if let storyboard {
            let shown = DisplayText.quoted(storyboard)
            if point == .fileProvider || reader[.principalClass] != nil {
                problems.append(
                    .warning(
                        key, found: shown, expected: "either a principal class or a main storyboard",
                        remedy: "Remove \(ManifestKey.mainStoryboard.rawValue).",
                        message: point == .fileProvider
                            ? "A file provider has no user interface; its storyboard is ignored."
                            : "Both a principal class and a main storyboard are named; the class counts."))
            } else if storyboard != Self.standardBrowser {
                problems.append(
                    .error(
                        key, found: shown, expected: "\"\(Self.standardBrowser)\"",
                        remedy: "Write \(Self.standardBrowser) for the standard browser, or name a principal class.",
                        message: "The storyboard \(shown) cannot be shown here."))
            }
        }
        let hasNeither = reader[.principalClass] == nil && reader[.mainStoryboard] == nil
        if point == .fileProvider && reader[.principalClass] == nil {
            missing(reader.keyPath(.principalClass), "the file provider's class, Module.Class")
        } else if hasNeither {
            missing(
                reader.keyPath(.mainStoryboard),
                "\"\(Self.standardBrowser)\", or \(ManifestKey.principalClass.rawValue) instead of it")
        }
        let countsStoryboard = point == .picker && principal == nil && storyboard == Self.standardBrowser
        return (principal, countsStoryboard ? storyboard : nil)
    }

    private mutating func principalClass(_ reader: DictionaryReader) -> String? {
        guard let text = reader.string(.principalClass, &problems) else { return nil }
        let key = reader.keyPath(.principalClass)
        let unknown = variables.expand(text).unknown
        guard unknown.isEmpty else {
            problems.append(ManifestNames.unexpanded(key, text, unknown))
            return nil
        }
        guard ManifestNames.isClassName(text) else {
            problems.append(
                .error(
                    key, found: DisplayText.quoted(text), expected: "Module.Class, or Class",
                    remedy: "Write the class's name with its module.",
                    message: "\(DisplayText.quoted(text)) cannot be the name of a class."))
            return nil
        }
        if text.contains(".") { return text }
        return variables.module.map { "\($0).\(text)" }
    }

    mutating func modes(_ attributes: DictionaryReader, _ point: ExtensionPoint) -> [PickerMode] {
        let name = ManifestKey.pickerModes
        let reader = holder(of: name, attributes)
        guard point == .picker else {
            if attributes[name] != nil {
                problems.append(
                    .note(
                        reader.keyPath(name), found: "modes", expected: "nothing", remedy: "Remove the key.",
                        message: "A file provider has no modes; they belong to the picker."))
            }
            return []
        }
        guard let written = reader.strings(name, &problems) else {
            missing("\(Self.attributesPath).\(name.rawValue)", "an array of modes")
            return []
        }
        let known = PickerMode.allCases.map(\.rawValue).joined(separator: ", ")
        if case .array(let elements) = attributes[name], elements.isEmpty {
            problems.append(
                .error(
                    reader.keyPath(name), found: "an empty array", expected: known,
                    remedy: "List the modes that the provider supports.",
                    message: "The picker lists no mode, so that it would never be offered."))
        }
        var result: [PickerMode] = []
        for (path, text) in written {
            let shown = DisplayText.quoted(text)
            guard let mode = PickerMode(rawValue: text) else {
                problems.append(
                    .error(
                        path, found: shown, expected: known,
                        remedy: "Write \(PickerMode.nearest(to: text).rawValue), if that is meant.",
                        message: "\(shown) is not a mode."))
                continue
            }
            if result.contains(mode) {
                problems.append(
                    .warning(
                        path, found: shown, expected: "each mode once", remedy: "Remove the second one.",
                        message: "The mode \(shown) is listed twice."))
            } else {
                result.append(mode)
            }
        }
        return result
    }

    mutating func supportedTypes(_ attributes: DictionaryReader, _ point: ExtensionPoint) -> [String] {
        let name = ManifestKey.pickerTypes
        let reader = holder(of: name, attributes)
        guard let written = reader.strings(name, &problems) else { return ["public.content"] }
        if case .array(let elements) = attributes[name], elements.isEmpty {
            problems.append(
                .warning(
                    reader.keyPath(name), found: "an empty array", expected: "uniform type identifiers",
                    remedy: "List the types, or remove the key.",
                    message: "The list of supported types is empty; public.content is taken instead."))
        }
        var result: [String] = []
        var seen: Set<String> = []
        for (path, text) in written {
            let identifier = ManifestNames.typeIdentifier(text, path, severity: .error, &problems)
            if let identifier, seen.insert(identifier).inserted { result.append(identifier) }
        }
        return result.isEmpty ? ["public.content"] : result
    }

    /// Things that are not errors but probably not intended: class names, ranges, typos.
    mutating func noteOddities(
        _ manifest: DictionaryReader, _ reader: DictionaryReader, _ attributes: DictionaryReader
    ) {
        let scope = ManifestKey.documentScope
        if let value = manifest[scope] {
            problems.append(
                .warning(
                    manifest.keyPath(scope), found: value.shortDescription,
                    expected: "the key below NSUbiquitousContainers",
                    remedy: "Move it into NSUbiquitousContainers, below the container's identifier.",
                    message: "\(scope.rawValue) has no effect at the top level."))
        }
        for key in [ManifestKey.downloadPipelineDepth, .uploadPipelineDepth] {
            guard let value = attributes[key] else { continue }
            guard let depth = value.integerValue, (1...128).contains(depth) else {
                problems.append(
                    .warning(
                        holder(of: key, attributes).keyPath(key), found: value.shortDescription,
                        expected: "\(key.entry.value.rawValue) from 1 to 128", remedy: "Write a number in that range.",
                        message: "\(key.rawValue) is out of range and has no effect."))
                continue
            }
        }
        noteMissingNetwork(manifest, reader)
        noteSlips(manifest.values.keys, KnownKeys.topLevel, "")
        noteSlips(reader.values.keys, KnownKeys.inExtension, reader.path + ".")
        noteSlips(
            reader[.attributes]?.dictionaryValue?.keys ?? [:].keys,
            KnownKeys.inExtension, Self.attributesPath + ".")
    }

    /// Every iOS extension may use the network; here the manifest has to ask for it.
    private mutating func noteMissingNetwork(_ manifest: DictionaryReader, _ reader: DictionaryReader) {
        let key = ManifestKey.networkClient
        let isXcodes = KnownKeys.writtenByXcode.contains { manifest.values[$0] != nil }
        guard isXcodes, manifest[key] == nil,
            reader[.extensionPoint]?.stringValue == ExtensionPoint.fileProvider.rawValue
        else { return }
        problems.append(
            .note(
                manifest.keyPath(key), found: "nothing", expected: "true, if the provider uses the network",
                remedy: "Add \(key.rawValue) with the value true, if it does.",
                message:
                    "The manifest looks like one of iOS, where every extension may use the network; this one may not, "
                    + "because \(key.rawValue) is missing."))
    }

    private mutating func noteSlips(
        _ keys: Dictionary<String, PropertyListValue>.Keys, _ known: [String], _ prefix: String
    ) {
        let names = Set(known)
        for key in keys.sorted().prefix(200) where !names.contains(key) {
            guard let meant = DisplayText.nearest(to: key, among: known, within: 2) else { continue }
            problems.append(
                .note(
                    prefix + key, found: DisplayText.quoted(key), expected: DisplayText.quoted(meant),
                    remedy: "Write \(meant), if that is meant.",
                    message: "The key \(DisplayText.quoted(key)) is not known and ignored."))
        }
    }
}
