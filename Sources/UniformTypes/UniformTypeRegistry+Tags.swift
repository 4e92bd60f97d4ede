extension UniformTypeRegistry {
    private static let mostDots = 8
    private static let parentsByTopLevel: [String: UniformType] = [
        "text": .text, "image": .image, "audio": .audio, "video": .video,
    ]

    /// The type of files with an extension.
    ///
    /// - Parameters:
    ///   - filenameExtension: the extension without a dot, in any case; `tar.gz` is one extension.
    ///   - isDirectory: whether the item is a directory; only types of directories are then considered.
    /// - Returns: the declared type with the highest precedence, otherwise a dynamic one that conforms to `public.data`
    ///   (`public.folder` for a directory). For an empty extension, one of these two types.
    public func type(filenameExtension: String, isDirectory: Bool = false) -> UniformType {
        let tag = UniformTypeTagClass.filenameExtension.normalized(filenameExtension)
        let parent: UniformType = isDirectory ? .folder : .data
        if tag.isEmpty { return parent }
        return declaredType(fileExtension: tag, isDirectory: isDirectory)
            ?? DynamicTag(tagClass: .filenameExtension, tag: tag, parent: parent).type
    }

    /// The type for a MIME type.
    ///
    /// - Parameter mimeType: in any case. Parameters such as `charset` are ignored, and aliases are recognised.
    /// - Returns: the declared type with the highest precedence, otherwise a dynamic one that conforms to
    ///   `public.data`, and to `public.text`, `public.image`, `public.audio` or `public.video` for an unknown type of
    ///   that kind.
    public func type(mimeType: String) -> UniformType {
        let tag = UniformTypeTagClass.mimeType.normalized(mimeType)
        if tag.isEmpty { return .data }
        if let type = declaredType(mimeType: tag) { return type }
        let parent = Self.parentsByTopLevel[String(tag.prefix { $0 != "/" })] ?? .data
        return DynamicTag(tagClass: .mimeType, tag: tag, parent: parent).type
    }

    /// The type of a file, from its name alone.
    ///
    /// The longest declared extension is used (`a.tar.gz`). Whole names such as `Makefile` are known from the machine's
    /// MIME database. The leading dot of a hidden file does not start an extension.
    ///
    /// - Parameters:
    ///   - fileName: a name, or a path whose last component is used.
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

    /// The extension for new files of a type, without a dot; nil when the type itself has none.
    public func preferredFilenameExtension(of type: UniformType) -> String? {
        preferredTag(.filenameExtension, of: type)
    }

    /// The MIME type to report to others; nil when the type itself has none.
    public func preferredMIMEType(of type: UniformType) -> String? { preferredTag(.mimeType, of: type) }

    /// The declared type for the tag of a dynamic type.
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
        // Do not read the database for a type that has the tag without it.
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

    /// The types with a tag in valid declarations, in order of precedence.
    private func declaredTypes(_ tagClass: UniformTypeTagClass, _ tag: String) -> [UniformType] {
        let exporters = exported.types(tagClass: tagClass, normalizedTag: tag)
        let importers = imported.types(tagClass: tagClass, normalizedTag: tag)
        return system.types(tagClass: tagClass, normalizedTag: tag)
            + exporters.filter { system.declarations[$0] == nil }
            + importers.filter { system.declarations[$0] == nil && exported.declarations[$0] == nil }
    }

    /// The declared type with the MIME type of a derived type. It takes precedence, as types of the spine do.
    private func canonical(_ type: UniformType) -> UniformType {
        guard system.declarations[type] == nil, exported.order.count + imported.order.count > 0,
            let names = mime.types.layer.declarations[type]?.tags[.mimeType]
        else { return type }
        return names.lazy.flatMap { self.declaredTypes(.mimeType, $0) }.first ?? type
    }
}
