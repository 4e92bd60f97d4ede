/// Placeholders for documents in a program's arguments. Pure.
package enum DocumentPlaceholders {
    /// A placeholder that has no document.
    package struct Missing: Error, Hashable { package let number: Int }

    /// Replaces `{}` and `{1}`, `{2}`, … with the documents' paths.
    ///
    /// An argument that is `{}` becomes one argument for each document; `{N}` is replaced wherever it stands. Without
    /// documents nothing is replaced, so that `find -exec … {}` keeps its meaning.
    ///
    /// - Parameter paths: by number, from 1; nil for a document that has no path (a folder).
    package static func fill(_ arguments: [String], with paths: [String?]) throws(Missing) -> [String] {
        guard !paths.isEmpty else { return arguments }
        var result: [String] = []
        for argument in arguments {
            if argument == "{}" {
                result += paths.compactMap(\.self)
            } else {
                result.append(try replaced(argument, paths))
            }
        }
        return result
    }

    private static func replaced(_ argument: String, _ paths: [String?]) throws(Missing) -> String {
        var result = ""
        var rest = argument[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            let digits = rest[rest.index(after: open)...].prefix { $0.isASCII && $0.isNumber }
            guard digits.endIndex < rest.endIndex, rest[digits.endIndex] == "}", let number = Int(digits) else {
                result.append("{")
                rest = rest[rest.index(after: open)...]
                continue
            }
            guard number >= 1, number <= paths.count, let path = paths[number - 1] else {
                throw Missing(number: number)
            }
            result += path
            rest = rest[rest.index(after: digits.endIndex)...]
        }
        return result + rest
    }
}
