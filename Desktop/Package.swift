// swift-tools-version: 6.2
import PackageDescription

// The programs with windows: a package of its own, so that servers and CI build Docent without GTK.

/// SwiftPM's name for the package above: the last component of its path.
let docent = String(Context.packageDirectory.split(separator: "/").dropLast().last ?? "docent").lowercased()

/// The name that `package` declarations of the package above are visible under: SwiftPM makes an identifier of it.
let access = String(docent.map { $0.isLetter || $0.isNumber ? $0 : "_" })

let package = Package(
    name: "docent-desktop",
    products: [
        .executable(name: "docent-picker", targets: ["docent-picker"]),
        .executable(name: "docent-portal", targets: ["docent-portal"]),
    ],
    dependencies: [.package(path: "..", traits: [])],
    targets: [
        .systemLibrary(name: "CGIO", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(
            name: "CGTK", pkgConfig: "libadwaita-1", providers: [.apt(["libgtk-4-dev", "libadwaita-1-dev"])]),
        .target(
            name: "PickerDialog",
            dependencies: [
                .product(name: "PickerModels", package: docent), .product(name: "UniformTypes", package: docent),
            ],
            packageAccess: false),
        .target(name: "DesktopPrograms", packageAccess: false),
        .target(
            name: "PortalDialog",
            dependencies: ["PickerDialog", .product(name: "PickerModels", package: docent)], packageAccess: false),
        .executableTarget(
            name: "docent-picker",
            dependencies: [
                "CGTK", "DesktopPrograms", "PickerDialog", .product(name: "PickerModels", package: docent),
            ],
            packageAccess: false),
        .executableTarget(
            name: "docent-portal",
            dependencies: [
                "CGIO", "DesktopPrograms", "PickerDialog", "PortalDialog",
                .product(name: "PickerModels", package: docent),
            ],
            packageAccess: false),
        .testTarget(
            name: "PickerDialogTests",
            dependencies: ["PickerDialog", .product(name: "PickerModels", package: docent)], packageAccess: false),
        .testTarget(
            name: "PortalDialogTests", dependencies: ["DesktopPrograms", "PickerDialog", "PortalDialog"],
            packageAccess: false),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("ImmutableWeakCaptures"),
        .enableUpcomingFeature("InferIsolatedConformances"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
        // The window is part of Docent, though SwiftPM takes it for another package.
        .unsafeFlags(["-package-name", access]),
    ]
}
