import DocentInterfaces
import Synchronization

/// A keychain in memory, for tests of a provider without a host: every group is the extension's own. Thread-safe.
final class MemoryKeychain: Sendable {
    private struct Key: Hashable {
        var group: String
        var domain: String
        var account: String
    }

    private struct Item {
        var secret: String
        var label: String?
    }

    private let items = Mutex<[Key: Item]>([:])

    func answer(_ request: KeychainHub.Message) throws(FileProviderError) -> KeychainHub.Answer {
        let key = Key(group: request.group ?? "", domain: request.domain ?? "", account: request.account ?? "")
        var answer = KeychainHub.Answer(request: request.request)
        switch request.kind {
        case "store":
            let item = Item(secret: request.secret ?? "", label: request.label)
            items.withLock { $0[key] = item }
        case "lookUp": answer.secret = items.withLock { $0[key]?.secret }
        case "delete":
            guard items.withLock({ $0.removeValue(forKey: key) }) != nil else {
                throw FileProviderError(.noSuchItem, "There is no such secret.")
            }
        case "list":
            answer.items = items.withLock { items in
                items.filter { $0.key.group == key.group }.map {
                    Wire.KeychainItem(
                        group: $0.key.group, domain: $0.key.domain, account: $0.key.account, label: $0.value.label)
                }
            }
        default: break
        }
        return answer
    }
}
