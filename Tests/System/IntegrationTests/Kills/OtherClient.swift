import DocentTestSupport
import Foundation

/// Another client of a server, which replaces only what it has read: it locks a document, reads it, writes it, and
/// unlocks it.
struct OtherClient: Sendable {
    let server: WebDAVServer

    /// Replaces a document.
    ///
    /// - Returns: the replaced content; nil if another client holds the lock, and nothing was done.
    func replace(_ name: String, with content: String) async throws -> String? {
        guard let token = try await lock(name) else { return nil }
        guard let before = try await server.text(name) else { throw Problem("\(name) is gone from \(server.kind)") }
        let reply = try await server.request(
            "PUT", name, headers: ["If": "(<\(token)>)"], body: Data(content.utf8))
        _ = try await server.request("UNLOCK", name, headers: ["Lock-Token": "<\(token)>"])
        guard (200...299).contains(reply.status) else {
            throw Problem(
                "another client's PUT of \(name) on \(server.kind): \(reply.status) \(reply.text.prefix(200))")
        }
        return before
    }

    private func lock(_ name: String) async throws -> String? {
        let body = """
            <?xml version="1.0" encoding="utf-8"?><lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope>\
            <locktype><write/></locktype></lockinfo>
            """
        // Docent's own lasts some milliseconds, or half a minute after a kill.
        for _ in 0..<10 {
            let reply = try await server.request(
                "LOCK", name, headers: ["Timeout": "Second-60", "Content-Type": "application/xml", "Depth": "0"],
                body: Data(body.utf8))
            if reply.status == 200, let token = reply.headers["lock-token"] {
                return token.trimmingCharacters(in: CharacterSet(charactersIn: "<> "))
            }
            guard reply.status == 423 else {
                throw Problem("another client's LOCK of \(name) on \(server.kind): \(reply.status)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }
}
