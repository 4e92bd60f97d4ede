import DocentTestSupport
import Foundation
import Testing

/// Builds a plugin in C and installs it with its manifests, by copying two files.
struct PluginWorkshop {
    /// The contents of a manifest.
    struct Shape {
        var identifier = "org.example.Fault"
        var hasFileProvider = true
        /// nil for no picker.
        var modes: [String]? = ["Import", "Open", "ExportToService", "MoveToService"]
        /// Whether the picker has its own principal class.
        var hasOwnPicker = false
        var group: String?
        var displayName = "Faulty"
        /// The requested limits, by the last part of `org.docent.limits.…`.
        var limits: [String: Int] = [:]
        /// Programs that it may start.
        var spawn: [String] = []
    }

    let installation: Installation
    var shape = Shape()

    init(_ installation: Installation, _ change: (inout Shape) -> Void = { _ in }) {
        self.installation = installation
        change(&shape)
    }

    var group: String { shape.group ?? "group." + shape.identifier }
    var library: String { "\(installation.manifests)/lib\(shape.identifier).so" }
    /// The group's container, from the daemon's view.
    var container: String { "\(installation.data)/Groups/\(group)" }
    var storage: String { "\(container)/File Provider Storage/_default" }

    /// The steps that the picker recorded, one per line.
    var pickerLog: [String] {
        (installation.read(container + "/picker.log") ?? "").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
    }

    /// Compiles with any available C compiler.
    func compile(_ source: String = TestPluginSource.whole, defines: [String: String] = [:]) async throws {
        let compiler = try #require(
            ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first(
                where: FileManager.default.isExecutableFile(atPath:))
                ?? Self.onPath("clang"))
        let file = "\(installation.root)/\(shape.identifier).c"
        try Data(source.utf8).write(to: URL(fileURLWithPath: file))
        let macros = defines.map { $1.isEmpty ? "-D\($0)" : "-D\($0)=\($1)" }
        let include = Repository.root + "/Sources/ExtensionABI/include"
        try await installation.run(
            compiler,
            ["-shared", "-fPIC", "-fvisibility=hidden", "-O1", "-I", include] + macros + ["-o", library, file]
        ).succeeded()
    }

    private static func onPath(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile(atPath:))
    }

    /// Writes the manifests.
    func writeManifests() throws {
        if shape.hasFileProvider {
            try write(
                "FileProvider", "com.apple.fileprovider-nonui",
                [
                    "NSExtensionPrincipalClass": "Fault.Provider", "NSExtensionFileProviderDocumentGroup": group,
                    "NSExtensionFileProviderSupportsEnumeration": true,
                ])
        }
        guard let modes = shape.modes else { return }
        let entry = shape.hasOwnPicker ? "NSExtensionPrincipalClass" : "NSExtensionMainStoryboard"
        try write(
            "Picker", "com.apple.fileprovider-ui",
            [
                entry: shape.hasOwnPicker ? "Fault.Picker" : "MainInterface",
                "NSExtensionAttributes": [
                    "UIDocumentPickerModes": modes.map { "UIDocumentPickerMode" + $0 },
                    "UIDocumentPickerSupportedFileTypes": ["public.content"],
                ],
            ])
    }

    private func write(_ part: String, _ point: String, _ members: [String: Any]) throws {
        var manifest: [String: Any] = [
            "CFBundleIdentifier": "\(shape.identifier).\(part)", "CFBundleDisplayName": shape.displayName,
            "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "lib\(shape.identifier).so",
            "NSExtension": members.merging(["NSExtensionPointIdentifier": point]) { $1 },
            "com.apple.security.application-groups": [group],
        ]
        for (name, amount) in shape.limits { manifest["org.docent.limits." + name] = amount }
        if !shape.spawn.isEmpty { manifest["org.docent.spawn"] = shape.spawn }
        let data = try JSONSerialization.data(withJSONObject: manifest, options: [.prettyPrinted, .sortedKeys])
        try data.write(to: URL(fileURLWithPath: "\(installation.manifests)/\(shape.identifier).\(part).json"))
    }

    /// Consents to the manifests.
    func enable(_ more: String...) async throws {
        try await installation.run(
            Installation.binaries + "/docent", ["provider", "enable", shape.identifier, "--yes"] + more
        ).succeeded()
    }

    /// Does all of this.
    func install(defines: [String: String] = [:]) async throws {
        try await compile(defines: defines)
        try writeManifests()
        try await enable()
    }

    /// A location in this provider.
    func location(_ path: String) -> String { "\(shape.identifier):/\(path)" }
}
