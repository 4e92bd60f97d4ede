import Glibc

/// Which keyring answers, in words for people.
package struct KeyringIdentity: Hashable, Sendable {
    /// ``KeyringStatus/available`` or ``KeyringStatus/locked``.
    package var status: KeyringStatus
    /// The program.
    package var program: String
    /// The label of the default collection.
    package var collection: String

    /// E.g. “GNOME keyring, collection Login”.
    package var name: String { collection.isEmpty ? program : "\(program), collection \(collection)" }

    init(status: KeyringStatus, process: UInt32, collection: String) {
        self.status = status
        // What other programs call themselves is for terminals to show.
        self.collection = String(
            collection.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(64).map(
                Character.init))
        program = Self.program(Self.command(process))
    }

    /// What people call a program.
    static func program(_ command: String) -> String {
        switch command {
        // The kernel keeps fifteen letters.
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
