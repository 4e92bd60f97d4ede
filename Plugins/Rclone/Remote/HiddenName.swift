import FileProvider

/// Names at the back end that no document has: under the one content lies until it is whole, the other keeps an empty folder where
/// the back end has none.
enum HiddenName {
    private static let mark = ".docent-upload-"
    private static let folderMark = ".docent-folder"

    /// The same each time for an operation.
    static func upload(_ operation: ChangeOperation) -> LocalName? {
        let safe = operation.identifier.utf8.map { byte -> UInt8 in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || character == "-")
                ? byte : UInt8(ascii: "_")
        }
        return safe.isEmpty ? nil : LocalName(bytes: Array(mark.utf8) + safe.prefix(200))
    }

    /// What lies in a folder to keep it.
    static var folder: LocalName? { LocalName(folderMark) }

    static func isOne(_ name: LocalName) -> Bool {
        name.bytes.starts(with: mark.utf8) || name.bytes.elementsEqual(folderMark.utf8)
    }
}
