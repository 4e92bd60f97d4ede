import Documents
import FoundationEssentials
import Glibc
import ProviderInstallation

/// Makes a package from a template. Files are copied unchanged, except for a few placeholders in their content and
/// names.
struct TemplateCopy {
    /// The directory of the template.
    let template: String
    /// The placeholders in the content of files, with their replacements.
    let words: [(word: String, replacement: String)]
    /// The replacement for `__NAME__` in the names of files and directories.
    let name: String

    /// Build results that may be in a template that was built in place.
    private static let buildResults: Set<String> = [".build", "build", "target", "Package.resolved", "Cargo.lock.orig"]

    init(template: String, names: ProviderNames, sdk: String) {
        self.template = template
        name = names.name
        words = [
            ("@NAME@", names.name), ("@IDENTIFIER@", names.identifier), ("@DISPLAY@", names.name), ("@SDK@", sdk),
        ]
    }

    /// Writes the package. Nothing is ever overwritten, and after an error nothing is left behind.
    ///
    /// - Parameter target: a directory that is empty or does not exist.
    /// - Throws: ``DocumentsError`` `conflict` if something is there.
    func write(to target: String) throws {
        var made: [(path: String, isDirectory: Bool)] = []
        do {
            try makeDirectory(target, &made)
            guard try FileManager.default.contentsOfDirectory(atPath: target).isEmpty else {
                throw DocumentsError(
                    .conflict, "\(target) is not empty; nothing was written.",
                    suggestion: "Choose another --directory, or another name.")
            }
            try copy("", to: target, &made)
        } catch {
            for entry in made.reversed() { _ = entry.isDirectory ? rmdir(entry.path) : unlink(entry.path) }
            throw error
        }
    }

    private func copy(_ folder: String, to target: String, _ made: inout [(path: String, isDirectory: Bool)]) throws {
        for entry in try FileManager.default.contentsOfDirectory(atPath: template + folder).sorted()
        where !Self.buildResults.contains(entry) {
            let source = template + folder + "/" + entry
            let place = target + "/" + entry.replacing("__NAME__", with: name)
            if FileWork.isDirectory(source) {
                try makeDirectory(place, &made)
                try copy(folder + "/" + entry, to: place, &made)
            } else {
                let content = replaced(try FileWork.read(source))
                try FileWork.create(place, content, isExecutable: FileWork.isProgram(source))
                made.append((place, false))
            }
        }
    }

    /// The content with its placeholders replaced; content that is not text is returned unchanged.
    func replaced(_ content: [UInt8]) -> [UInt8] {
        guard let text = String(validating: content, as: UTF8.self) else { return content }
        return Array(words.reduce(text) { $0.replacing($1.word, with: $1.replacement) }.utf8)
    }

    private func makeDirectory(_ path: String, _ made: inout [(path: String, isDirectory: Bool)]) throws {
        if mkdir(path, 0o777) == 0 { return made.append((path, true)) }
        let code = errno
        if code == EEXIST, FileWork.isDirectory(path) { return }
        let above = FileWork.parent(path)
        // Some directories of the kernel exist, but nothing can be created in them.
        guard code == ENOENT, above != path, !FileWork.isDirectory(above) else {
            guard code == EEXIST else { throw FileWork.failure("The directory \(path) cannot be created", code) }
            throw DocumentsError(
                .conflict, "\(path) exists, but is not a directory.",
                suggestion: "Choose another --directory, or another name.")
        }
        try makeDirectory(above, &made)
        try makeDirectory(path, &made)
    }
}
