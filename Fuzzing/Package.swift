// swift-tools-version: 6.2
import PackageDescription

// Contains only what the targets need, built so that libFuzzer sees every branch. Scripts/fuzz.sh copies it next to the
// sources and builds it.
let package = Package(
    name: "fuzz",
    targets: [
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive"),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto"),
        .target(name: "CLinux"),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
        .target(name: "Cryptography", dependencies: ["CCrypto"]),
        .target(name: "CVarlinkSocket"),
        .target(name: "Varlink", dependencies: ["CVarlinkSocket"]),
        .target(name: "UniformTypes"),
        .target(name: "DriveStore", dependencies: ["CLinux", "CSodium"]),
        .target(
            name: "DocentInterfaces", dependencies: ["Varlink"],
            resources: [
                .embedInCode("Interfaces/org.docent.Administration.varlink"),
                .embedInCode("Interfaces/org.docent.DocumentPicker.varlink"),
                .embedInCode("Interfaces/org.docent.Documents.varlink"),
                .embedInCode("Interfaces/org.docent.FileProvider.varlink"),
                .embedInCode("Interfaces/org.docent.Picker.varlink"),
            ]),
        .target(name: "ExtensionManifest", dependencies: ["UniformTypes"]),
        .target(name: "Storage", dependencies: ["CArchive", "CLinux", "Cryptography"]),
        .target(
            name: "Rights", dependencies: ["Cryptography"],
            sources: [
                "Bookmarks/BookmarkCipher.swift", "Bookmarks/BookmarkContent.swift", "Bookmarks/BookmarkFault.swift",
                "Bookmarks/BookmarkSeal.swift", "Bookmarks/BookmarkToken.swift", "Bookmarks/EmbeddedValues.swift",
                "Database/BytewiseText.swift", "Database/Date+Stored.swift", "Database/ItemKey.swift",
                "Database/JSONText.swift", "Database/Principal.swift", "Database/Principal+Strength.swift",
                "Grants/AccessLevel.swift",
            ]),
        .target(name: "Records", dependencies: ["Rights"], sources: ["Index/ItemDescription.swift"]),
        .target(
            name: "RemoteDocuments", dependencies: ["CLinux", "Cryptography", "Records", "Rights", "Storage"],
            sources: ["Keeping/PlaceholderFile.swift", "Keeping/PlaceholderName.swift"]),
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CLinux", "DocentInterfaces", "DriveStore", "ExtensionManifest", "RemoteDocuments", "Rights", "Storage",
                "UniformTypes", "Varlink",
            ],
            path: "Fuzz", swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
    ],
    swiftLanguageModes: [.v6])

for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
        ]
}
