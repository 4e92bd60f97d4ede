import UniformTypes

/// Reads type declarations and reports oddities. These are common in real manifests, so all problems except a wrong
/// value type are warnings, and unusable parts are left out.
struct TypeDeclarationParser {
    private static let builtIn = Set(UniformTypeRegistry.spine.compactMap { UniformType($0.identifier) })

    private var parents: [String: (key: String, parents: Set<String>)] = [:]

    mutating func parse(
        _ key: ManifestKey, of manifest: DictionaryReader, _ problems: inout [ManifestProblem]
    ) -> [TypeDeclaration] {
        guard let list = manifest[key] else { return [] }
        guard let elements = list.arrayValue else {
            problems.append(DictionaryReader.wrongType(manifest.keyPath(key), list, key.entry.value))
            return []
        }
        var result: [TypeDeclaration] = []
        for (index, element) in elements.enumerated() {
            let path = "\(manifest.keyPath(key))[\(index)]"
            guard let entries = element.dictionaryValue else {
                problems.append(DictionaryReader.wrongType(path, element, .dictionary))
                continue
            }
            guard !entries.isEmpty else {
                problems.append(
                    warning(path, "an empty dictionary", "a declaration", "The type declaration \(path) is empty."))
                continue
            }
            let reader = DictionaryReader(values: entries, path: path)
            guard let declaration = declaration(reader, &problems) else { continue }
            note(declaration, path, isExported: key == .exportedTypes, &problems)
            result.append(declaration)
        }
        return result
    }

    private func declaration(_ reader: DictionaryReader, _ problems: inout [ManifestProblem]) -> TypeDeclaration? {
        let identifierKey = ManifestKey.typeIdentifier
        guard let written = reader.string(identifierKey, &problems) else {
            if reader[identifierKey] == nil {
                problems.append(
                    warning(
                        reader.keyPath(identifierKey), "nothing", "a uniform type identifier",
                        "The type declaration has no identifier."))
            }
            return nil
        }
        guard
            let identifier = ManifestNames.typeIdentifier(
                written, reader.keyPath(identifierKey), severity: .warning, &problems)
        else { return nil }
        var conformsTo: [String] = []
        var seen: Set<String> = []
        for (path, text) in reader.strings(.typeConformsTo, &problems) ?? [] {
            guard let parent = ManifestNames.typeIdentifier(text, path, severity: .warning, &problems) else { continue }
            if parent.lowercased() == identifier.lowercased() {
                problems.append(
                    warning(
                        path, DisplayText.quoted(text), "another type",
                        "The type \(DisplayText.quoted(identifier)) is declared to conform to itself."))
            } else if seen.insert(parent).inserted {
                conformsTo.append(parent)
            }
        }
        var description = reader[.typeDescription]?.stringValue
        if let value = reader[.typeDescription], description == nil {
            problems.append(
                warning(
                    reader.keyPath(.typeDescription), value.shortDescription,
                    ManifestKey.typeDescription.entry.value.rawValue,
                    "The description of \(DisplayText.quoted(identifier)) is \(value.kindDescription) and is left out.")
            )
        }
        if let text = description, !BuildVariables().expand(text).unknown.isEmpty {
            problems.append(
                warning(
                    reader.keyPath(.typeDescription), DisplayText.quoted(text), "the description written out",
                    "The description of \(DisplayText.quoted(identifier)) has a build variable and is left out."))
            description = nil
        }
        return TypeDeclaration(
            identifier: identifier, conformsTo: conformsTo, tags: tags(reader, &problems),
            description: description.map { DisplayText.removingDeceptive(from: $0) })
    }

    private func tags(_ reader: DictionaryReader, _ problems: inout [ManifestProblem]) -> [String: [String]] {
        guard let specification = reader.dictionary(.typeTags, &problems) else { return [:] }
        var result: [String: [String]] = [:]
        for tagClass in specification.values.keys.sorted() {
            // `public.filename-extension` is a list or one string; other classes may contain anything.
            for (path, text) in specification.strings(named: tagClass, &problems) ?? [] {
                let cleaned = DisplayText.removingDeceptive(from: text)
                if cleaned != text || cleaned.isEmpty {
                    problems.append(
                        warning(
                            path, DisplayText.quoted(text), "a tag of visible characters",
                            "The tag \(DisplayText.quoted(text)) is empty or has invisible characters."))
                }
                if !cleaned.isEmpty { result[tagClass, default: []].append(cleaned) }
            }
        }
        return result
    }

    private mutating func note(
        _ declaration: TypeDeclaration, _ path: String, isExported: Bool, _ problems: inout [ManifestProblem]
    ) {
        let name = declaration.identifier.lowercased()
        let shown = DisplayText.quoted(declaration.identifier)
        let isReserved = ["public.", "com.apple.", "dyn."].contains { name.hasPrefix($0) }
        let isBuiltIn = name.hasPrefix("dyn.") || UniformType(declaration.identifier).map(Self.builtIn.contains) == true
        if isBuiltIn {
            problems.append(
                .init(
                    isReserved && isExported ? .warning : .note, "\(path).\(ManifestKey.typeIdentifier.rawValue)",
                    found: shown, expected: "a type that Docent does not know already",
                    remedy: "Remove the declaration: Docent's own counts.",
                    message: "Docent knows \(shown) already, so that its declaration here has no effect."))
        } else if isReserved {
            problems.append(
                .note(
                    "\(path).\(ManifestKey.typeIdentifier.rawValue)", found: shown,
                    expected: "an identifier of the author's own domain",
                    remedy: "Nothing need be done if it is one of Apple's types.",
                    message:
                        "\(shown) is in a namespace of Apple's, and Docent does not know it: it is what is declared here."
                ))
        }
        let own = Set(declaration.conformsTo.map { $0.lowercased() })
        guard let earlier = parents[name] else {
            parents[name] = (path, own)
            return
        }
        let differs = earlier.parents != own
        problems.append(
            warning(
                "\(path).\(ManifestKey.typeIdentifier.rawValue)", shown, "one declaration of each type",
                "\(shown) is declared a second time\(differs ? " with other parents" : ""); \(earlier.key) counts."))
    }

    private func warning(_ key: String, _ found: String, _ expected: String, _ message: String) -> ManifestProblem {
        .warning(
            key, found: found, expected: expected, remedy: "Correct or remove the declaration.", message: message)
    }
}
