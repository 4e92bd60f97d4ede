import Foundation
import Testing

/// GNOME's prompter, as far as the keyring and a user need it: a program that takes its name on the bus, records the
/// requests, and acts like one of three users.
extension KeyringSession {
    enum User: String {
        /// Types the correct password.
        case accept
        /// Closes the window.
        case dismiss
        /// Is absent.
        case ignore
    }

    /// Starts it, and returns its records so far: a line for each call.
    func startPrompter(_ user: User) async throws -> @Sendable () -> String {
        let path = Self.directory.appending(path: "prompter").path
        try start("python3", ["-c", Self.prompter, path, user.rawValue], input: Self.password)
        let log: @Sendable () -> String = { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
        try await wait { log().contains("ready") }
        return log
    }

    // A password is sent encrypted with a shared key: Diffie-Hellman in the group of 1536 bits of RFC 3526 (its prime
    // is derived from pi), HKDF, AES-128-CBC.
    private static let prompter = """
        import base64, configparser, os, sys
        from cryptography.hazmat.primitives import hashes, padding
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF
        from jeepney import DBusAddress, HeaderFields, MessageType, new_method_call, new_method_return
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        def arctangent(inverse, one):
            term = total = one // inverse
            number, sign = 3, -1
            while term:
                term //= inverse * inverse
                total += sign * (term // number)
                number, sign = number + 2, -sign
            return total

        one = 1 << 1606
        pi = (4 * (4 * arctangent(5, one) - arctangent(239, one))) >> 200
        prime = 2**1536 - 2**1472 - 1 + 2**64 * (pi + 741804)

        def answered(exchange, password):
            asked = configparser.ConfigParser()
            asked.read_string(exchange)
            theirs = int.from_bytes(base64.b64decode(asked["sx-aes-1"]["public"]), "big")
            private = int.from_bytes(os.urandom(64), "big")
            public = pow(2, private, prime).to_bytes(192, "big")
            shared = pow(theirs, private, prime).to_bytes(192, "big")
            key = HKDF(algorithm=hashes.SHA256(), length=16, salt=None, info=b"").derive(shared)
            vector = os.urandom(16)
            padder = padding.PKCS7(128).padder()
            padded = padder.update(password) + padder.finalize()
            encryptor = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
            secret = encryptor.update(padded) + encryptor.finalize()
            parts = {"public": public, "secret": secret, "iv": vector}
            return "[sx-aes-1]\\n" + "".join(
                name + "=" + base64.b64encode(value).decode() + "\\n" for name, value in parts.items())

        password = sys.stdin.buffer.read()
        bus = open_dbus_connection()
        bus.send_and_get_reply(message_bus.RequestName("org.gnome.keyring.SystemPrompter"))
        log = open(sys.argv[1], "a", buffering=1)
        log.write("ready\\n")
        while True:
            message = bus.receive()
            if message.header.message_type != MessageType.method_call: continue
            fields = message.header.fields
            member = fields[HeaderFields.member]
            log.write(member + "\\n")
            bus.send(new_method_return(message))
            if not message.body: continue
            asker = DBusAddress(message.body[0], bus_name=fields[HeaderFields.sender],
                                interface="org.gnome.keyring.internal.Prompter.Callback")
            def ready(reply, exchange=""):
                bus.send(new_method_call(asker, "PromptReady", "sa{sv}s", (reply, {}, exchange)))
            if member == "StopPrompting": bus.send(new_method_call(asker, "PromptDone"))
            elif member == "BeginPrompting": ready("")
            elif member != "PerformPrompt": continue
            elif sys.argv[2] == "dismiss": ready("no")
            elif sys.argv[2] == "accept": ready("yes", answered(message.body[3], password))
        """
}
