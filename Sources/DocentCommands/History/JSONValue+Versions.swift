import CommandConsole
import DesktopNotices
import DocentInterfaces
import Documents

/// The records of docs/json.md for versions.
extension JSONValue {
    /// A version of a document.
    init(historyOf version: FileVersion) {
        self = .object([
            "version": .string(version.persistentIdentifier),
            "isCurrent": .bool(version.isCurrent),
            "isConflict": .bool(version.isConflict),
            "isResolved": .bool(version.isResolved),
            "reason": JSONValue(version.reason?.rawValue),
            "name": .string(version.localizedName),
            "size": JSONValue(version.size),
            "modificationDate": JSONValue(Timestamp.text(version.modificationDate)),
            "keptDate": JSONValue(Timestamp.text(version.keptDate)),
            "savedBy": JSONValue(version.savingClient),
            "savedOn": JSONValue(version.localizedNameOfSavingComputer),
            "savedByPerson": JSONValue(version.savingPerson),
            "isAtProvider": .bool(version.isAtProvider),
            "hasLocalContents": .bool(version.hasLocalContents),
            "isPackage": .bool(version.isPackage),
        ])
    }

    /// A document with the versions that somebody has to decide about.
    init(conflict: ConflictedDocument) {
        self = .object([
            "provider": .string(conflict.reference.provider),
            "domain": .string(conflict.reference.domain),
            "document": .string(conflict.reference.identifier),
            "name": .string(conflict.name),
            "location": JSONValue(conflict.location?.description),
            "versions": .array(
                conflict.versions.map { version in
                    .object([
                        "version": .string(version.identifier),
                        "reason": .string(version.reason),
                        "size": .integer(version.size),
                        "modificationDate": JSONValue(
                            Timestamp.text(version.modificationDate ?? version.created)),
                        "savedBy": JSONValue(version.savedBy),
                        "savedOn": JSONValue(version.host),
                    ])
                }),
        ])
    }

    /// What is kept of replaced content.
    init(rules: AdministrationInterface.VersionRules.Reply) {
        self = .object([
            "effective": Self.rule(rules.effective),
            "rules": .array(rules.rules.map(Self.rule)),
            "usedBytes": .integer(rules.usedBytes),
            "usedVersions": .integer(rules.usedVersions),
        ])
    }

    private static func rule(_ rule: Wire.VersionRule) -> JSONValue {
        .object([
            "provider": JSONValue(rule.reference?.provider),
            "domain": JSONValue(rule.reference?.domain),
            "document": JSONValue(rule.reference?.identifier),
            "path": JSONValue(rule.path),
            "isKept": rule.isKept.map(JSONValue.bool) ?? .null,
            "versions": JSONValue(rule.versions),
            "days": JSONValue(rule.days),
            "space": JSONValue(rule.space),
            "whenFull": JSONValue(rule.whenFull),
            "merges": rule.merges.map(JSONValue.bool) ?? .null,
        ])
    }
}
