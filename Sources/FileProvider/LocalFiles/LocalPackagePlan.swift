/// The steps that turn a package into given elements. Pure, and strict about names.
struct LocalPackagePlan {
    /// The folders to create.
    let folders: [[LocalName]]
    /// The elements of the former package that are kept, each with its place in the new one.
    let unchanged: [(element: LocalPackageContents.Element, place: [LocalName])]
    /// The paths whose content is needed.
    let neededPaths: [String]
    /// The place of each element, by its path.
    let places: [ExactText: [LocalName]]

    /// - Throws: ``FileProviderError``: `invalidArgument` for paths that lead out, use our temporary names, collide, or
    ///   are below a file; `versionOutOfDate` for an unchanged element that is missing.
    init(_ elements: [PackageElement], former: LocalPackageContents?) throws {
        guard elements.count <= LocalPackageContents.maximumCount else {
            throw FileProviderError(
                .notSupported, "A package has at most \(LocalPackageContents.maximumCount) elements.")
        }
        var folders: [[LocalName]] = []
        var unchanged: [(element: LocalPackageContents.Element, place: [LocalName])] = []
        var needed: [String] = []
        var places: [ExactText: [LocalName]] = [:]
        var kinds: [[LocalName]: Bool] = [:]
        for element in elements {
            let place = try Self.place(element.path, former)
            guard kinds.updateValue(element.isFolder, forKey: place) == nil else {
                throw FileProviderError(.invalidArgument, "\"\(element.path)\" is named twice.")
            }
            places[ExactText(element.path)] = place
            if element.isFolder {
                folders.append(place)
            } else if element.version == nil {
                needed.append(element.path)
                folders.append(place.dropLast())
            } else {
                let source = element.source ?? element.path
                guard let old = former?.elements[ExactText(source)], old.facts.kind == .file else {
                    throw FileProviderError(.versionOutOfDate, "\"\(source)\" of the package no longer exists.")
                }
                unchanged.append((old, place))
                folders.append(place.dropLast())
            }
        }
        for place in kinds.keys {
            for count in 1..<max(1, place.count) where kinds[Array(place.prefix(count))] == false {
                throw FileProviderError(.invalidArgument, "An element would be inside a file of the package.")
            }
        }
        // Parents first.
        self.folders = Set(folders).filter { !$0.isEmpty }.sorted { $0.count < $1.count }
        self.unchanged = unchanged
        neededPaths = needed
        self.places = places
    }

    /// The names of a path. A name that is not UTF-8 is given in its displayed form, which only existing elements may
    /// have.
    private static func place(_ path: String, _ former: LocalPackageContents?) throws -> [LocalName] {
        if let known = former?.elements[ExactText(path)] { return known.path }
        let parts = path.pathComponents
        guard parts.count <= LocalPackageContents.maximumDepth + 1 else {
            throw FileProviderError(
                .notSupported, "A package is at most \(LocalPackageContents.maximumDepth) folders deep.")
        }
        var place: [LocalName] = []
        var shown = ""
        for part in parts {
            shown += (shown.isEmpty ? "" : "/") + part
            if let known = former?.elements[ExactText(shown)]?.path {
                place = known
                continue
            }
            guard let name = LocalName(part), !TemporaryName.isOurs(name) else {
                throw FileProviderError(.invalidArgument, "\"\(path)\" cannot be a path in a package.")
            }
            place.append(name)
        }
        return place
    }
}
