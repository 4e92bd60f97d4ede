import DocentInterfaces
import Varlink

extension FileProviderHarness {
    /// Claims and ClaimAnswered: the extension's own file coordination.
    func addClaims(to table: inout MethodTable) {
        let claims = service.claims
        table.addStream(Interface.Claims.self) { _, _, sink in
            let listener = claims.listen()
            defer { claims.stop(listener) }
            for await _ in listener.wakes {
                for message in claims.take(listener) { try await sink.send(Reply(message)) }
            }
            return Reply(.init(kind: "end", claim: ""))
        }
        table.add(Interface.ClaimAnswered.self, changesState: true) { parameters, _ in
            try claims.answered(parameters)
            return Reply(.init())
        }
    }
}
