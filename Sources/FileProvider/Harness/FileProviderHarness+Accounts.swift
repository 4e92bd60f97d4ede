import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// SignIn and SignOut.
    func addAccounts(to table: inout MethodTable) {
        table.add(Interface.SignIn.self, changesState: true) { [service] parameters, _ in
            let credential = Credential(
                kind: Credential.Kind(rawValue: parameters.kind), username: parameters.username,
                secret: parameters.secret)
            return Reply(.init(displayName: try await service.signIn(credential, domain: parameters.domain)))
        }
        table.add(Interface.SignOut.self, changesState: true) { [service] parameters, _ in
            try await service.signOut(domain: parameters.domain)
            return Reply(.init())
        }
    }
}
