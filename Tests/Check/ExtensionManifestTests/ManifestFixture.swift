import Foundation
import Glibc

@testable package import ExtensionManifest

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }

    /// The value as Foundation's serialisers accept it.
    var object: Any {
        switch self {
        case .string(let value): value
        case .integer(let value): value
        case .real(let value): value
        case .boolean(let value): value
        case .date(let value): value
        case .data(let value): value
        case .array(let values): values.map(\.object)
        case .dictionary(let values): values.mapValues(\.object)
        }
    }

    /// The value with the entry at a dotted path replaced, or removed if nil. Dots in keys are written `\`.
    func setting(_ path: String, _ value: PropertyListValue?) -> PropertyListValue {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        var entries = dictionaryValue ?? [:]
        if parts.count == 1 {
            entries[parts[0]] = value
        } else {
            entries[parts[0]] = (entries[parts[0]] ?? [:]).setting(parts[1], value)
        }
        return .dictionary(entries)
    }

    func bytes(_ format: PropertyListReader.Format) throws -> [UInt8] {
        switch format {
        case .xml: Array(try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0))
        case .binary: Array(try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
        case .json: Array(try JSONSerialization.data(withJSONObject: object))
        }
    }
}

/// A home with manifests and a library, in a temporary directory that is deleted with the fixture.
final class ManifestFixture: Sendable {
    static let groups = "com.apple.security.application-groups"
    static let homeWrite = "com.apple.security.temporary-exception.files.home-relative-path.read-write"
    static let homeRead = "com.apple.security.temporary-exception.files.home-relative-path.read-only"
    static let absoluteWrite = "com.apple.security.temporary-exception.files.absolute-path.read-write"
    static let absoluteRead = "com.apple.security.temporary-exception.files.absolute-path.read-only"

    let root: String
    var manifests: String { root + "/manifests" }

    init() throws {
        var template = Array("/tmp/docent-manifest-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        let made = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        root = Paths.canonical(made) ?? made
        for name in ["home/Documents", "manifests"] { try directory(name) }
        try library("manifests/libDrive.so")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func directory(_ name: String, mode: Int = 0o755) throws {
        try FileManager.default.createDirectory(
            atPath: "\(root)/\(name)", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        chmod("\(root)/\(name)", mode_t(mode))
    }

    func library(_ name: String, _ content: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0]) throws {
        try write(name, content)
    }

    @discardableResult
    func write(_ name: String, _ content: [UInt8]) throws -> String {
        let path = "\(root)/\(name)"
        try FileManager.default.createDirectory(
            atPath: Paths.parent(of: path), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        try Data(content).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        return path
    }

    @discardableResult
    func write(
        _ name: String, _ value: PropertyListValue, _ format: PropertyListReader.Format = .xml
    ) throws -> String {
        try write(name, value.bytes(format))
    }

    func environment(_ extra: [String: String] = [:]) -> ManifestEnvironment {
        let base = ["HOME": root + "/home", "XDG_RUNTIME_DIR": root + "/run", "XDG_DATA_DIRS": root + "/usr/share"]
        return ManifestEnvironment(variables: base.merging(extra) { $1 }, currentDirectory: root)
    }

    /// `owner` decides who owns the files below the fixture; everything above belongs to root.
    func inspector(
        user: UInt32 = 1000, owner: @escaping @Sendable (_ path: String, _ facts: inout FileFacts) -> Void = { _, _ in }
    ) -> FileInspector {
        let root = root
        return FileInspector(user: user, trustedGroups: [0]) { path in
            guard var facts = FileInspector.systemFacts(path) else { return nil }
            facts.owner = Paths.contains(root, path) ? user : 0
            owner(path, &facts)
            return facts
        }
    }

    func reader(_ inspector: FileInspector? = nil, _ variables: [String: String] = [:]) -> ManifestReader {
        ManifestReader(environment: environment(variables), inspector: inspector ?? self.inspector())
    }

    func read(_ value: PropertyListValue, _ format: PropertyListReader.Format = .json) throws -> ManifestReport {
        reader().read(try write("manifests/extension.\(format == .json ? "json" : "plist")", value, format))
    }

    func scan(_ variables: [String: String] = [:], inspector: FileInspector? = nil) -> DiscoveryResult {
        let reader = reader(inspector, ["DOCENT_MANIFEST_PATH": "manifests"].merging(variables) { $1 })
        return ManifestDiscovery(reader: reader).scan(searchPath: .init(environment: reader.environment))
    }

    static func fileProvider(_ identifier: String = "org.example.Drive") -> PropertyListValue {
        [
            "CFBundleIdentifier": .string(identifier + ".FileProvider"), "CFBundleDisplayName": "Drive",
            "CFBundleShortVersionString": "1.2", "CFBundleExecutable": "libDrive.so",
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.fileprovider-nonui",
                "NSExtensionPrincipalClass": "Drive.Provider",
                "NSExtensionFileProviderDocumentGroup": .string("group." + identifier),
            ],
            groups: [.string("group." + identifier)],
        ]
    }

    static func picker(_ identifier: String = "org.example.Drive") -> PropertyListValue {
        [
            "CFBundleIdentifier": .string(identifier + ".Picker"), "CFBundleDisplayName": "Drive",
            "CFBundleExecutable": "libDrive.so",
            "NSExtension": [
                "NSExtensionPointIdentifier": "com.apple.fileprovider-ui",
                "NSExtensionMainStoryboard": "MainInterface",
                "NSExtensionAttributes": [
                    "UIDocumentPickerModes": [
                        "UIDocumentPickerModeImport", "UIDocumentPickerModeOpen",
                        "UIDocumentPickerModeExportToService", "UIDocumentPickerModeMoveToService",
                    ]
                ],
            ],
            groups: [.string("group." + identifier)],
        ]
    }
}
