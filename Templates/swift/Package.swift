// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "@NAME@",
    products: [.library(name: "@NAME@", type: .dynamic, targets: ["@NAME@"])],
    // The SDK that is part of Docent; nothing is fetched from the network.
    dependencies: [.package(name: "docent", path: "@SDK@")],
    targets: [
        .target(
            name: "@NAME@", dependencies: [.product(name: "FileProvider", package: "docent")],
            // The library exports only the symbol that Docent calls, and hides those of the SDK inside it.
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/exports.map"])
            ]),
        .testTarget(
            name: "@NAME@Tests",
            dependencies: [
                "@NAME@", .product(name: "FileProvider", package: "docent"),
                .product(name: "FileProviderValidation", package: "docent"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
