import DocentTestSupport
import Documents
import Foundation
import Synchronization
import Testing

/// What the daemon reports of an account to programs that show it.
@Suite(.needs(.daemon)) struct ObserveTests {
    private static let provider = "org.docent.LocalFolder"
    private static let top = DocumentReference(provider: provider, domain: "", identifier: ".root")

    private static func location(_ path: String) -> DocumentLocation {
        DocumentLocation(provider: provider, path: path)
    }

    @Test("only a program that may read the whole account learns what changes in it")
    func refused() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("x", to: "a.txt")
            let client = installation.client("org.example.observer")
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(at: Self.location("/a.txt"))
            for (reference, code) in [
                (Self.top, DocumentsError.Code.notPermitted), (document.reference, .invalidArgument),
            ] {
                let error = await #expect(throws: DocumentsError.self) { try await client.observe(reference) { _ in } }
                #expect(error?.code == code, "\(String(describing: error))")
            }
        }
    }

    @Test("a program that may read the whole account is notified of changes")
    func reported() async throws {
        try await Installation.withLocalFolder { installation in
            try installation.write("x", to: "a.txt")
            let client = installation.client("org.example.observer")
            defer { client.close() }
            let picker = DocumentPicker(client: client, validTypes: ["public.folder"])
            _ = try await picker.openDocument(at: Self.location("/"), access: .read)
            let listing = DocumentPicker(client: client).items(in: Self.location("/"))
            var identifiers: [String] = []
            for try await item in listing { identifiers.append(item.reference.identifier) }
            let received = Mutex<[DocumentsClient.News]>([])
            let observation = Task {
                try? await client.observe(Self.top) { news in received.withLock { $0.append(news) } }
            }
            try await installation.eventually("the beginning") { received.withLock { $0 == [.began] } }
            try installation.write("another", to: "a.txt")
            try await installation.eventually("the change") {
                received.withLock { all in
                    all.contains { if case .changed(let some) = $0 { some.contains(identifiers[0]) } else { false } }
                }
            }
            observation.cancel()
        }
    }
}
