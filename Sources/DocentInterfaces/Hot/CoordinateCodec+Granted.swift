extension CoordinateCodec {
    /// Encodes the parameters of the reply that grants a claim. It is not generated, because the items are in their
    /// kept form.
    ///
    /// - Parameters:
    ///   - items: the ``Wire/Item/hotJSON`` of each access's item; nil for one that does not exist.
    ///   - file: the index of the descriptor, if one is sent.
    package static func granted(items: [[UInt8]?], file: Int?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(items.count * 400 + 600)
        bytes += #"{"state":"granted""#.utf8
        JSONWriter.appendMember("items", elements: items, to: &bytes) { item, bytes in
            bytes.append(UInt8(ascii: "{"))
            if let item {
                JSONWriter.appendKey("item", to: &bytes)
                bytes += item
            }
            bytes.append(UInt8(ascii: "}"))
        }
        JSONWriter.appendMember("file", integer: file, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The parameters of the last reply.
    package static let released = Array(#"{"state":"released"}"#.utf8)
}
