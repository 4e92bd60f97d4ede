/// Client identifiers as folder names. Pure.
package enum ClientName {
    /// Whether an identifier can name a client's folder: letters, digits, `.`, `_` and `-`, at most 128, with no dot or
    /// hyphen at the start.
    package static func isFolderName(_ identifier: String) -> Bool {
        !identifier.isEmpty && identifier.utf8.count <= 128 && identifier.first != "." && identifier.first != "-"
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
