package import DocentInterfaces
package import ExtensionManifest
import Rights

/// The rule for the URL of each mode (C1–C5, X1–X3). Pure.
///
/// A URL that breaks it is refused with an error that names the rule; the client gets no access (C5).
package enum URLRule {
    /// The facts about a file URL whose links were resolved.
    package struct Facts: Sendable {
        /// The canonical path, or the unchanged path if nothing is there; nil when links lead out of the storage.
        package var canonicalPath: String?
        /// Whether there is a regular file that the picker could open.
        package var isReadableFile: Bool

        package init(canonicalPath: String?, isReadableFile: Bool) {
            self.canonicalPath = canonicalPath
            self.isReadableFile = isReadableFile
        }
    }

    /// The meaning of a URL that follows its rule.
    package enum Verdict: Sendable, Hashable {
        /// An item of the file provider, by its path below the document storage (relative, without a leading slash).
        case storage(relativePath: String)
        /// An item of the file provider by its identifier.
        case item(Wire.ItemReference)
        /// A file that only the picker can read: import reads its content, export treats it as a sign of success.
        case pickerFile
    }

    /// Judges a URL.
    ///
    /// - Parameters:
    ///   - location: the picker's location.
    ///   - facts: the facts about a file URL.
    ///   - provider: identifier of the picker's provider.
    ///   - storage: canonical path of `documentStorageURL`; nil without a file provider.
    /// - Throws: ``Failure`` with code `ProviderFailed`, naming the rule.
    package static func judge(
        _ location: PickedLocation, mode: PickerMode, facts: Facts?, provider: String, storage: String?
    ) throws(Failure) -> Verdict {
        switch location {
        case .other(let text):
            throw broken(mode, provider, "\"\(text.prefix(200))\" is neither a file URL nor a docent URL")
        case .document(let reference):
            guard storage != nil else {
                throw broken(mode, provider, "there is no file provider for \(reference.provider)")
            }
            guard reference.provider == provider else {
                throw broken(mode, provider, "the document belongs to \(reference.provider)")
            }
            guard reference.identifier != ".root", !reference.identifier.isEmpty else {
                throw broken(mode, provider, "the root is a folder, not a document")
            }
            return .item(reference)
        case .file(let path):
            return try judge(path: path, mode: mode, facts: facts, provider: provider, storage: storage)
        }
    }

    private static func judge(
        path: String, mode: PickerMode, facts: Facts?, provider: String, storage: String?
    ) throws(Failure) -> Verdict {
        guard let named = normalised(path) else {
            throw broken(mode, provider, "the path is not absolute or contains a NUL character")
        }
        let canonical = facts.map { $0.canonicalPath.flatMap(normalised) } ?? named
        if let canonical, let storage, let root = normalised(storage) {
            if canonical.isSame(as: root) { throw broken(mode, provider, "it is the document storage itself") }
            if canonical.begins(with: root + "/") {
                return .storage(
                    relativePath: String(decoding: canonical.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self))
            }
        }
        switch mode {
        case .open, .moveToService:
            let reason = storage == nil ? "there is no file provider" : "it is outside the document storage"
            throw broken(mode, provider, reason)
        case .import, .exportToService:
            guard facts?.isReadableFile == true else {
                throw broken(mode, provider, "there is no file there that the picker can read")
            }
            return .pickerFile
        }
    }

    /// An absolute path without `.`, `..` and doubled slashes, judged only by its text; nil if the text is not an
    /// absolute path.
    package static func normalised(_ path: String) -> String? {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        var parts: [Substring] = []
        // By bytes: a slash followed by a combining accent is one other character to Swift, but a slash to the kernel.
        for part in path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func broken(_ mode: PickerMode, _ provider: String, _ reason: String) -> Failure {
        let must =
            switch mode {
            case .import: "a readable local file, or anything that open allows"
            case .open: "a document inside the document storage"
            case .exportToService: "an existing copy of the source"
            case .moveToService: "a copy inside the document storage"
            }
        return Failure(
            .providerFailed,
            "The picker of \(provider) returned a wrong URL: in \(mode.shortName) mode it must be \(must), "
                + "but \(reason).",
            suggestion: "Report this to the authors of \(provider); `docent provider validate` shows the rules.",
            provider: provider)
    }
}
