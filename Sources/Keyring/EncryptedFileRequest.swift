/// A request to `docent-keyring-file`, as sent through the pipe.
struct EncryptedFileRequest {
    enum Verb: String {
        case check, store, lookUp, delete, list
    }

    var verb: Verb
    /// The absolute path of the file.
    var path: String
    /// The master password.
    var password: Secret
    /// The time limit in seconds.
    var seconds: UInt32
    /// The secrets concerned; complete for `store` and `lookUp`.
    var query = CredentialQuery()
    var label = ""
    var secret = Secret("")

    /// The key that the query identifies.
    var key: CredentialKey {
        CredentialKey(
            accessGroup: query.accessGroup ?? "", provider: query.provider ?? "", domain: query.domain ?? "",
            account: query.account ?? "")
    }

    init(_ verb: Verb, path: String, password: Secret, seconds: UInt32) {
        self.verb = verb
        self.path = path
        self.password = password
        self.seconds = seconds
    }

    /// Decodes the output of ``write(to:)``; nil when it is invalid.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = FieldReader(bytes)
        do throws(FieldReader.Malformed) {
            guard let verb = Verb(rawValue: try reader.text()) else { return nil }
            let path = try reader.text()
            let password = try reader.secret()
            guard let seconds = UInt32(try reader.text()), path.hasPrefix("/") else { return nil }
            self.init(verb, path: path, password: password, seconds: seconds)
            query = CredentialQuery(
                accessGroup: try Self.part(&reader), provider: try Self.part(&reader), domain: try Self.part(&reader),
                account: try Self.part(&reader))
            label = try reader.text()
            secret = try reader.secret()
            guard reader.isAtEnd else { return nil }
        } catch {
            return nil
        }
    }

    func write(to buffer: WipingBuffer) {
        buffer.appendField(verb.rawValue)
        buffer.appendField(path)
        buffer.appendField(password)
        buffer.appendField("\(seconds)")
        for part in [query.accessGroup, query.provider, query.domain, query.account] {
            // The equals sign distinguishes an empty text from nil.
            buffer.appendField(part.map { "=" + $0 } ?? "")
        }
        buffer.appendField(label)
        buffer.appendField(secret)
    }

    private static func part(_ reader: inout FieldReader) throws(FieldReader.Malformed) -> String? {
        let text = try reader.text()
        return text.isEmpty ? nil : String(text.dropFirst())
    }
}
