// swift-tools-version: 6.2
import PackageDescription

// Externals hang on the trait `Host`: a provider's package that says `traits: []` resolves and clones none of them.
let host: TargetDependencyCondition? = .when(traits: ["Host"])

/// A target of tests, in the folder of its tier; `Scripts/test.sh` finds the targets of a tier by that folder.
func tests(
    _ tier: String, _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies + ["DocentTestSupport"], path: "Tests/\(tier)/\(name)", exclude: exclude)
}

/// Decisions, and services in process: `make check`.
let check = [
    tests(
        "Check", "AccessTests",
        [
            "Access", "Coordination", "DaemonCore", "DocentInterfaces", "ExtensionHosting", "FileProvider", "HostCore",
            "HostServices", "HostTesting", "Records", "RemoteDocuments", "Rights", "Storage", "UniformTypes",
            "Varlink",
        ]),
    tests(
        "Check", "ClientRunningTests",
        ["ClientRunning", "CommandConsole", "DocentInterfaces", "ExtensionManifest"]),
    tests("Check", "CommandConsoleTests", ["CommandConsole", "DocentInterfaces", "Documents"]),
    tests("Check", "CoordinationTests", ["Coordination"]),
    tests("Check", "CryptographyTests", ["Cryptography"]),
    tests(
        "Check", "DaemonCoreTests",
        [
            "DaemonCore", "DocentInterfaces", "Documents", "ExtensionManifest", "HostCore", "HostTesting", "Keyring",
            "Records", "Rights", "Storage", .product(name: "Logging", package: "swift-log", condition: host),
        ]),
    tests("Check", "DesktopNoticesTests", ["DesktopNotices", "DocentInterfaces", "Documents"]),
    tests(
        "Check", "DocentCommandsTests",
        [
            "CommandConsole", "DesktopNotices", "DocentCommands", "DocentInterfaces", "Documents",
            "SignInConversation", "TerminalPicker", "ViewPolicies",
            .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
        ],
        exclude: ["Snapshots"]),
    tests("Check", "DocentInterfacesTests", ["DocentInterfaces", "Varlink"]),
    tests("Check", "DocentTestSupportTests", []),
    tests("Check", "DocumentsTests", ["DocentInterfaces", "Documents", "Varlink"]),
    tests("Check", "DriveStoreTests", ["DriveS3", "DriveStore"]),
    tests("Check", "DriveTests", ["Drive", "FileProvider"]),
    tests(
        "Check", "ExtensionHostingTests",
        [
            "Coordination", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "HostCore", "Rights",
            "Storage", "Varlink",
        ]),
    tests("Check", "ExtensionManifestTests", ["ExtensionManifest", "UniformTypes"]),
    tests(
        "Check", "ExtensionValidationTests",
        ["DocentInterfaces", "ExtensionManifest", "ExtensionValidation", "FileProviderValidation", "Varlink"]),
    tests("Check", "FileProviderTests", ["CLinux", "DocentInterfaces", "FileProvider", "UniformTypes", "Varlink"]),
    tests(
        "Check", "FileProviderValidationTests",
        ["DocentInterfaces", "Faulty", "FileProvider", "FileProviderValidation", "Varlink"]),
    tests(
        "Check", "FuzzTests",
        [
            "CLinux", "DocentInterfaces", "DriveStore", "ExtensionManifest", "RemoteDocuments", "Rights", "Storage",
            "UniformTypes", "Varlink",
        ],
        exclude: ["Corpus"]),
    tests("Check", "FileSystemMessagesTests", ["CFUSE", "FileSystemMessages"]),
    tests("Check", "HTTPTransportTests", ["FileProvider", "HTTPTransport"]),
    tests(
        "Check", "HostCoreTests",
        [
            "CLinux", "DocentInterfaces", "ExtensionHosting", "HostCore", "HostTesting", "Keyring", "Rights", "Storage",
            "Varlink", .product(name: "Logging", package: "swift-log", condition: host),
        ]),
    tests(
        "Check", "HostServicesTests",
        [
            "Access", "DaemonCore", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "FileProvider",
            "HostCore", "HostServices", "HostTesting", "Keyring", "Records", "RemoteDocuments", "Rights", "Saving",
            "Storage", "Transfers", "UniformTypes", "Varlink",
            .product(name: "Logging", package: "swift-log", condition: host),
        ]),
    tests(
        "Check", "LocalFolderTests",
        ["CLinux", "DocentInterfaces", "FileProvider", "LocalFolder", "UniformTypes", "Varlink"]),
    tests(
        "Check", "MountedViewTests",
        ["CFUSE", "DocentInterfaces", "Documents", "FileSystemMessages", "MountedView", "ViewMounting", "ViewPolicies"]),
    tests("Check", "ProcessLaunchingTests", ["ProcessLaunching"]),
    tests("Check", "ProviderInstallationTests", ["Documents", "ProviderInstallation"]),
    tests(
        "Check", "RecordsTests",
        [
            "HostTesting", "Records", "Rights", .product(name: "GRDB", package: "GRDB.swift", condition: host),
        ]),
    tests(
        "Check", "RemoteDocumentsTests",
        [
            "Access", "DaemonCore", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "FileProvider",
            "HostCore", "HostServices", "HostTesting", "Keyring", "Records", "RemoteDocuments", "Rights", "Saving",
            "Storage", "Transfers", "UniformTypes",
            .product(name: "Logging", package: "swift-log", condition: host),
        ]),
    tests("Check", "RequirementTests", []),
    tests(
        "Check", "RightsTests",
        [
            "HostTesting", "Rights", .product(name: "GRDB", package: "GRDB.swift", condition: host),
        ]),
    tests(
        "Check", "SavingTests",
        [
            "Access", "DaemonCore", "DocentInterfaces", "ExtensionHosting", "FileProvider", "HostCore",
            "HostServices", "HostTesting", "Records", "RemoteDocuments", "Rights", "Saving", "Storage", "UniformTypes",
        ]),
    tests(
        "Check", "SignInConversationTests",
        ["CommandConsole", "DocentInterfaces", "Documents", "SignInConversation"]),
    tests("Check", "StorageTests", ["CLinux", "ContentChunking", "Cryptography", "Storage"]),
    tests("Check", "TerminalPickerTests", ["CommandConsole", "DocentInterfaces", "Documents", "TerminalPicker"]),
    tests(
        "Check", "TransfersTests",
        [
            "DocentInterfaces", "ExtensionHosting", "HostCore", "HostTesting", "Rights", "Transfers",
            .product(name: "Logging", package: "swift-log", condition: host),
        ]),
    tests("Check", "UniformTypesTests", ["UniformTypes"]),
    tests("Check", "VarlinkTests", ["CVarlinkSocket", "Varlink"]),
    tests("Check", "WebDAVTests", ["CCurl", "FileProvider", "HTTPTransport", "WebDAV"]),
]

/// The programs, their sandboxes and real servers: `make test`, together with the above.
let system = [
    tests("System", "CommandProcessTests", ["ClientRunning", "docent"]),
    tests(
        "System", "DocumentationTests",
        ["Documents", "ExtensionValidation", "FileProvider", "FileProviderValidation", "UniformTypes"]),
    tests(
        "System", "IntegrationTests",
        [
            "CLinux", "Documents", "DocentInterfaces", "Storage", "Varlink", "docent", "docent-extension-host",
            "docent-keyring-file", "docentd", "Faulty", "LocalFolder", "Rclone", "WebDAV", "ClassicProbe",
            "CoordinatingProbe", "KeychainProbe", "claim-probe", "docent-provider-validator",
        ]),
    tests("System", "KeyringTests", ["Keyring", "docent-keyring-file"]),
    tests(
        "System", "ProviderFaultTests",
        ["DocentInterfaces", "Faulty", "FileProvider", "FileProviderValidation", "Varlink", "loader-probe"]),
    tests("System", "RcloneTests", ["FileProvider", "HTTPTransport", "Rclone"]),
    tests(
        "System", "SandboxTests",
        [
            "CLinux", "DaemonCore", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "FileProvider",
            "HostCore", "HostServices", "HostTesting", "ProcessLaunching", "RemoteDocuments", "Rights", "Storage",
            "UniformTypes", "Varlink", "docent-extension-host",
        ]),
    tests(
        "System", "WebDAVServerTests",
        ["CCurl", "CLinux", "DocentInterfaces", "FileProvider", "HTTPTransport", "WebDAV"]),
]

/// What takes too long for every change: `make test-full`, together with all the above.
let full = [
    tests("Full", "LongTests", ["docent", "docentd", "docent-extension-host", "docent-provider-validator"])
]

let package = Package(
    name: "docent",
    products: [
        .executable(name: "docent", targets: ["docent"]),
        .executable(name: "docent-extension-host", targets: ["docent-extension-host"]),
        .executable(name: "docent-keyring-file", targets: ["docent-keyring-file"]),
        .executable(name: "docent-notifier", targets: ["docent-notifier"]),
        .executable(name: "docent-provider-validator", targets: ["docent-provider-validator"]),
        .executable(name: "docent-view", targets: ["docent-view"]),
        .executable(name: "docentd", targets: ["docentd"]),
        .library(name: "Documents", targets: ["Documents"]),
        .library(name: "Drive", type: .dynamic, targets: ["Drive"]),
        .library(name: "FileProvider", targets: ["FileProvider"]),
        .library(name: "FileProviderValidation", targets: ["FileProviderValidation"]),
        .library(name: "LocalFolder", type: .dynamic, targets: ["LocalFolder"]),
        // What the window of `Desktop/` shares with the picker on the terminal.
        .library(
            name: "PickerModels", targets: ["CommandConsole", "DocentInterfaces", "Documents", "TerminalPicker"]),
        .library(name: "Rclone", type: .dynamic, targets: ["Rclone"]),
        .library(name: "UniformTypes", targets: ["UniformTypes"]),
        .library(name: "WebDAV", type: .dynamic, targets: ["WebDAV"]),
        // For tests alone; not installed.
        .executable(name: "claim-probe", targets: ["claim-probe"]),
        .executable(name: "loader-probe", targets: ["loader-probe"]),
        .executable(name: "rights-benchmark", targets: ["rights-benchmark"]),
        .library(name: "ClassicProbe", type: .dynamic, targets: ["ClassicProbe"]),
        .library(name: "CoordinatingProbe", type: .dynamic, targets: ["CoordinatingProbe"]),
        .library(name: "Faulty", type: .dynamic, targets: ["Faulty"]),
        .library(name: "KeychainProbe", type: .dynamic, targets: ["KeychainProbe"]),
    ],
    traits: [
        .trait(name: "Host", description: "The daemon and the command line, with all that they are built on."),
        .default(enabledTraits: ["Host"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .systemLibrary(name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CSessionBus", pkgConfig: "gio-2.0", providers: [.apt(["libglib2.0-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CFUSE"),
        .target(name: "CLinux"),
        .systemLibrary(name: "CLibSecret", pkgConfig: "libsecret-1", providers: [.apt(["libsecret-1-dev"])]),
        .target(name: "CConfinement", linkerSettings: [.linkedLibrary("seccomp")]),
        .target(name: "CSocketActivation"),
        .target(name: "CVarlinkSocket"),
        .target(
            name: "ClientRunning",
            dependencies: [
                "CConfinement", "CLinux", "CommandConsole", "DocentInterfaces", "Documents", "ProcessLaunching",
                "Varlink", "ViewMounting",
            ]),
        .executableTarget(name: "claim-probe", dependencies: ["Documents"], path: "Tests/Programs/ClaimProbe"),
        .target(name: "ClassicProbe", dependencies: ["FileProvider"], path: "Tests/Plugins/ClassicProbe"),
        .target(name: "CoordinatingProbe", dependencies: ["FileProvider"], path: "Tests/Plugins/CoordinatingProbe"),
        .target(
            name: "KeychainProbe", dependencies: ["CLinux", "FileProvider"], path: "Tests/Plugins/KeychainProbe"),
        .executableTarget(
            name: "rights-benchmark", dependencies: ["Rights"], path: "Tests/Programs/RightsBenchmark"),
        .target(name: "CommandConsole", dependencies: ["Documents", "ExtensionManifest"]),
        .target(name: "ContentChunking"),
        .target(name: "Coordination"),
        .target(name: "Cryptography", dependencies: ["CCrypto"]),
        .target(name: "DesktopNotices", dependencies: ["DocentInterfaces", "Documents", "ExtensionManifest"]),
        .target(
            name: "DocentCommands",
            dependencies: [
                "CLinux", "ClientRunning", "CommandConsole", "DesktopNotices", "DocentInterfaces", "Documents",
                "ExtensionManifest", "ProcessLaunching", "ProviderInstallation", "SignInConversation", "TerminalPicker",
                "UniformTypes", "Varlink", "ViewMounting", "ViewPolicies",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
            ]),
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
            name: "Documents",
            dependencies: ["CLinux", "DocentInterfaces", "ProcessLaunching", "UniformTypes", "Varlink"]),
        .target(name: "Drive", dependencies: ["DriveS3", "DriveStore", "FileProvider"], path: "Plugins/Drive"),
        .target(name: "DriveS3", dependencies: ["DriveStore", "FileProvider", "HTTPTransport"]),
        .target(name: "DriveStore", dependencies: ["CLinux", "CSodium", "ContentChunking"]),
        .target(name: "ExtensionABI"),
        .target(name: "ExtensionManifest", dependencies: ["UniformTypes"]),
        .target(
            name: "ExtensionValidation",
            dependencies: [
                "CLinux", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "FileProviderValidation",
                "HostCore", "ProcessLaunching", "Rights", "Storage", "Varlink",
            ]),
        .target(name: "FileSystemMessages", dependencies: ["CFUSE"]),
        .target(
            name: "Faulty", dependencies: ["FileProvider", "UniformTypes"], path: "Plugins/Faulty",
            exclude: ["README.md", "manifests", "service.sh"]),
        .target(
            name: "FileProvider",
            dependencies: ["CLinux", "DocentInterfaces", "ExtensionABI", "UniformTypes", "Varlink"]),
        .target(
            name: "FileProviderValidation",
            dependencies: [
                "CLinux", "DocentInterfaces", "ExtensionABI", "ExtensionManifest", "FileProvider", "ProcessLaunching",
                "Varlink",
            ]),
        .executableTarget(
            name: "loader-probe", dependencies: ["FileProviderValidation"], path: "Tests/Programs/LoaderProbe"),
        // The host, from the ground up: each uses those before it, never one after it (docs/contributing/modules.md).
        .target(
            name: "Rights",
            dependencies: [
                "Cryptography", .product(name: "GRDB", package: "GRDB.swift", condition: host),
            ]),
        .target(
            name: "Records",
            dependencies: [
                "Rights",
                .product(name: "GRDB", package: "GRDB.swift", condition: host),
            ]),
        .target(
            name: "HostCore",
            dependencies: [
                "CLinux", "Coordination", "DocentInterfaces", "ExtensionManifest", "Keyring", "Records",
                "Rights", "Storage", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "Transfers",
            dependencies: [
                "DocentInterfaces", "HostCore", "Rights",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "ExtensionHosting",
            dependencies: [
                "CLinux", "Coordination", "DocentInterfaces", "ExtensionManifest", "HostCore", "ProcessLaunching",
                "Rights", "Storage", "Transfers", "UniformTypes", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "RemoteDocuments",
            dependencies: [
                "CLinux", "Cryptography", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "HostCore",
                "Keyring",
                "Records", "Rights", "Storage", "Transfers", "UniformTypes", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "Access",
            dependencies: [
                "CLinux", "Coordination", "DocentInterfaces", "ExtensionHosting", "HostCore", "Records",
                "RemoteDocuments", "Rights", "Storage", "Transfers", "UniformTypes", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "Saving",
            dependencies: [
                "Access", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "HostCore", "Records",
                "RemoteDocuments", "Rights", "Storage", "Transfers", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "HostServices",
            dependencies: [
                "Access", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "HostCore", "Keyring",
                "Records", "RemoteDocuments", "Rights", "Saving", "Storage", "Transfers", "UniformTypes",
                "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(
            name: "DaemonCore",
            dependencies: [
                "Access", "Coordination", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "HostCore",
                "HostServices", "Keyring", "ProcessLaunching", "Records", "RemoteDocuments", "Rights", "Saving",
                "Storage", "Transfers", "UniformTypes", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        .target(name: "HTTPTransport", dependencies: ["CCurl", "FileProvider"]),
        .executableTarget(name: "docent-keyring-file", dependencies: ["Keyring"]),
        .target(name: "Keyring", dependencies: ["CLibSecret", "Cryptography", "ProcessLaunching"]),
        .target(name: "LocalFolder", dependencies: ["FileProvider"], path: "Plugins/LocalFolder"),
        .target(name: "ProcessLaunching", dependencies: ["CLinux"]),
        .target(
            name: "MountedView",
            dependencies: [
                "CFUSE", "CLinux", "DocentInterfaces", "Documents", "FileSystemMessages", "Varlink", "ViewMounting",
                "ViewPolicies",
            ]),
        .target(
            name: "ProviderInstallation",
            dependencies: ["CommandConsole", "DocentInterfaces", "Documents", "ExtensionManifest"]),
        .target(
            name: "Rclone", dependencies: ["CCurl", "CSocketActivation", "FileProvider", "HTTPTransport"],
            path: "Plugins/Rclone"),
        .target(
            name: "SignInConversation",
            dependencies: ["CommandConsole", "DocentInterfaces", "Documents", "ProcessLaunching", "Varlink"]),
        .target(name: "Storage", dependencies: ["CArchive", "CLinux", "ContentChunking", "Cryptography"]),
        .target(
            name: "TerminalPicker",
            dependencies: ["CommandConsole", "DocentInterfaces", "Documents", "UniformTypes", "Varlink"]),
        .target(name: "UniformTypes"),
        .target(
            name: "WebDAV", dependencies: ["CCurl", "CXML2", "Cryptography", "FileProvider", "HTTPTransport"],
            path: "Plugins/WebDAV"),
        .target(name: "Varlink", dependencies: ["CVarlinkSocket"]),
        .target(name: "ViewMounting", dependencies: ["CFUSE", "CLinux", "ProcessLaunching"]),
        .target(name: "ViewPolicies", dependencies: ["CLinux", "Documents"]),
        .executableTarget(name: "docent", dependencies: ["DocentCommands"]),
        .executableTarget(
            name: "docent-extension-host", dependencies: ["CConfinement", "ExtensionABI"],
            linkerSettings: [
                .linkedLibrary("seccomp"),
                // No Swift runtime: its constructors would run before the sandbox is closed (TRIED, trap 1).
                .unsafeFlags(["-static-stdlib", "-nostartfiles", "-no-toolchain-stdlib-rpath"]),
            ]),
        .executableTarget(
            name: "docent-notifier",
            dependencies: [
                "CLinux", "CSessionBus", "DesktopNotices", "DocentInterfaces", "Documents", "ProcessLaunching",
                "Varlink",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
            ]),
        .executableTarget(
            name: "docent-provider-validator",
            dependencies: [
                "CLinux", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "ExtensionValidation",
                "FileProviderValidation", "HostCore", "ProcessLaunching",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
            ]),
        .executableTarget(
            name: "docent-view",
            dependencies: [
                "CFUSE", "CLinux", "Documents", "MountedView", "ProcessLaunching", "ViewMounting",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
            ]),
        .executableTarget(
            name: "docentd",
            dependencies: [
                "DaemonCore", "HostCore", "Storage",
                .product(name: "ArgumentParser", package: "swift-argument-parser", condition: host),
                .product(name: "Logging", package: "swift-log", condition: host),
            ]),
        // For tests alone; not installed.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(
            name: "DocentTestSupport",
            dependencies: ["CTestSupport", "DocentInterfaces", "Documents", "ProcessLaunching", "Varlink"],
            path: "Tests/DocentTestSupport"),
        .target(
            name: "HostTesting",
            dependencies: [
                "DaemonCore", "DocentInterfaces", "ExtensionHosting", "ExtensionManifest", "FileProvider", "HostCore",
                "RemoteDocuments", "Rights", "Saving", "Storage", "Transfers", "Varlink",
                .product(name: "Logging", package: "swift-log", condition: host),
            ],
            path: "Tests/HostTesting"),
    ] + check + system + full,
    swiftLanguageModes: [.v6]
)

// `make test` and `make demo` set this: the product is optimised and keeps its assertions. Tests are not optimised.
let isOptimized = Context.environment["DOCENT_TEST_BUILD"] != nil

// What is measured for each document, item or message; a release optimises it for speed. The rest is optimised for size,
// which takes a fifth less time to build.
let hot: Set<String> = [
    "Access", "CommandConsole", "ContentChunking", "Coordination", "DocentInterfaces", "Documents", "DriveStore",
    "FileProvider", "HTTPTransport", "HostCore", "LocalFolder", "Records", "Rights", "Storage", "TerminalPicker",
    "UniformTypes", "Varlink", "WebDAV",
]

for target in package.targets where target.type != .system {
    let isOfTests = target.type == .test || target.path?.hasPrefix("Tests/") == true
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
            // Swift 6.3.1 at -O forgets to return to the caller's actor after some functions that end in an await: what an
            // actor guards would be reached from two threads, and its checks end the process (CONTRIBUTING.md).
            .unsafeFlags(
                ["-Xllvm", "-sil-disable-pass=optimize-hop-to-executor"], .when(configuration: .release)),
        ]
    if !isOfTests && !hot.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    }
    if isOptimized && !isOfTests {
        target.swiftSettings?.append(
            .unsafeFlags(
                ["-Osize", "-assert-config", "Debug", "-Xllvm", "-sil-disable-pass=optimize-hop-to-executor"],
                .when(configuration: .debug)))
    }
    target.cSettings = (target.cSettings ?? []) + [.treatAllWarnings(as: .error)]
}
