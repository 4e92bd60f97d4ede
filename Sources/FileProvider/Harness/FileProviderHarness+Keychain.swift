import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// Keychain and KeychainAnswered: the secrets of the extension's access groups.
    func addKeychain(to table: inout MethodTable) {
        let keychain = service.keychain
        table.addStream(Interface.Keychain.self) { _, _, sink in
            let listener = keychain.listen()
            defer { keychain.stop(listener) }
            for await _ in listener.wakes {
                for message in keychain.take(listener) { try await sink.send(Reply(message)) }
            }
            return Reply(.init(kind: "end", request: ""))
        }
        table.add(Interface.KeychainAnswered.self, changesState: true) { parameters, _ in
            try keychain.answered(parameters)
            return Reply(.init())
        }
    }
}
