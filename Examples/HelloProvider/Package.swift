// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "HelloProvider",
    products: [.library(name: "HelloProvider", type: .dynamic, targets: ["HelloProvider"])],
    // Without the trait `Host`, nothing of the daemon is resolved, cloned or built.
    dependencies: [.package(name: "docent", path: "../..", traits: [])],
    targets: [
        .target(name: "HelloProvider", dependencies: [.product(name: "FileProvider", package: "docent")]),
        .testTarget(
            name: "HelloProviderTests",
            dependencies: ["HelloProvider", .product(name: "FileProviderValidation", package: "docent")]),
    ]
)
