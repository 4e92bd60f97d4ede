import DocentTestSupport
import Documents
import Foundation
import Testing

/// Helpers of the tests of moving and deleting.
enum Moving {
    struct Opened: Decodable {
        var bookmark: String
        var identifier: String
    }
}

extension Installation {
    /// Grants a document persistently; returns its bookmark.
    func bookmark(_ location: String) async throws -> Moving.Opened {
        try await docent("open", "--json", location).succeeded().json(Moving.Opened.self)
    }

    /// Reads with a bookmark.
    func read(bookmark: String) async throws -> Outcome { try await docent("cat", "--bookmark", bookmark) }
}

extension RemoteInstallation {
    /// Grants documents persistently; returns their bookmarks by path.
    func bookmarks(_ paths: [String]) async throws -> [String: String] {
        var result: [String: String] = [:]
        for path in paths { result[path] = try await installation.bookmark(location(path)).bookmark }
        return result
    }

    func read(bookmark: String) async throws -> String {
        try await docent("cat", "--bookmark", bookmark).succeeded().text
    }
}
