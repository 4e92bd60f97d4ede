import FileProvider

// The Swift in the comments of the types for providers of local files.

func replaceFile(
    _ name: LocalName, _ folder: LocalDirectory, _ contents: ContentReader, _ operation: ChangeOperation,
    _ version: ItemVersion
) throws -> LocalFileReplacement.Outcome {
    // snippet: local file
    let staged = try LocalFileReplacement(of: name, in: folder, contents: contents, operation: operation.identifier)
    let outcome = try staged.replace(base: version)
    // end
    return outcome
}

func replacePackage(
    _ name: LocalName, _ folder: LocalDirectory, _ elements: [PackageElement], _ operation: ChangeOperation,
    _ version: ItemVersion, read: (String) throws -> ContentReader
) throws -> LocalPackageReplacement.Outcome {
    func contents(of path: String) throws -> ContentReader { try read(path) }
    // snippet: local package
    let staged = try LocalPackageReplacement(of: name, in: folder, elements: elements, operation: operation.identifier)
    for path in staged.neededPaths { try staged.stage(path, contents: contents(of: path)) }
    try staged.seal()
    let outcome = try staged.replace(base: version)
    // end
    return outcome
}

// snippet: names that are not UTF-8
func item(named name: [UInt8], in folder: ItemIdentifier) -> FileProviderItem {
    let text = EscapedText.text(of: name)
    return FileProviderItem(
        identifier: ItemIdentifier(folder.rawValue + "/" + text), parent: folder, filename: text)
}

func path(of identifier: ItemIdentifier) -> [UInt8] { EscapedText.bytes(of: identifier.rawValue) }
// end
