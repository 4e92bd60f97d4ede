import DocentTestSupport
import Foundation
import Testing

/// Servers that deliver other content than they declare.
///
/// Plain WebDAV has no digest: a byte that changes in transit, or another document's content with the requested one's
/// ETag and size, cannot be detected (docs/webdav.md).
@Suite(.needs(.daemon, .server)) struct WrongContentTests {
    /// A kind of wrong content.
    enum Lie: String, CaseIterable, Sendable {
        case otherDocument, otherDocumentUnderTheAskedTag, lastByteMissing, lengthTooLarge, lengthTooSmall
        case moreThanDescribed, fewerThanDescribed

        func rule(_ other: String) -> FaultRule {
            switch self {
            case .otherDocument: .swap(with: other)
            case .otherDocumentUnderTheAskedTag: .swap(with: other, keepsETag: true)
            case .lastByteMissing: .truncate()
            case .lengthTooLarge: .wrongLength(7)
            case .lengthTooSmall: .wrongLength(-7)
            case .moreThanDescribed: .wrongLength(7, chunked: true)
            case .fewerThanDescribed: .wrongLength(-7, chunked: true)
            }
        }
    }

    private static let asked = String(repeating: "asked ", count: 20_000)
    private static let other = String(repeating: "other", count: 20_000)

    @Test(
        "HAZARDS 16, 21: wrong content is never shown, whether sent once or always",
        arguments: Sample.shared.of(WebDAVServer.Kind.allCases))
    func lies(_ kind: WebDAVServer.Kind) async throws {
        try await RemoteInstallation.with(kind) { server in
            try await server.put(Self.other, "other.txt")
            for lie in Lie.allCases {
                try await server.put(Self.asked, "\(lie.rawValue).txt")
                try await server.put(Self.asked, "\(lie.rawValue)-always.txt")
            }
            if kind == .apache { try await server.agree("\(Lie.fewerThanDescribed.rawValue)-always.txt") }
        } _: { remote in
            let proxy = try #require(remote.proxy)
            try await remote.docent("ls", remote.location("")).succeeded()
            let other = (URL(string: remote.server.url)?.path ?? "/") + "other.txt"
            for lie in Lie.allCases {
                try await proxy.add(lie.rule(other).on("GET", "/\(lie.rawValue).txt").named(lie.rawValue))
                try await proxy.add(lie.rule(other).on("GET", "/\(lie.rawValue)-always.txt").always)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lie in Lie.allCases {
                    group.addTask {
                        let once = try await remote.docent("cat", remote.location("\(lie.rawValue).txt"))
                        #expect(
                            once.text == Self.asked || (once.status != 0 && once.text.isEmpty), "\(lie): \(once.errors)"
                        )
                        let always = try await remote.docent("cat", remote.location("\(lie.rawValue)-always.txt"))
                        #expect(always.status == 5 || always.status == 1, "\(lie), always: \(always.errors)")
                        #expect(always.text.isEmpty, "\(lie), always")
                    }
                }
                try await group.waitForAll()
            }
            try await proxy.reset()
            try await remote.reachable()
            for lie in Lie.allCases {
                #expect(try await remote.read("\(lie.rawValue).txt") == Self.asked, "\(lie) afterwards")
                #expect(try await remote.read("\(lie.rawValue)-always.txt") == Self.asked, "\(lie) afterwards")
            }
        }
    }
}
