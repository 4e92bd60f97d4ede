import Documents
import FoundationEssentials
import Glibc

/// What is known of a document that a sandboxed program writes, beside its staged copy, so that a later run can tell what of it
/// was not saved.
struct StagedRecord: Codable, Sendable {
    /// As the user named it.
    var location: String
    var reference: DocumentReference
    var name: String
    /// Of the document, when the copy was last the same.
    var version: String?
    /// Of the copy at that moment.
    var fingerprint: StagedFingerprint

    /// Reads one; nil when there is none, or none that can be used.
    init?(file: String) {
        guard let data = try? Data(contentsOf: URL(filePath: file)),
            let record = try? JSONDecoder().decode(StagedRecord.self, from: data)
        else { return nil }
        self = record
    }

    init(location: String, reference: DocumentReference, name: String, version: String?, fingerprint: StagedFingerprint)
    {
        self.location = location
        self.reference = reference
        self.name = name
        self.version = version
        self.fingerprint = fingerprint
    }

    /// Keeps it, in place of what was kept before.
    func write(to file: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: file), options: .atomic)
    }
}
