/// What somebody else does with the service. Paths are relative to the top folder that the provider shows.
package enum ServiceChange: Sendable {
    /// A document gets this content; it is made where there is none, with the folders that it lies in.
    case write(path: String, content: [UInt8])
    /// A document or folder is removed, with all that is in it.
    case delete(path: String)

    /// The arguments of the verb `change`.
    var arguments: [String] {
        switch self {
        case .write(let path, _): ["write", path]
        case .delete(let path): ["delete", path]
        }
    }

    /// What the program reads from its standard input.
    var input: [UInt8] {
        if case .write(_, let content) = self { return content }
        return []
    }

    /// For people.
    var text: String {
        switch self {
        case .write(let path, let content):
            "Storing \(content.count) bytes in the service as \(PlainText.quoted(path)), past the provider"
        case .delete(let path): "Deleting \(PlainText.quoted(path)) in the service, past the provider"
        }
    }
}
