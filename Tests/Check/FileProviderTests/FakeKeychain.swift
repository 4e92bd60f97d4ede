import FileProvider
import FoundationEssentials

/// Uses its keychain in `item(for:)`: `<how>|<group>|<secret>`; the outcome is the item's name.
final class FakeKeychain: ReplicatedFileProvider {
    private let host: FileProviderHost

    init(domain: FileProviderDomain, host: FileProviderHost) throws { self.host = host }

    func item(for identifier: ItemIdentifier) async throws -> FileProviderItem {
        let parts = identifier.rawValue.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3 else { throw FileProviderError(.noSuchItem, "No instruction.") }
        let result = try await perform(parts[0], parts[1].isEmpty ? nil : parts[1], parts[2])
        return FileProviderItem(folder: identifier, parent: .rootContainer, filename: result)
    }

    func children(of parent: ItemIdentifier, page: String?) async throws -> ItemPage { ItemPage(items: []) }

    private func perform(_ how: String, _ group: String?, _ secret: String) async throws -> String {
        switch how {
        case "store":
            try await host.keychain.store([0] + Array(secret.utf8), account: "account", group: group, label: "label")
            return "stored"
        case "large":
            try await host.keychain.store([UInt8](repeating: 1, count: 65_537), account: "account")
            return "stored"
        case "lookUp":
            let found = try await host.keychain.secret(account: "account", group: group)
            return found.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        case "delete": return "\(try await host.keychain.delete(account: "account", group: group))"
        case "list":
            return try await host.keychain.items(group: group).map { "\($0.group)/\($0.domain)/\($0.account)" }
                .joined(separator: " ")
        case "save":
            try await host.save(Credential(kind: .oauth, username: "ada", secret: secret))
            return "saved"
        case "many": return try await many()
        default: throw FileProviderError(.notSupported, how)
        }
    }

    /// Seventy requests at once: how many were answered, and how many refused.
    private func many() async throws -> String {
        let keychain = host.keychain
        let codes = await withTaskGroup(of: FileProviderError.Code?.self) { group in
            for number in 0..<70 {
                group.addTask {
                    do throws(FileProviderError) {
                        _ = try await keychain.secret(account: "\(number)")
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return "\(codes.count { $0 == nil }) and busy \(codes.count { $0 == .busy })"
    }
}
