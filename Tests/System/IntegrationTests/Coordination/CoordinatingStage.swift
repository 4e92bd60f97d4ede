import DocentInterfaces
import DocentTestSupport
import Documents
import Foundation
import Glibc
import Testing

/// An installation with one of the providers of `Tests/Plugins/CoordinatingProbe`, and access to its log.
struct CoordinatingStage: Sendable {
    /// The kind of provider.
    enum Kind: String, CaseIterable, Sendable {
        /// A provider of local files.
        case inPlace = "CoordinatingProbe"
        /// A provider of remote documents.
        case remote = "RemoteCoordinatingProbe"
        /// A provider of the iOS 8 class, with its own picker.
        case picker = "CoordinatingStorage"
    }

    let installation: Installation
    let kind: Kind

    var bundle: String { "org.docent.\(kind.rawValue)" }
    private var group: String { "group.\(bundle)" }
    private var container: String { "\(installation.data)/Groups/\(group)" }
    /// Where the documents are.
    var folder: String {
        kind == .picker ? "\(container)/File Provider Storage/_default" : "\(container)/Files"
    }

    /// Creates a stage for a test and removes it afterwards.
    static func with(
        _ kind: Kind, environment: [String: String] = [:], _ files: [String: String] = [:],
        _ body: (CoordinatingStage) async throws -> Void
    ) async throws {
        let environment = ["DOCENT_FRESH_SECONDS": "0", "DOCENT_POLL_SECONDS": "1"].merging(environment) { $1 }
        try await Installation.with(environment: environment, localFolder: false) { installation in
            let stage = CoordinatingStage(installation: installation, kind: kind)
            for (name, text) in files { try stage.write(text, to: name) }
            try stage.writeManifest("FileProvider", "com.apple.fileprovider-nonui", stage.fileProvider)
            try stage.writeManifest("Picker", "com.apple.fileprovider-ui", stage.picker)
            try await installation.docent("provider", "enable", stage.bundle, "--yes").succeeded()
            // An instance is created when it is first needed.
            _ = try await installation.docent("ls", stage.location("")).succeeded()
            try await body(stage)
        }
    }

    private var fileProvider: [String: Any] {
        [
            "NSExtensionPrincipalClass": "CoordinatingProbe.\(kind.rawValue)",
            "NSExtensionFileProviderDocumentGroup": group, "NSExtensionFileProviderSupportsEnumeration": true,
        ]
    }

    private var picker: [String: Any] {
        let modes = ["Import", "Open", "ExportToService", "MoveToService"].map { "UIDocumentPickerMode" + $0 }
        let entry = kind == .picker ? "NSExtensionPrincipalClass" : "NSExtensionMainStoryboard"
        return [
            entry: kind == .picker ? "CoordinatingProbe.CoordinatingPicker" : "MainInterface",
            "NSExtensionAttributes": [
                "UIDocumentPickerModes": modes, "UIDocumentPickerSupportedFileTypes": ["public.item"],
            ],
        ]
    }

    private func writeManifest(_ part: String, _ point: String, _ keys: [String: Any]) throws {
        let manifest: [String: Any] = [
            "CFBundleIdentifier": "\(bundle).\(part)", "CFBundleDisplayName": kind.rawValue,
            "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "libCoordinatingProbe.so",
            "NSExtension": keys.merging(["NSExtensionPointIdentifier": point]) { $1 },
            "com.apple.security.application-groups": [group],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: "\(installation.manifests)/\(bundle).\(part).plist"))
    }

    // MARK: Documents

    /// The location of a document, as `docent` accepts it.
    func location(_ name: String) -> String { "\(bundle):/\(name)" }

    func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    }

    func read(_ name: String) -> String? { installation.read("\(folder)/\(name)") }

    // MARK: The provider

    /// Its log of a document or a command, in order.
    func callbacks(_ name: String) -> [String] {
        (installation.read(container + "/callbacks.log") ?? "").split(separator: "\n")
            .filter { $0.hasSuffix(" " + name) }.map { String($0.dropLast(name.utf8.count + 1)) }
    }

    /// Waits until an entry of that kind was logged.
    func wait(_ name: String, for callback: String) async throws {
        try await installation.eventually("\(callback) \(name): \(callbacks(name))", within: 90) {
            callbacks(name).contains(callback)
        }
    }

    /// Whether no such entry is logged for a while.
    func staysWithout(_ name: String, _ callback: String) async throws -> Bool {
        for _ in 0..<40 {
            if callbacks(name).contains(callback) { return false }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }

    /// Makes it act on its own account.
    func command(_ name: String, _ words: String...) throws {
        let text = Data(words.joined(separator: "\t").utf8)
        let draft = "\(installation.root)/\(name)"
        try text.write(to: URL(fileURLWithPath: draft))
        try FileManager.default.moveItem(atPath: draft, toPath: "\(container)/Commands/\(name).command")
    }

    /// Makes it end its claims.
    func release(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: container + "/Commands", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(container)/Commands/\(name).release"))
    }

    // MARK: The host

    struct Claims: Decodable {
        struct Claim: Decodable {
            var operation: String
            var state: String
            var clientKind: String
            var client: String
            var process: Int?
            var waitsFor: [String]
        }
        var claims: [Claim]
    }

    /// The claims of all clients.
    func claims() async throws -> [Claims.Claim] {
        try await installation.docent("claims", "--json").succeeded().json(Claims.self).claims
    }

    /// The process that runs the file provider's code, according to the daemon.
    var process: Int? {
        get async throws {
            struct Status: Decodable {
                struct Extension: Decodable {
                    var provider: String
                    var processIdentifier: Int?
                }
                var extensions: [Extension]
            }
            let status = try await installation.docent("daemon", "status", "--json").succeeded().json(Status.self)
            return status.extensions.first { $0.provider == bundle }?.processIdentifier
        }
    }

    /// Waits until no claim is left.
    func waitForNoClaims() async throws {
        try await installation.eventually("no claim is left") { try await claims().isEmpty }
    }
}
