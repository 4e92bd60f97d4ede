package import DocentInterfaces
import Documents
import Glibc

/// A file that contains an answer, named by `--set-file` or typed as `@FILE`.
package enum AnswerFile {
    /// How long reading a pipe may take.
    private static let deadline: Duration = .seconds(60)

    /// The content as an answer: unchanged for a field of several lines, otherwise without the line end.
    ///
    /// - Parameter path: may begin with `~/`. It may be a pipe, which is read to its end.
    /// - Throws: ``DocumentsError``: `notFound`, or `invalidArgument` if it is not an answer. The message never quotes
    ///   the content.
    package static func text(_ path: String, for field: Wire.SignInField, home: String?) throws -> String {
        let place = expanded(path, home: home)
        let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let code = errno
            throw DocumentsError(
                code == ENOENT || code == ENOTDIR ? .notFound : .invalidArgument,
                "\(place) cannot be read: \(String(cString: strerror(code))).",
                suggestion: "The file must contain the answer to \"\(field.label)\".")
        }
        defer { close(descriptor) }
        let text = try SecretDescriptor.read(descriptor, within: deadline, what: "The answer in \(place)")
        if let problem = problem(text, field, place) { throw DocumentsError(.invalidArgument, problem) }
        return field.isMultiline == true ? text : withoutEnd(text)
    }

    /// A path with the home folder in place of `~/`: a shell does not expand that after `=`. Pure.
    static func expanded(_ path: String, home: String?) -> String {
        guard let home, path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }

    /// Without one line end at its end. Pure.
    static func withoutEnd(_ text: String) -> String {
        var bytes = text.utf8[...]
        if bytes.last == UInt8(ascii: "\n") { bytes = bytes.dropLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes = bytes.dropLast() }
        return String(Substring(bytes))
    }

    private static func problem(_ text: String, _ field: Wire.SignInField, _ place: String) -> String? {
        if text.utf8.contains(0) { return "\(place) is not text." }
        if withoutEnd(text).isEmpty, field.isOptional != true { return "\(place) is empty." }
        guard field.isMultiline == true || !withoutEnd(text).utf8.contains(UInt8(ascii: "\n")) else {
            return "\(place) has several lines, but \"\(field.label)\" is one line."
        }
        return nil
    }
}
