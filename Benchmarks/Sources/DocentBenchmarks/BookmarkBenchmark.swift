import Documents

/// Creating a bookmark of a granted document, and resolving it.
enum BookmarkBenchmark {
    static func run(_ settings: Settings) async throws -> [Finding] {
        try await Installation.with(settings) { installation in
            _ = try installation.makeFile("small.bin", size: 1 << 14)
            let client = installation.client()
            defer { client.close() }
            let document = try await DocumentPicker(client: client).openDocument(
                at: installation.location("/small.bin"))
            var (makes, follows): ([Double], [Double]) = ([], [])
            for round in 0...settings.rounds {
                let count = 50
                var start = Stopwatch.now
                var bookmarks: [String] = []
                for _ in 0..<count { bookmarks.append(try await document.bookmark()) }
                let make = (Stopwatch.now - start) / Double(count)
                start = Stopwatch.now
                for bookmark in bookmarks { _ = try await client.resolve(bookmark: bookmark) }
                let follow = (Stopwatch.now - start) / Double(count)
                guard round > 0 else { continue }
                makes.append(make)
                follows.append(follow)
            }
            return [
                Finding(
                    what: "make a bookmark, durably", value: makes.median * 1e3, unit: "ms", goal: 25, parts: []),
                Finding(what: "follow a bookmark", value: follows.median * 1e3, unit: "ms", goal: 5, parts: []),
            ]
        }
    }
}
