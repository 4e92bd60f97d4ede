import Documents
import FoundationEssentials
import Glibc

/// The record of a document that a sandboxed program writes. It lies beside the staged copy, so that a later run can
/// see what was not saved.
struct StagedRecord: Codable, Sendable {
    /// As the user wrote it.
    var location: String
    var reference: DocumentReference
    var name: String
    /// The document's version when the copy was last the same.
    var version: String?
    /// The copy's fingerprint at that moment.
    var fingerprint: StagedFingerprint

    /// Reads a record; nil if there is none, or if it cannot be used.
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

    /// Writes the record, replacing an earlier one.
    func write(to file: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: file), options: .atomic)
    }
}
