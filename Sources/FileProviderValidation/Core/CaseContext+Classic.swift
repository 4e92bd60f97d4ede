import DocentInterfaces
import Foundation

/// The calls of a provider in the form of iOS 8. All throw ``CallProblem``.
extension CaseContext {
    /// `Provide`, and then the content at the item's URL.
    package func provided(_ identifier: String) async throws -> [UInt8] {
        let did = "Provide of " + PlainText.quoted(identifier)
        step(did)
        _ = try await session.callWithProgress(
            FileProviderInterface.Provide.self, .init(domain: domain, identifier: identifier), did: did)
        let path = try await path(of: identifier)
        guard let file = try storage(of: session).file(path) else {
            throw CallProblem(
                did: did,
                kind: .brokenProtocol(
                    "there is no regular file at \(PlainText.quoted(path)) in the storage after the answer"))
        }
        return file.contents()
    }

    /// Whether anything is at the URL of an item.
    package func hasFile(_ identifier: String) async throws -> Bool {
        let path = try await path(of: identifier)
        return try storage(of: session).contains(path)
    }

    /// `URLForItem`.
    package func url(of identifier: String) async throws -> String {
        try await call(
            FileProviderInterface.URLForItem.self, .init(domain: domain, identifier: identifier),
            "URLForItem of " + PlainText.quoted(identifier)
        ).url
    }

    /// `PersistentIdentifier`.
    package func persistentIdentifier(_ url: String) async throws -> String {
        try await call(
            FileProviderInterface.PersistentIdentifier.self, .init(domain: domain, url: url),
            "PersistentIdentifier of " + PlainText.quoted(url)
        ).identifier
    }

    /// The path of an item's file, from the storage on. It may lead anywhere: see ``storage(of:)``.
    ///
    /// - Throws: ``CallProblem`` when the URL is not that of a file below the storage.
    package func path(of identifier: String) async throws -> String {
        let text = try await url(of: identifier)
        let did = "URLForItem of " + PlainText.quoted(identifier)
        guard let url = URL(string: text), url.isFileURL else {
            throw CallProblem(did: did, kind: .brokenProtocol("\(PlainText.quoted(text)) is not the URL of a file"))
        }
        let storage = try session.instance.storage + "/"
        let path = url.path(percentEncoded: false)
        guard path.utf8.starts(with: storage.utf8) else {
            throw CallProblem(
                did: did, kind: .brokenProtocol("\(PlainText.quoted(path)) is not below the storage"))
        }
        let rest = path.utf8.dropFirst(storage.utf8.count).drop { $0 == UInt8(ascii: "/") }
        return String(decoding: rest, as: UTF8.self)
    }
}
