package import FoundationEssentials
import Varlink

/// Hand-written encoding and decoding of `org.docent.Documents.Coordinate`. An uncontended claim is the hot path of
/// coordinated reading.
package enum CoordinateCodec {
    // MARK: The client's half

    /// Encodes a complete call with `more`.
    package static func call(_ parameters: DocumentsInterface.Coordinate.Parameters) -> [UInt8] {
        var bytes = Array(#"{"method":"org.docent.Documents.Coordinate","more":true,"parameters":{"operation":"#.utf8)
        JSONWriter.append(parameters.operation, to: &bytes)
        JSONWriter.appendKey("accesses", to: &bytes)
        append(parameters.accesses, to: &bytes) { access, bytes in
            bytes += Array(#"{"place":{"reference":"#.utf8)
            access.place.reference.append(to: &bytes)
            JSONWriter.appendMember("name", text: access.place.name, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
            JSONWriter.appendMember("writing", flag: access.writing, to: &bytes)
            appendMember("options", texts: access.options, to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        JSONWriter.appendMember("purpose", text: parameters.purpose, to: &bytes)
        JSONWriter.appendMember("presenter", text: parameters.presenter, to: &bytes)
        appendMember("within", texts: parameters.within, to: &bytes)
        appendMember("answering", texts: parameters.answering, to: &bytes)
        JSONWriter.appendMember("thread", text: parameters.thread, to: &bytes)
        JSONWriter.appendMember("open", flag: parameters.open, to: &bytes)
        JSONWriter.appendMember("prepares", flag: parameters.prepares, to: &bytes)
        JSONWriter.appendMember("deadline", number: parameters.deadline, to: &bytes)
        JSONWriter.appendMember("knownVersion", text: parameters.knownVersion, to: &bytes)
        bytes += [UInt8(ascii: "}"), UInt8(ascii: "}")]
        return bytes
    }

    /// Decodes one complete reply, and whether more replies follow.
    ///
    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.
    package static func readReply(
        _ message: [UInt8]
    ) throws -> (reply: DocumentsInterface.Coordinate.Reply, continues: Bool) {
        try message.withUnsafeBufferPointer { try readReply($0) }
    }

    /// Decodes one complete reply from a buffer.
    package static func readReply(
        _ message: UnsafeBufferPointer<UInt8>
    ) throws -> (reply: DocumentsInterface.Coordinate.Reply, continues: Bool) {
        var scanner = JSONScanner(message)
        var reply: DocumentsInterface.Coordinate.Reply?
        var continues = false
        let whole = scanner.object { key, scanner in
            switch key {
            case "parameters":
                reply = DocumentsInterface.Coordinate.Reply(&scanner)
                return reply != nil
            case "continues":
                guard let flag = scanner.boolean() else { return false }
                continues = flag
                return true
            default: return false
            }
        }
        if whole, let reply { return (reply, continues) }
        return try slowReply(Data(message))
    }

    private static func slowReply(_ data: Data) throws -> (DocumentsInterface.Coordinate.Reply, Bool) {
        struct Head: Decodable {
            var error: String?
            var continues: Bool?
        }
        struct Envelope: Decodable { var parameters: DocumentsInterface.Coordinate.Reply }
        struct Body: Codable {
            var message: String?
            var suggestion: String?
            var provider: String?
            var causes: [Wire.ErrorDetail]?
        }
        struct ErrorEnvelope: Decodable { var parameters: Body? }
        let head = try JSONDecoder().decode(Head.self, from: data)
        if let name = head.error {
            let body = (try? JSONDecoder().decode(ErrorEnvelope.self, from: data))?.parameters
            throw VarlinkCallError(name: name, body ?? Body())
        }
        return (try JSONDecoder().decode(Envelope.self, from: data).parameters, head.continues ?? false)
    }

    // MARK: The host's half

    /// Decodes the parameters of a call.
    ///
    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.
    package static func parameters(_ data: Data) throws -> DocumentsInterface.Coordinate.Parameters {
        let fast: DocumentsInterface.Coordinate.Parameters? = data.withUnsafeBytes { raw in
            var scanner = JSONScanner(raw.bindMemory(to: UInt8.self))
            return DocumentsInterface.Coordinate.Parameters(&scanner)
        }
        return try fast ?? IncomingCall.decode(DocumentsInterface.Coordinate.Parameters.self, from: data)
    }

    /// Encodes the parameters of the reply that grants a claim.
    ///
    /// - Parameters:
    ///   - items: the ``Wire/Item/hotJSON`` of each access's item; nil for one that does not exist.
    ///   - file: the index of the descriptor, if one is sent.
    package static func granted(items: [[UInt8]?], file: Int?) -> [UInt8] {
        var bytes = Array(#"{"state":"granted","items":["#.utf8)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "{"))
            if let item {
                JSONWriter.appendKey("item", first: true, to: &bytes)
                bytes += item
            }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes.append(UInt8(ascii: "]"))
        JSONWriter.appendMember("file", integer: file, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The parameters of the last reply.
    package static let released = Array(#"{"state":"released"}"#.utf8)

    private static func append<Element>(
        _ elements: [Element], to bytes: inout [UInt8], _ each: (Element, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            each(element, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func appendMember(_ name: StaticString, texts: [String]?, to bytes: inout [UInt8]) {
        guard let texts else { return }
        JSONWriter.appendKey(name, to: &bytes)
        append(texts, to: &bytes) { text, bytes in JSONWriter.append(text, to: &bytes) }
    }
}

extension DocumentsInterface.Coordinate.Parameters {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var parameters = Self(accesses: [], operation: "")
        var hasAccesses = false
        var hasOperation = false
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "accesses":
                hasAccesses = true
                return scanner.array { scanner in
                    guard let access = Wire.ClaimAccess(&scanner) else { return false }
                    parameters.accesses.append(access)
                    return true
                }
            case "operation":
                guard let operation = scanner.string() else { return false }
                parameters.operation = operation
                hasOperation = true
                return true
            case "purpose": parameters.purpose = scanner.string(); return parameters.purpose != nil
            case "presenter": parameters.presenter = scanner.string(); return parameters.presenter != nil
            case "within": parameters.within = scanner.texts(); return parameters.within != nil
            case "answering": parameters.answering = scanner.texts(); return parameters.answering != nil
            case "thread": parameters.thread = scanner.string(); return parameters.thread != nil
            case "open": parameters.open = scanner.boolean(); return parameters.open != nil
            case "prepares": parameters.prepares = scanner.boolean(); return parameters.prepares != nil
            case "deadline": parameters.deadline = scanner.number(); return parameters.deadline != nil
            case "knownVersion": parameters.knownVersion = scanner.string(); return parameters.knownVersion != nil
            default: return scanner.skip()
            }
        }
        guard whole, hasAccesses, hasOperation else { return nil }
        self = parameters
    }
}

extension DocumentsInterface.Coordinate.Reply {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var reply = Self(state: "")
        var items: [Wire.ClaimedItem] = []
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "state":
                guard let state = scanner.string() else { return false }
                reply.state = state
                return true
            case "items":
                let all = scanner.array { scanner in
                    guard let item = Wire.ClaimedItem(&scanner) else { return false }
                    items.append(item)
                    return true
                }
                reply.items = items
                return all
            case "file": reply.file = scanner.integer(); return reply.file != nil
            case "waitsFor": reply.waitsFor = scanner.texts(); return reply.waitsFor != nil
            case "completedBytes": reply.completedBytes = scanner.integer(); return reply.completedBytes != nil
            case "totalBytes": reply.totalBytes = scanner.integer(); return reply.totalBytes != nil
            default: return scanner.skip()
            }
        }
        guard whole, !reply.state.isEmpty else { return nil }
        self = reply
    }
}

extension Wire.ClaimedItem {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var item: Wire.Item?
        let whole = scanner.object { key, scanner in
            guard key == "item" else { return scanner.skip() }
            if scanner.null() { return true }
            item = Wire.Item(&scanner)
            return item != nil
        }
        guard whole else { return nil }
        self.init(item: item)
    }
}

extension Wire.ClaimAccess {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var place: Wire.ItemPlace?
        var writing: Bool?
        var options: [String]?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "place": place = Wire.ItemPlace(&scanner); return place != nil
            case "writing": writing = scanner.boolean(); return writing != nil
            case "options": options = scanner.texts(); return options != nil
            default: return scanner.skip()
            }
        }
        guard whole, let place, let writing else { return nil }
        self.init(place: place, writing: writing, options: options)
    }
}

extension Wire.ItemPlace {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var name: String?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "name": name = scanner.string(); return name != nil
            default: return scanner.skip()
            }
        }
        guard whole, let reference else { return nil }
        self.init(reference: reference, name: name)
    }
}

extension JSONScanner {
    /// Reads an array of strings.
    fileprivate mutating func texts() -> [String]? {
        var texts: [String] = []
        let whole = array { scanner in
            guard let text = scanner.string() else { return false }
            texts.append(text)
            return true
        }
        return whole ? texts : nil
    }
}
