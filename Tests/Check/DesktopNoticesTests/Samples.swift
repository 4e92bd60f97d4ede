import DocentInterfaces
import Documents

@testable import DesktopNotices

/// Decisions that wait for the user, in tests.
enum Samples {
    static func reference(_ number: Int) -> Wire.ItemReference {
        .init(provider: "org.example.Cloud", domain: "work", identifier: "id-\(number)")
    }

    /// A document with versions in conflict, the newest first.
    static func conflict(
        _ number: Int = 1, versions: [String] = ["v1"], name: String = "plan.txt", path: String? = "/plan.txt",
        reason: String = "conflict"
    ) -> ConflictedDocument {
        ConflictedDocument(
            reference: reference(number), name: name,
            location: path.map { DocumentLocation(provider: "org.example.Cloud", domain: "work", path: $0) },
            versions: versions.map {
                Wire.Version(
                    identifier: $0, reference: reference(number), name: name, reason: reason, size: 4, created: 1,
                    isUnresolved: true, path: path)
            })
    }

    static func conflicts(_ numbers: some Sequence<Int>) -> Attention {
        Attention(conflicts: numbers.map { conflict($0) })
    }

    static func program(
        _ client: String = "org.example.Editor", kind: String = "unconfined", documents: Int = 51,
        isNoise: Bool? = nil, since: Double = 7
    ) -> Wire.HeldClient {
        .init(clientKind: kind, client: client, documents: documents, since: since, isNoise: isNoise)
    }
}
