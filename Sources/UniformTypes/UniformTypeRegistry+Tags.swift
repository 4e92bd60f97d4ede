extension UniformTypeRegistry {
    private static let mostDots = 8
    private static let parentsByTopLevel: [String: UniformType] = [
        "text": .text, "image": .image, "audio": .audio, "video": .video,
    ]

    /// The type of files with an extension.
    ///
    /// - Parameters:
    ///   - filenameExtension: without a dot, in any case; `tar.gz` is one extension.
    ///   - isDirectory: whether the item is a directory: then only types of directories come into question.
    /// - Returns: the declared type that counts, or else a dynamic one that conforms to `public.data` (`public.folder`
    ///   for a directory). Without an extension these two themselves.
    public func type(filenameExtension: String, isDirectory: Bool = false) -> UniformType {
        let tag = UniformTypeTagClass.filenameExtension.normalized(filenameExtension)
        let parent: UniformType = isDirectory ? .folder : .data
        if tag.isEmpty { return parent }
        return declaredType(fileExtension: tag, isDirectory: isDirectory)
            ?? DynamicTag(tagClass: .filenameExtension, tag: tag, parent: parent).type
    }

    /// The type that goes by a MIME type.
    ///
    /// - Parameter mimeType: in any case; parameters such as `charset` are ignored, aliases are understood.
    /// - Returns: the declared type that counts, or else a dynamic one. It conforms to `public.data`, that of an
    ///   unknown kind of text, image, sound or film to that too.
    public func type(mimeType: String) -> UniformType {
        let tag = UniformTypeTagClass.mimeType.normalized(mimeType)
        if tag.isEmpty { return .data }
        if let type = declaredType(mimeType: tag) { return type }
        let parent = Self.parentsByTopLevel[String(tag.prefix { $0 != "/" })] ?? .data
        return DynamicTag(tagClass: .mimeType, tag: tag, parent: parent).type
    }

    /// The type of a file by its name alone.
    ///
    /// The longest declared extension counts (`a.tar.gz`). Whole names such as `Makefile` are known from the machine's
    /// MIME database. The first dot of a hidden file begins no extension.
    ///
    /// - Parameters:
    ///   - fileName: a name or a path, of which the last component counts.
    ///   - isDirectory: whether the item is a directory.
    public func type(fileName: String, isDirectory: Bool = false) -> UniformType {
        let name = fileName.split(separator: "/").last?.lowercased() ?? ""
        if !isDirectory, let type = mime.types.type(wholeName: name) { return canonical(type) }
        var suffixes: [String] = []
        var rest = name.drop { $0 == "." }
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            suffixes.append(String(rest))
            if suffixes.count > Self.mostDots { suffixes.removeFirst() }
        }
        for suffix in suffixes {
            let tag = UniformTypeTagClass.filenameExtension.normalized(suffix)
            if tag == suffix, let type = declaredType(fileExtension: tag, isDirectory: isDirectory) { return type }
        }
        return type(filenameExtension: suffixes.last ?? "", isDirectory: isDirectory)
    }

    /// The extension that new files of a type get, without a dot; nil when the type itself has none.
    public func preferredFilenameExtension(of type: UniformType) -> String? {
        preferredTag(.filenameExtension, of: type)
    }

    /// The MIME type to tell others; nil when the type itself has none.
    public func preferredMIMEType(of type: UniformType) -> String? { preferredTag(.mimeType, of: type) }

    /// The declared type of what a dynamic type stands for.
    func declaredType(of tag: DynamicTag) -> UniformType? {
        switch tag.tagClass {
        case .filenameExtension:
            let name = UniformTypeTagClass.filenameExtension.normalized(tag.tag)
            return declaredType(fileExtension: name, isDirectory: [.directory, .folder].contains(tag.parent))
        case .mimeType:
            return declaredType(mimeType: UniformTypeTagClass.mimeType.normalized(tag.tag))
        default:
            return declaredTypes(tag.tagClass, tag.tag).first
        }
    }

    private func preferredTag(_ tagClass: UniformTypeTagClass, of type: UniformType) -> String? {
        // The database is not read for a type that has the tag anyhow.
        system.declarations[type]?.tags[tagClass]?.first ?? declaration(of: type)?.tags[tagClass]?.first
    }

    private func declaredType(fileExtension tag: String, isDirectory: Bool) -> UniformType? {
        let claims = mime.types.claims(fileExtension: tag)
        let claimed = claims.map(\.type)
        let spine = system.types(tagClass: .filenameExtension, normalizedTag: tag)
        let heavy = spine.isEmpty ? [] : claims.filter { $0.weight > SharedMimeTypes.usualWeight }.map(\.type)
        let candidates = heavy + declaredTypes(.filenameExtension, tag) + claimed
        return candidates.lazy.map { self.canonical($0) }
            .first { self.conforms($0, to: .directory) == isDirectory }
    }

    private func declaredType(mimeType tag: String) -> UniformType? {
        declaredTypes(.mimeType, tag).first ?? mime.types.type(mimeType: tag).map { canonical($0) }
    }

    /// The types that claim a tag in declarations that count, in the order of precedence.
    private func declaredTypes(_ tagClass: UniformTypeTagClass, _ tag: String) -> [UniformType] {
        let exporters = exported.types(tagClass: tagClass, normalizedTag: tag)
        let importers = imported.types(tagClass: tagClass, normalizedTag: tag)
        return system.types(tagClass: tagClass, normalizedTag: tag)
            + exporters.filter { system.declarations[$0] == nil }
            + importers.filter { system.declarations[$0] == nil && exported.declarations[$0] == nil }
    }

    /// The declared type that owns the MIME type of a derived one: it takes its place, as types of the spine do
    /// (7.4.1).
    private func canonical(_ type: UniformType) -> UniformType {
        guard system.declarations[type] == nil, exported.order.count + imported.order.count > 0,
            let names = mime.types.layer.declarations[type]?.tags[.mimeType]
        else { return type }
        return names.lazy.flatMap { self.declaredTypes(.mimeType, $0) }.first ?? type
    }
}
