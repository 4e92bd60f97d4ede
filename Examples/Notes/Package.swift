// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Notes",
    products: [
        .executable(name: "notes", targets: ["notes"]),
        .library(name: "NotesCore", targets: ["NotesCore"]),
    ],
    // Without the trait `Host`, nothing of the daemon is resolved, cloned or built.
    dependencies: [.package(name: "docent", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "notes", dependencies: ["NotesCore", .product(name: "Documents", package: "docent")]),
        .target(name: "NotesCore", dependencies: [.product(name: "Documents", package: "docent")]),
        .testTarget(name: "NotesCoreTests", dependencies: ["NotesCore"]),
    ],
    swiftLanguageModes: [.v6]
)
