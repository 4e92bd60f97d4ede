package import FoundationEssentials
import Varlink

/// Hand-written encoding and decoding of `org.docent.Documents.Open`: opening is the hot path.
package enum OpenCodec {
    /// Encodes a complete call.
    package static func call(_ parameters: DocumentsInterface.Open.Parameters) -> [UInt8] {
        var bytes = Array(#"{"method":"org.docent.Documents.Open","parameters":{"reference":"#.utf8)
        parameters.reference.append(to: &bytes)
        if let lease = parameters.lease {
            JSONWriter.appendKey("lease", to: &bytes)
            bytes += Array(String(lease).utf8)
        }
        bytes += [UInt8(ascii: "}"), UInt8(ascii: "}")]
        return bytes
    }

    /// Decodes the parameters of a call.
    ///
    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.
    package static func parameters(_ data: Data) throws -> DocumentsInterface.Open.Parameters {
        let fast: DocumentsInterface.Open.Parameters? = data.withUnsafeBytes { raw in
            var scanner = JSONScanner(raw.bindMemory(to: UInt8.self))
            var reference: Wire.ItemReference?
            var lease: Bool?
            let whole = scanner.object { key, scanner in
                switch key {
                case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
                case "lease": lease = scanner.boolean(); return lease != nil
                default: return scanner.skip()
                }
            }
            guard whole, let reference else { return nil }
            return .init(reference: reference, lease: lease)
        }
        return try fast ?? IncomingCall.decode(DocumentsInterface.Open.Parameters.self, from: data)
    }

    /// Encodes the parameters of a reply. `item` is the ``Wire/Item/hotJSON`` that the caller keeps with the item.
    package static func reply(item: [UInt8], file: Int, lease: Int?, slot: Int?, generation: Int?) -> [UInt8] {
        var bytes = Array(#"{"item":"#.utf8)
        bytes += item
        func number(_ key: StaticString, _ value: Int?) {
            guard let value else { return }
            JSONWriter.appendKey(key, to: &bytes)
            bytes += Array(String(value).utf8)
        }
        number("file", file)
        number("lease", lease)
        number("slot", slot)
        number("generation", generation)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Decodes a complete reply.
    ///
    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.
    package static func readReply(_ message: [UInt8]) throws -> DocumentsInterface.Open.Reply {
        let fast: DocumentsInterface.Open.Reply? = message.withUnsafeBufferPointer { buffer in
            var scanner = JSONScanner(buffer)
            var reply: DocumentsInterface.Open.Reply?
            let whole = scanner.object { key, scanner in
                guard key == "parameters" else { return key == "continues" && scanner.skip() }
                reply = DocumentsInterface.Open.Reply(&scanner)
                return reply != nil
            }
            return whole ? reply : nil
        }
        if let fast { return fast }
        struct Envelope: Decodable {
            var error: String?
            var parameters: DocumentsInterface.Open.Reply?
        }
        struct Name: Decodable { var error: String? }
        let data = Data(message)
        if let name = try JSONDecoder().decode(Name.self, from: data).error {
            throw try failure(name, data)
        }
        let envelope = try JSONDecoder().decode(Envelope.self, from: data)
        guard let parameters = envelope.parameters else {
            throw DecodingError.valueNotFound(
                DocumentsInterface.Open.Reply.self, .init(codingPath: [], debugDescription: "no parameters"))
        }
        return parameters
    }

    private static func failure(_ name: String, _ data: Data) throws -> VarlinkCallError {
        struct Body: Codable {
            var message: String?
            var suggestion: String?
            var provider: String?
            var causes: [Wire.ErrorDetail]?
        }
        struct Envelope: Decodable { var parameters: Body? }
        let body = (try? JSONDecoder().decode(Envelope.self, from: data))?.parameters
        return VarlinkCallError(name: name, body ?? Body())
    }
}

extension DocumentsInterface.Open.Reply {
    fileprivate init?(_ scanner: inout JSONScanner) {
        var item: Wire.Item?
        var numbers: [String: Int] = [:]
        let whole = scanner.object { key, scanner in
            switch key {
            case "item": item = Wire.Item(&scanner); return item != nil
            case "file", "lease", "slot", "generation":
                guard let number = scanner.integer() else { return false }
                numbers[key] = number
                return true
            default: return scanner.skip()
            }
        }
        guard whole, let item, let file = numbers["file"] else { return nil }
        self.init(
            item: item, file: file, lease: numbers["lease"], slot: numbers["slot"], generation: numbers["generation"])
    }
}
