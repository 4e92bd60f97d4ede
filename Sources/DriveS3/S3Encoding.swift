/// Percent-encoding as signature version 4 wants it: all but letters, digits, `-`, `.`, `_` and `~`.
enum S3Encoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String, keepsSlash: Bool = false) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: output.append(byte)
            case 47 where keepsSlash: output.append(byte)
            default: output += [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
