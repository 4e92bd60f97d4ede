// swift-tools-version: 6.2
import PackageDescription

// Docent's SDKs for those who have Docent installed and not its source tree: no package from outside, nothing of the daemon.
// `make install` puts it beside the sources in PREFIX/share/docent/sdk; here Sources is a link.
let package = Package(
    name: "docent",
    products: [
        .library(name: "Documents", targets: ["Documents"]),
        .library(name: "FileProvider", targets: ["FileProvider"]),
        .library(name: "FileProviderValidation", targets: ["FileProviderValidation"]),
        .library(name: "UniformTypes", targets: ["UniformTypes"]),
    ],
    targets: [
        .target(name: "CLinux"),
        .target(name: "CVarlinkSocket"),
        .target(
            name: "DocentInterfaces", dependencies: ["Varlink"],
            resources: [
                .embedInCode("Interfaces/org.docent.Administration.varlink"),
                .embedInCode("Interfaces/org.docent.DocumentPicker.varlink"),
                .embedInCode("Interfaces/org.docent.Documents.varlink"),
                .embedInCode("Interfaces/org.docent.FileProvider.varlink"),
                .embedInCode("Interfaces/org.docent.Picker.varlink"),
            ]),
        .target(name: "Documents", dependencies: ["CLinux", "DocentInterfaces", "UniformTypes"]),
        .target(name: "ExtensionABI"),
        .target(name: "ExtensionManifest", dependencies: ["UniformTypes"]),
        .target(name: "FileProvider", dependencies: ["CLinux", "DocentInterfaces", "ExtensionABI", "UniformTypes"]),
        .target(
            name: "FileProviderValidation",
            dependencies: [
                "CLinux", "DocentInterfaces", "ExtensionManifest", "FileProvider", "UniformTypes", "Varlink",
            ]),
        .target(name: "UniformTypes"),
        .target(name: "Varlink", dependencies: ["CVarlinkSocket"]),
    ],
    swiftLanguageModes: [.v6]
)

// As in Docent's own Package.swift, but that a warning of a newer compiler stops nobody.
for target in package.targets {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // Swift 6.3.1 at -O forgets to return to the caller's actor after some functions that end in an await (CONTRIBUTING.md).
        .unsafeFlags(["-Xllvm", "-sil-disable-pass=optimize-hop-to-executor"], .when(configuration: .release)),
    ]
}
