/// A manifest made from the files of an iOS extension: its `Info.plist` and its entitlements.
///
/// Keeps what Docent reads, expands build variables, and records everything that was changed or left out. Loads and
/// writes nothing.
package struct ManifestImport: Sendable {
    /// Why no manifest can be made.
    package struct Failure: Error, Sendable, CustomStringConvertible {
        /// One sentence, safe for a terminal.
        package let message: String
        /// What to do next.
        package let remedy: String

        package var description: String { message }
    }

    /// Values that only the author knows.
    package struct Options: Sendable {
        /// The bundle identifier that replaces the one in the file.
        package var identifier: String?
        /// The library's file name; nil: derived from the executable in the file.
        package var library: String?
        /// Values of build variables.
        package var variables: [String: String] = [:]

        /// Creates empty options.
        package init() {}
    }

    /// The manifest.
    package private(set) var contents: [String: PropertyListValue] = [:]
    /// What was changed, one sentence each.
    package private(set) var changes: [String] = []
    /// The key paths that Docent does not support, or whose build variables are unknown.
    package private(set) var leftOut: [String] = []
    /// The entitlements file that was read, or nil.
    package internal(set) var entitlementsPath: String?
    /// The keys that were taken from the entitlements.
    private(set) var entitlementKeys: [String] = []
    private var variables = BuildVariables()

    /// Makes a manifest.
    ///
    /// - Parameters:
    ///   - info: the contents of `Info.plist`.
    ///   - entitlements: the contents of the entitlements file, if there is one.
    /// - Throws: ``Failure`` when Docent does not support the extension, or its identifier or library cannot be
    ///   determined.
    package init(
        _ info: [String: PropertyListValue], entitlements: [String: PropertyListValue] = [:], _ options: Options
    ) throws(Failure) {
        let part = info[ManifestKey.extension.rawValue]?.dictionaryValue ?? [:]
        let point = try Self.point(part)
        variables.others = options.variables
        variables.product = try Self.product(info, part, options)
        variables.bundleIdentifier = try Self.identifier(info, variables, options)
        takeTopLevel(info, options)
        contents[ManifestKey.extension.rawValue] = .dictionary(extensionPart(part, point))
        takeEntitlements(entitlements)
        addWhatIsImplied(point)
        leftOut.sort()
    }

    // MARK: What must be known

    private static func point(_ part: [String: PropertyListValue]) throws(Failure) -> ExtensionPoint {
        let written = part[ManifestKey.extensionPoint.rawValue]?.stringValue
        if let point = written.flatMap(ExtensionPoint.init(rawValue:)) { return point }
        let points = ExtensionPoint.allCases.map(\.rawValue).joined(separator: " or ")
        guard let written else {
            throw Failure(
                message: "The file has no \(ManifestKey.extensionPoint.rawValue), so it is not an extension's.",
                remedy: "Give the Info.plist of the extension, not that of the app that contains it.")
        }
        throw Failure(
            message: written == ExtensionPoint.unsupportedActions
                ? "Extensions for actions (\(written)) are not supported."
                : "The extension point \(DisplayText.quoted(written)) is not one of a document provider.",
            remedy: "Give the Info.plist of an extension with \(points).")
    }

    private static func product(
        _ info: [String: PropertyListValue], _ part: [String: PropertyListValue], _ options: Options
    ) throws(Failure) -> String {
        let named = options.library ?? options.variables["PRODUCT_NAME"]
        let executable = info[ManifestKey.executable.rawValue]?.stringValue
        let module = part[ManifestKey.principalClass.rawValue]?.stringValue.flatMap { text in
            text.contains(".") ? text.split(separator: ".").first.map(String.init) : nil
        }
        let identifier = options.identifier ?? info[ManifestKey.bundleIdentifier.rawValue]?.stringValue ?? ""
        let provider = ExtensionManifest.containingIdentifier(of: identifier).split(separator: ".").last.map(
            String.init)
        for candidate in [named, executable, module, provider].compactMap(\.self) {
            if let product = BuildVariables.product(ofLibrary: candidate) { return product }
        }
        throw Failure(
            message: "The name of the library cannot be determined from the files.",
            remedy: "Give --identifier org.example.Drive.FileProvider, or --library libExample.so.")
    }

    private static func identifier(
        _ info: [String: PropertyListValue], _ variables: BuildVariables, _ options: Options
    ) throws(Failure) -> String {
        let key = ManifestKey.bundleIdentifier.rawValue
        let written = options.identifier ?? info[key]?.stringValue ?? "$(PRODUCT_BUNDLE_IDENTIFIER)"
        let (text, unknown) = variables.expand(written)
        guard let problem = ManifestNames.problem(ofBundleIdentifier: text, unknown: unknown) else { return text }
        throw Failure(message: problem.message, remedy: "Give it: --identifier org.example.Drive.FileProvider.")
    }

    // MARK: What is taken

    private mutating func takeTopLevel(_ info: [String: PropertyListValue], _ options: Options) {
        let product = variables.product ?? ""
        let library = options.library ?? "lib\(variables.module ?? product).so"
        for (key, value) in info.sorted(by: { $0.key < $1.key }) {
            guard let known = ManifestKey(rawValue: key), [.topLevel, .entitlements].contains(known.entry.place),
                known != .documentScope
            else {
                leftOut.append(DisplayText.escaped(key))
                continue
            }
            switch known {
            case .extension, .bundleIdentifier, .executable: continue
            case .displayName, .name, .version: takeCosmetic(known, value)
            case .exportedTypes, .importedTypes: contents[key] = declarations(value, known)
            default: contents[key] = variables.expand(value)
            }
        }
        set(.bundleIdentifier, variables.bundleIdentifier ?? "", instead: info)
        set(.executable, library, instead: info)
    }

    private mutating func set(_ key: ManifestKey, _ text: String, instead info: [String: PropertyListValue]) {
        contents[key.rawValue] = .string(text)
        let before = info[key.rawValue]
        guard before != .string(text) else { return }
        let was = before.map { " instead of \($0.shortDescription)" } ?? ""
        changes.append("\(key.rawValue) is \(DisplayText.quoted(text))\(was).")
    }

    // A name with an unknown variable can be left out: other names can be shown.
    private mutating func takeCosmetic(_ key: ManifestKey, _ value: PropertyListValue) {
        let expanded = variables.expand(value)
        if let text = expanded.stringValue, !variables.expand(text).unknown.isEmpty {
            leftOut.append("\(key.rawValue) (\(DisplayText.escaped(text)) is not known)")
        } else {
            contents[key.rawValue] = expanded
        }
    }

    private mutating func declarations(_ value: PropertyListValue, _ key: ManifestKey) -> PropertyListValue {
        guard let list = value.arrayValue else { return value }
        var result: [PropertyListValue] = []
        for (index, element) in list.enumerated() {
            guard let entries = element.dictionaryValue else {
                result.append(element)
                continue
            }
            var kept: [String: PropertyListValue] = [:]
            for (name, entry) in entries {
                if ManifestKey(rawValue: name)?.entry.place == .typeDeclaration {
                    kept[name] = variables.expand(entry)
                } else {
                    leftOut.append("\(key.rawValue)[\(index)].\(DisplayText.escaped(name))")
                }
            }
            result.append(.dictionary(kept))
        }
        return .array(result)
    }

    private mutating func extensionPart(
        _ part: [String: PropertyListValue], _ point: ExtensionPoint
    ) -> [String: PropertyListValue] {
        var result = taken(part, ManifestKey.extension.rawValue, point)
        if let nested = part[ManifestKey.attributes.rawValue]?.dictionaryValue {
            let attributes = taken(nested, ManifestParser.attributesPath, point)
            result[ManifestKey.attributes.rawValue] = attributes.isEmpty ? nil : .dictionary(attributes)
        }
        let storyboard = ManifestKey.mainStoryboard.rawValue
        if let written = result[storyboard], written != .string(ManifestParser.standardBrowser) {
            result[storyboard] = .string(ManifestParser.standardBrowser)
            changes.append(
                "\(storyboard) is \"\(ManifestParser.standardBrowser)\", the standard browser, instead of "
                    + "\(written.shortDescription): storyboards cannot be shown here.")
        }
        return result
    }

    private mutating func taken(
        _ entries: [String: PropertyListValue], _ path: String, _ point: ExtensionPoint
    ) -> [String: PropertyListValue] {
        var result: [String: PropertyListValue] = [:]
        for (key, value) in entries {
            let known = ManifestKey(rawValue: key)
            let hasClass = entries[ManifestKey.principalClass.rawValue] != nil
            let isUsed =
                switch known {
                case .extensionPoint, .principalClass, .documentGroup, .attributes: true
                case .mainStoryboard: point == .picker && !hasClass
                case .pickerModes, .pickerTypes: point == .picker
                default: false
                }
            if isUsed {
                result[key] = variables.expand(value)
            } else {
                leftOut.append("\(path).\(DisplayText.escaped(key))")
            }
        }
        return result
    }

    private mutating func takeEntitlements(_ entitlements: [String: PropertyListValue]) {
        for (key, value) in entitlements.sorted(by: { $0.key < $1.key }) {
            guard ManifestKey(rawValue: key)?.entry.place == .entitlements else {
                leftOut.append("\(DisplayText.escaped(key)) (entitlement)")
                continue
            }
            var expanded = variables.expand(value)
            if let list = expanded.arrayValue {
                func isWildcard(_ value: PropertyListValue) -> Bool { value.stringValue?.contains("*") == true }
                for wildcard in list.filter(isWildcard) {
                    leftOut.append("\(key): the wildcard \(wildcard.shortDescription)")
                }
                expanded = .array(list.filter { !isWildcard($0) })
            }
            contents[key] = expanded
            entitlementKeys.append(key)
        }
    }

    private mutating func addWhatIsImplied(_ point: ExtensionPoint) {
        let groupKey = ManifestKey.applicationGroups.rawValue
        let part = contents[ManifestKey.extension.rawValue]
        if let group = part?[ManifestKey.documentGroup.rawValue] {
            let listed = contents[groupKey]?.arrayValue ?? contents[groupKey].map { [$0] } ?? []
            if !listed.contains(group) {
                contents[groupKey] = .array(listed + [group])
                changes.append("\(groupKey) has \(group.shortDescription) too, the document group.")
            }
        }
        let network = ManifestKey.networkClient.rawValue
        if point == .fileProvider, contents[network] == nil {
            contents[network] = .boolean(true)
            changes.append(
                "\(network) is asked for, because every extension of iOS may use the network. Remove it if it need not."
            )
        }
    }
}
