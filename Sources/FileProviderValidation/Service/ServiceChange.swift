/// A change that another client makes in the service. Paths are relative to the top folder of the provider.
package enum ServiceChange: Sendable {
    /// Writes the content of a document, and creates it and its folders if they are missing.
    case write(path: String, content: [UInt8])
    /// Removes a document, or a folder with all its contents.
    case delete(path: String)

    /// The arguments of the verb `change`.
    var arguments: [String] {
        switch self {
        case .write(let path, _): ["write", path]
        case .delete(let path): ["delete", path]
        }
    }

    /// The standard input of the program.
    var input: [UInt8] {
        if case .write(_, let content) = self { return content }
        return []
    }

    /// For people.
    var text: String {
        switch self {
        case .write(let path, let content):
            "Storing \(content.count) bytes in the service as \(PlainText.quoted(path)), without the provider"
        case .delete(let path): "Deleting \(PlainText.quoted(path)) in the service, without the provider"
        }
    }
}
