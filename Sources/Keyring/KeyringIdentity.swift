import Glibc

/// The keyring that answers, with a name for people.
package struct KeyringIdentity: Hashable, Sendable {
    /// The status, ``KeyringStatus/available`` or ``KeyringStatus/locked``.
    package var status: KeyringStatus
    /// The name of the program.
    package var program: String
    /// The label of the default collection.
    package var collection: String

    /// The name for people, such as "GNOME keyring, collection Login".
    package var name: String { collection.isEmpty ? program : "\(program), collection \(collection)" }

    init(status: KeyringStatus, process: UInt32, collection: String) {
        self.status = status
        // The label comes from another program and is shown in terminals.
        self.collection = String(
            collection.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(64).map(
                Character.init))
        program = Self.program(Self.command(process))
    }

    /// The name of a program, for people.
    static func program(_ command: String) -> String {
        switch command {
        // The kernel keeps only fifteen characters.
        case "gnome-keyring-d", "gnome-keyring-daemon": "GNOME keyring"
        case "keepassxc": "KeePassXC"
        case "kwalletd5", "kwalletd6", "ksecretd": "KWallet"
        default: "Secret Service"
        }
    }

    private static func command(_ process: UInt32) -> String {
        guard process > 0, let file = fopen("/proc/\(process)/comm", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
