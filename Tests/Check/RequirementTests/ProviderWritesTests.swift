import Foundation
import Testing

/// The daemon stores content with providers in one place.
struct ProviderWritesTests {
    /// Where the daemon may call a method by which a provider stores something new.
    private static let place = "Sources/RemoteDocuments/Providers/ProviderWrites.swift"

    /// The modules of the host, apart from the providers' SDK and the validator.
    private static let modules = [
        "Access", "DaemonCore", "ExtensionHosting", "HostCore", "HostServices", "Records", "RemoteDocuments", "Rights",
        "Saving", "Storage", "Transfers", "docentd",
    ]

    @Test("only ProviderWrites calls Create, Modify and the methods that replace a package")
    func places() throws {
        let call = try Regex(#"FileProviderInterface\.(Create|Modify|BeginPackage|StageElement|CommitPackage)\.self"#)
        var isThere = false
        for path in try Tree.files(below: Self.modules.map { "Sources/\($0)" }, endings: [".swift"]) {
            let text = String(decoding: try Tree.data(path), as: UTF8.self)
            guard let match = text.firstMatch(of: call) else { continue }
            if path == Self.place {
                isThere = true
            } else {
                Issue.record("\(path) calls \(text[match.range]): use ProviderWrites")
            }
        }
        #expect(isThere)
    }
}
