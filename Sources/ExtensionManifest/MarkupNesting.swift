/// Walks over the tags of an XML property list before the real parser sees it.
///
/// Foundation's parser recurses once for each level, so that a megabyte of `<array>` would end the process. The walk
/// understands comments, character data, processing instructions and a plain document type, and refuses entity
/// declarations and encodings other than UTF-8, so that it sees what the parser will see.
enum MarkupNesting {
    static func check(_ bytes: [UInt8]) throws(PropertyListReader.Failure) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw failure("bytes that are not UTF-8", "UTF-8 text")
        }
        var position = 0
        var open: [ArraySlice<UInt8>] = []
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            let rest = bytes[start...]
            if rest.starts(with: "<!--".utf8) {
                position = try end(of: "-->", in: bytes, from: start + 4)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                position = try end(of: "]]>", in: bytes, from: start + 9)
            } else if rest.starts(with: "<?".utf8) {
                position = try end(of: "?>", in: bytes, from: start + 2)
                try checkEncoding(bytes[start..<position])
            } else if rest.starts(with: "<!".utf8) {
                position = try end(of: ">", in: bytes, from: start + 2)
                if bytes[start..<position].contains(UInt8(ascii: "[")) {
                    throw failure("a document type with declarations of its own", "Apple's document type, or none")
                }
            } else {
                position = try end(of: ">", in: bytes, from: start + 1)
                try note(bytes[(start + 1)..<(position - 1)], &open)
            }
        }
        guard open.isEmpty else { throw failure("an element that is never closed", "matching tags") }
    }

    private static func note(
        _ tag: ArraySlice<UInt8>, _ open: inout [ArraySlice<UInt8>]
    ) throws(PropertyListReader.Failure) {
        let closing = tag.first == UInt8(ascii: "/")
        let name = (closing ? tag.dropFirst() : tag).prefix { byte in
            byte > 0x20 && byte != UInt8(ascii: "/")
        }
        if closing {
            guard let last = open.popLast(), last.elementsEqual(name) else {
                throw failure("a closing tag that closes nothing", "matching tags")
            }
        } else if tag.last != UInt8(ascii: "/") {
            open.append(name)
            // `plist` and the leaf are levels of markup, not of values.
            guard open.count <= PropertyListReader.maximumDepth + 2 else { throw PropertyListReader.tooDeep }
        }
    }

    private static func checkEncoding(_ instruction: ArraySlice<UInt8>) throws(PropertyListReader.Failure) {
        let text = String(decoding: instruction, as: UTF8.self).lowercased()
        guard text.contains("encoding") else { return }
        guard text.contains("utf-8") || text.contains("us-ascii") else {
            throw failure("another encoding", "UTF-8 text")
        }
    }

    private static func end(
        of mark: String, in bytes: [UInt8], from start: Int
    ) throws(PropertyListReader.Failure) -> Int {
        let mark = Array(mark.utf8)
        var index = start
        while index + mark.count <= bytes.count {
            if bytes[index] == mark[0], bytes[index..<(index + mark.count)].elementsEqual(mark) {
                return index + mark.count
            }
            index += 1
        }
        throw failure("markup that is never closed", "a well-formed XML property list")
    }

    private static func failure(_ found: String, _ expected: String) -> PropertyListReader.Failure {
        .init(key: "", found: found, expected: expected)
    }
}
