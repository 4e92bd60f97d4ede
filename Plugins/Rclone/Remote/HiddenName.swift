import FileProvider

/// Names at the back end that no document has: one for uploads that are not complete yet, one that keeps an empty
/// folder if the back end cannot.
enum HiddenName {
    private static let mark = ".docent-upload-"
    private static let folderMark = ".docent-folder"

    /// The upload name of an operation, the same on each call.
    static func upload(_ operation: ChangeOperation) -> LocalName? {
        let safe = operation.identifier.utf8.map { byte -> UInt8 in
            let character = Character(Unicode.Scalar(byte))
            return byte < 0x80 && (character.isLetter || character.isNumber || character == "-")
                ? byte : UInt8(ascii: "_")
        }
        return safe.isEmpty ? nil : LocalName(bytes: Array(mark.utf8) + safe.prefix(200))
    }

    /// The name of the file that keeps an empty folder.
    static var folder: LocalName? { LocalName(folderMark) }

    static func isOne(_ name: LocalName) -> Bool {
        name.bytes.starts(with: mark.utf8) || name.bytes.elementsEqual(folderMark.utf8)
    }
}
