import FoundationEssentials
import Varlink

/// What the generated codecs of the hot methods share: the message around the parameters, and the ordinary decoder for
/// what they do not support.
enum HotEnvelope {
    /// Decodes the parameters of a call.
    ///
    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.
    static func parameters<Parameters: VarlinkMessage>(
        _ data: Data, _ read: (inout JSONScanner) -> Parameters?
    ) throws -> Parameters {
        let fast = data.withUnsafeBytes { raw in
            var scanner = JSONScanner(raw.bindMemory(to: UInt8.self))
            return read(&scanner)
        }
        return try fast ?? IncomingCall.decode(Parameters.self, from: data)
    }

    /// Decodes one complete reply, and whether more replies follow.
    ///
    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.
    static func readReply<Reply: VarlinkMessage>(
        _ message: UnsafeBufferPointer<UInt8>, _ read: (inout JSONScanner) -> Reply?
    ) throws -> (reply: Reply, continues: Bool) {
        var scanner = JSONScanner(message)
        var reply: Reply?
        var continues = false
        let whole = scanner.object { key, scanner in
            switch key {
            case "parameters":
                reply = read(&scanner)
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

    private static func slowReply<Reply: VarlinkMessage>(_ data: Data) throws -> (reply: Reply, continues: Bool) {
        let head = try JSONDecoder().decode(Head.self, from: data)
        if let name = head.error {
            let body = try? JSONDecoder().decode(Envelope<Failure.Body>.self, from: data).parameters
            throw VarlinkCallError(name: name, body ?? Failure.Body())
        }
        return (try JSONDecoder().decode(Envelope<Reply>.self, from: data).parameters, head.continues ?? false)
    }

    private struct Head: Decodable {
        var error: String?
        var continues: Bool?
    }

    private struct Envelope<Parameters: Decodable>: Decodable { var parameters: Parameters }
}
