import DocentTestSupport
import Foundation
import Glibc
import Testing

/// An installation, with a keyring, whose only provider attacks its own container from inside its sandbox:
/// `SwapProbe` or `SwapProbeInPlace` of `Tests/Plugins/KeychainProbe`.
struct SwapStage: Sendable {
    /// Where the provider's documents are.
    enum Documents: String, CaseIterable, Sendable {
        /// With a service.
        case remote = "SwapProbe"
        /// In its container.
        case inPlace = "SwapProbeInPlace"
    }

    static let provider = "org.example.Swapper"
    static let domain = "box"
    static let account = "\(provider)@\(domain)"
    private static let secret = "hush-5b90e2d7"

    let installation: Installation
    let canaries: CanaryTree
    private let documents: Documents
    private let bundle: String

    static func with<Result>(_ documents: Documents, _ body: (SwapStage) async throws -> Result) async throws -> Result
    {
        try await KeyringServices.with { services in
            // The provider is installed as a user would, so that it can be uninstalled.
            let own = [
                "DOCENT_MANIFEST_PATH": "", "DOCENT_LIBRARY_PATH": "", "DOCENT_FRESH_SECONDS": "0",
                "DOCENT_PROVIDER_DEADLINE_SECONDS": "5",
            ]
            let environment = services.environment.merging(own) { $1 }
            return try await Installation.with(environment: environment, localFolder: false) { installation in
                try await body(SwapStage(installation, documents))
            }
        }
    }

    private init(_ installation: Installation, _ documents: Documents) throws {
        self.installation = installation
        self.documents = documents
        bundle = installation.root + "/swapper"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Installation.binaries + "/libKeychainProbe.so", toPath: bundle + "/libKeychainProbe.so")
        try Self.writeManifest(
            in: bundle, "FileProvider", "com.apple.fileprovider-nonui",
            [
                "NSExtensionPrincipalClass": "KeychainProbe.\(documents.rawValue)",
                "NSExtensionFileProviderDocumentGroup": "group.\(Self.provider)",
                "NSExtensionFileProviderSupportsEnumeration": true,
            ])
        try Self.writeManifest(
            in: bundle, "Picker", "com.apple.fileprovider-ui",
            [
                "NSExtensionMainStoryboard": "MainInterface",
                "NSExtensionAttributes": [
                    "UIDocumentPickerModes": ["UIDocumentPickerModeImport", "UIDocumentPickerModeOpen"],
                    "UIDocumentPickerSupportedFileTypes": ["public.item"],
                ],
            ])
        canaries = try CanaryTree(in: installation)
    }

    private static func writeManifest(
        in bundle: String, _ part: String, _ point: String, _ keys: [String: Any]
    ) throws {
        let manifest: [String: Any] = [
            "CFBundleIdentifier": "\(provider).\(part)", "CFBundleDisplayName": "Swapper",
            "CFBundleShortVersionString": "1.0", "CFBundleExecutable": "libKeychainProbe.so",
            "NSExtension": keys.merging(["NSExtensionPointIdentifier": point]) { $1 },
            "com.apple.security.application-groups": ["group.\(provider)"],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: manifest, format: .xml, options: 0)
        try data.write(to: URL(fileURLWithPath: "\(bundle)/\(provider).\(part).plist"))
    }

    // MARK: Places

    static func location(_ name: String) -> String { "\(account):/\(name)" }

    /// The container, from outside.
    private var container: String { "\(installation.data)/Groups/group.\(Self.provider)" }
    /// The document storage of the domain.
    var storage: String { "\(container)/File Provider Storage/\(Self.domain)" }
    /// The content of `a.txt`.
    var content: String { documents == .remote ? "remote a" : "in place a" }

    // MARK: Life

    /// Ends an attack and undoes it, as a user would: the provider is stopped, its container emptied, and it is set up
    /// again. Then everything works: a document can be read, of which there is a local copy afterwards if it is remote.
    func ready() async throws {
        _ = try await installation.docent("provider", "disable", Self.provider)
        try await installation.eventually("the provider has ended") { !isRunning }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: container)) ?? [] {
            try FileManager.default.removeItem(atPath: "\(container)/\(name)")
        }
        try await installation.docent("provider", "install", "--enable", "--yes", bundle).succeeded()
        try await installation.docent("provider", "reset", Self.provider).succeeded()
        // A logout that was interrupted may still be continuing.
        try await installation.eventually("it is signed in") {
            try await installation.docent(
                "login", Self.account, "--username", "ada", "--password-stdin", input: Data("\(Self.secret)\n".utf8)
            ).status == 0
        }
        let read = try await installation.docent("cat", Self.location("a.txt"))
        guard read.status == 0, read.text == content else { throw Problem("a.txt cannot be read: \(read)") }
    }

    /// Whether a process of the provider exists, even one whose daemon was killed: its sandbox is started with the path
    /// of the container.
    private var isRunning: Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { process in
            guard process.first?.isNumber == true else { return false }
            let words = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
            return String(decoding: words, as: UTF8.self).contains(container)
        }
    }

    /// Lets the provider begin, and waits until it is in the middle of it. It goes on until its process ends, and so do
    /// its next processes.
    func attack(_ kind: ContainerSwap.Kind) async throws {
        let place = canaries.root.replacingOccurrences(of: "/", with: "!")
        let name = "fp~swap~\(kind.rawValue)~\(place)"
        let answer = try await installation.docent("info", Self.location(name)).errors
        // Where the kernel has Landlock, the sandbox does not let it create FIFOs.
        if kind == .fifo, answer.contains("[refused \(EACCES)]") { return }
        guard answer.contains("[swaps 5]") else { throw Problem("the provider does not attack: \(answer)") }
        try await installation.eventually("it swaps") {
            Int(installation.read(container + "/exchanges") ?? "").map { $0 > 100 } ?? false
        }
    }

    // MARK: Operations

    /// Performs an operation, which may fail, and expects that nothing in the home has changed and nothing of it is
    /// shown.
    ///
    /// - Parameter mayReveal: whether the provider itself could read a planted file.
    func perform(_ operation: SwapOperation, mayReveal: Bool = false) async throws {
        let outcome = try await installation.run(
            Installation.binaries + "/docent", operation.arguments, input: operation.input)
        try expectUntouched("\(operation)")
        #expect(mayReveal || !CanaryTree.isRevealed(in: outcome.text + outcome.errors), "\(operation): \(outcome)")
    }

    /// Kills the daemon in the middle of an operation; the next one recovers.
    func perform(_ operation: SwapOperation, killingAfter delay: Duration) async throws {
        let input = installation.root + "/input"
        try operation.input.write(to: URL(fileURLWithPath: input))
        let client = try ChildProcess(
            Installation.binaries + "/docent", operation.arguments, environment: installation.environment,
            folder: installation.home, input: .file(input))
        try await Task.sleep(for: delay)
        try await killDaemon()
        try await installation.waitForEnd(of: client)
        try expectUntouched("\(operation), killed after \(delay)")
        try await perform(.cat)
    }

    /// Expects that nothing in the home has changed.
    func expectUntouched(_ situation: String) throws {
        let changes = try canaries.changes()
        #expect(changes.isEmpty, "\(situation): \(changes.joined(separator: "; "))")
    }

    /// Kills the running daemon, if there is one.
    func killDaemon() async throws {
        guard let daemon = installation.daemonProcess else { return }
        kill(daemon, SIGKILL)
        // The process may not have been collected yet: a zombie keeps its number, but no locks.
        try await installation.eventually("daemon \(daemon) is gone") {
            installation.read("/proc/\(daemon)/stat")?.contains(") Z ") ?? true
        }
    }
}
