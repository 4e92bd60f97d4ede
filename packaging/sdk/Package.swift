// swift-tools-version: 6.2
import Glibc
import PackageDescription

// Docent's SDKs for users who have installed Docent without its source tree: no external packages, nothing of the
// daemon. `make install` puts this file beside the sources in PREFIX/share/docent/sdk; here Sources is a link.

/// The modules that `make install` compiled. Swift has no stable binary interface here, so they work with one compiler
/// only; others build the sources.
let prebuilt = Context.packageDirectory + "/prebuilt"

func text(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    // The text in question is at the beginning.
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// Whether they were compiled by the current toolchain: `prebuilt/toolchain` names a file of the toolchain, and the
/// line in it with the version.
func isPrebuiltUsable() -> Bool {
    guard Context.environment["DOCENT_SDK_SOURCES"] == nil,
        let lines = text(of: prebuilt + "/toolchain")?.split(separator: "\n"), lines.count == 2,
        // This manifest runs with the standard library of the toolchain.
        let library = text(of: "/proc/self/maps")?.split(separator: "\n").lazy.compactMap({ $0.split(separator: " ").last })
            .first(where: { $0.hasSuffix("/lib/swift/linux/libswiftCore.so") }),
        let here = text(of: "\(library.dropLast("linux/libswiftCore.so".count))\(lines[0])")
    else { return false }
    return here.split(separator: "\n", maxSplits: 8).contains(lines[1])
}

let names = ["Documents", "FileProvider", "FileProviderValidation", "UniformTypes"]
let isPrebuilt = isPrebuiltUsable()

let sources: [Target] = [
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
    .target(
        name: "Documents", dependencies: ["CLinux", "DocentInterfaces", "ProcessLaunching", "UniformTypes", "Varlink"]),
    .target(name: "ExtensionABI"),
    .target(name: "ExtensionManifest", dependencies: ["UniformTypes"]),
    .target(
        name: "FileProvider", dependencies: ["CLinux", "DocentInterfaces", "ExtensionABI", "UniformTypes", "Varlink"]),
    .target(
        name: "FileProviderValidation",
        dependencies: [
            "CLinux", "DocentInterfaces", "ExtensionABI", "ExtensionManifest", "FileProvider", "ProcessLaunching",
            "UniformTypes", "Varlink",
        ]),
    .target(name: "ProcessLaunching", dependencies: ["CLinux"]),
    .target(name: "UniformTypes"),
    .target(name: "Varlink", dependencies: ["CVarlinkSocket"]),
]

let package = Package(
    name: "docent",
    products: names.map { .library(name: $0, targets: [isPrebuilt ? $0 + "Prebuilt" : $0]) },
    // The flags of each target name the directory of the compiled modules, and the one archive with all of them.
    targets: isPrebuilt
        ? names.map {
            .systemLibrary(name: $0 + "Prebuilt", path: "prebuilt/\($0)", pkgConfig: "\(prebuilt)/\($0)/docent.pc")
        } : sources,
    swiftLanguageModes: [.v6]
)

// As in Docent's own Package.swift, except that a warning of a newer compiler is not an error.
for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        // Swift 6.3.1 at -O does not return to the caller's actor after some functions that end in an await
        // (CONTRIBUTING.md).
        .unsafeFlags(["-Xllvm", "-sil-disable-pass=optimize-hop-to-executor"], .when(configuration: .release)),
    ]
}
