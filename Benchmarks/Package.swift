// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "docent-benchmarks",
    // Without the trait `Host`: only Docent's client side is built here; the programs come from `make release`.
    dependencies: [.package(name: "docent", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "DocentBenchmarks", dependencies: [.product(name: "Documents", package: "docent")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("ImmutableWeakCaptures"),
                .enableUpcomingFeature("InferIsolatedConformances"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .treatAllWarnings(as: .error),
            ])
    ],
    swiftLanguageModes: [.v6]
)
