import DocentTestSupport
import Foundation
import Glibc

/// An installation with a real keyring, with providers of `Tests/Plugins/KeychainProbe` under any names and in any
/// groups.
struct KeychainStage: Sendable {
    let installation: Installation
    let services: KeyringServices

    static let secret = "hush-stage7d02e1"

    static func with<Result>(
        _ kind: KeyringServices.Kind = .unlocked, environment: [String: String] = [:],
        _ body: (KeychainStage) async throws -> Result
    ) async throws -> Result {
        try await KeyringServices.with(kind) { services in
            let environment = services.environment.merging(["DOCENT_FRESH_SECONDS": "0"].merging(environment) { $1 }) {
                $1
            }
            return try await Installation.with(environment: environment, localFolder: false) { installation in
                try await body(KeychainStage(installation: installation, services: services))
            }
        }
    }

    /// Writes the manifests of a provider; `picker` are the groups of its picker, nil for the standard one.
    func writeManifests(_ bundle: String, groups: [String]?, picker: [String]? = nil) throws {
        let group = "group.\(bundle)"
        try write(
            bundle, "FileProvider", "com.apple.fileprovider-nonui", groups,
            [
                "NSExtensionPrincipalClass": "KeychainProbe.KeychainProbe",
                "NSExtensionFileProviderDocumentGroup": group, "NSExtensionFileProviderSupportsEnumeration": true,
            ])
        let modes = ["Import", "Open", "ExportToService"].map { "UIDocumentPickerMode" + $0 }
        try write(
            bundle, "Picker", "com.apple.fileprovider-ui", picker,
            [
                picker == nil ? "NSExtensionMainStoryboard" : "NSExtensionPrincipalClass": picker == nil
                    ? "MainInterface" : "KeychainProbe.KeychainProbePicker",
                "NSExtensionAttributes": [
                    "UIDocumentPickerModes": modes, "UIDocumentPickerSupportedFileTypes": ["public.item"],
                ],
            ])
    }

    private func write(
        _ bundle: String, _ part: String, _ point: String, _ groups: [String]?, _ keys: [String: Any]
    ) throws {
        var manifest: [String: Any] = [
            "CFBundleIdentifier": "\(bundle).\(part)", "CFBundleDisplayName": bundle,
            "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "libKeychainProbe.so",
            "NSExtension": keys.merging(["NSExtensionPointIdentifier": point]) { $1 },
            "com.apple.security.application-groups": ["group.\(bundle)"],
        ]
        manifest["keychain-access-groups"] = groups
        let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: "\(installation.manifests)/\(bundle).\(part).plist"))
    }

    /// Installs and enables a provider.
    func install(
        _ bundle: String, groups: [String]?, picker: [String]? = nil, enabling arguments: [String] = []
    ) async throws {
        try writeManifests(bundle, groups: groups, picker: picker)
        try await enable(bundle, arguments)
    }

    func enable(_ bundle: String, _ arguments: [String] = []) async throws {
        try await installation.run(
            Installation.binaries + "/docent", ["provider", "enable", bundle, "--yes"] + arguments
        ).succeeded()
    }

    /// A provider's answer, or the text of an error.
    func tell(_ bundle: String, _ words: String..., domain: String = "") async throws -> String {
        let place = domain.isEmpty ? bundle : "\(bundle)@\(domain)"
        let outcome = try await installation.docent("info", "\(place):/fp~" + words.joined(separator: "~"))
        return Self.answer(outcome)
    }

    /// The answer of its picker.
    func tellPicker(_ bundle: String, _ words: String...) async throws -> String {
        let source = installation.home + "/source.txt"
        try Data("x".utf8).write(to: URL(fileURLWithPath: source))
        return Self.answer(
            try await installation.docent("export", source, "\(bundle):/pk~" + words.joined(separator: "~")))
    }

    /// The text in brackets, and the reason if it failed.
    private static func answer(_ outcome: Outcome) -> String {
        guard let start = outcome.errors.firstIndex(of: "["), let end = outcome.errors[start...].firstIndex(of: "]")
        else {
            return "no answer: \(outcome.errors)"
        }
        let words = String(outcome.errors[outcome.errors.index(after: start)..<end])
        return words.hasPrefix("failed") || words.hasPrefix("filled") || words == "said"
            ? String(outcome.errors[start...]) : words
    }

    /// A secret as ``tell(_:_:domain:)`` accepts and returns it.
    static func backwards(_ secret: String = secret) -> String { String(secret.reversed()) }
}
