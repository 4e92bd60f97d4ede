import DocentTestSupport
import FileProvider
import FoundationEssentials
import Testing
import WebDAV

/// Determines a server's behaviour, in its own folder there: with the provider, and directly with curl.
struct ServerSurvey {
    let kind: ServerKind
    let fixture: WebDAVFixture

    static func findings(_ kind: ServerKind) async throws -> ServerFindings {
        try await WebDAVFixture.with(kind) { fixture in
            let survey = ServerSurvey(kind: kind, fixture: fixture)
            return ServerFindings(
                server: try name(of: kind),
                testedBy: ServerKind.allCases.contains(kind) ? "ServerTests" : "StrangerTests",
                identifier: try await survey.identifier(), version: try survey.version(),
                replacing: try await survey.replacing(), resumesDownloads: try await survey.resumes(),
                cannot: try await survey.cannot())
        }
    }

    private static func name(of kind: ServerKind) throws -> String {
        if kind == .nextcloud { return "Nextcloud, imitated" }
        let result = try Shell.run("'\(Repository.servers)/\(kind.rawValue).sh' version 2>/dev/null")
        let lines = result.output.split(separator: "\n")
        guard result.status == 0, let name = lines.last else {
            throw ServerProblem(description: "no version of \(kind): \(result)")
        }
        return String(name)
    }

    private func identifier() async throws -> String {
        let made = try await fixture.create("identified.txt", "one")
        try fixture.move("identified.txt", to: "renamed.txt")
        let found = try? await fixture.provider.item(for: made.identifier)
        return found?.filename == "renamed.txt" ? "number, survives renames" : "path"
    }

    // MARK: Versions

    private func version() throws -> String {
        for _ in 0..<20 {
            try fixture.put("one1", at: "versions.txt")
            let first = try state("versions.txt")
            // Some store a PUT to a document under another name.
            if kind == .copyparty { _ = try Shell.curl("-X DELETE", fixture.url + "versions.txt") }
            try fixture.put("two2", at: "versions.txt")
            let second = try state("versions.txt")
            guard first.date == second.date else { continue }
            let source = first.tag.isEmpty ? "date and size" : "tag"
            return source + (first == second ? ", **whole seconds**" : ", every change")
        }
        throw ServerProblem(description: "no two changes in one second")
    }

    private static let xml = "-H 'Content-Type: application/xml'"

    /// The tag, without the weak mark, and the date.
    private func state(_ name: String) throws -> (tag: String, date: String) {
        let wish =
            "<?xml version=\"1.0\"?><propfind xmlns=\"DAV:\"><prop><getetag/><getlastmodified/></prop></propfind>"
        let body = try Shell.curl("-X PROPFIND -H 'Depth: 0' \(Self.xml) --data-binary '\(wish)'", fixture.url + name)
            .body
        func value(_ element: String) -> String {
            let parts = body.split(separator: element)
            guard parts.count > 1, let end = parts[1].firstIndex(of: "<"), parts[1].first != "/" else { return "" }
            return String(parts[1][..<end].drop { $0 != ">" }.dropFirst())
        }
        let (tag, date) = (value("getetag"), value("getlastmodified"))
        guard !date.isEmpty else { throw ServerProblem(description: "no date in: \(body)") }
        return (tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag, date)
    }

    // MARK: Saving and reading

    private func replacing() async throws -> [String] {
        let made = try await fixture.create("replaced.txt", "one")
        return try await Proxy.with(fixture.url) { proxy in
            let provider = try fixture.another(through: proxy.url)
            // Checks that are made once for each server end with the first one.
            let first = try await fixture.modify(made.identifier, from: made.version, "second", with: provider)
            let before = try proxy.methods().count
            _ = try await fixture.modify(made.identifier, from: first.version, "the third", with: provider)
            #expect(try fixture.get("replaced.txt") == "the third")
            let looks: Set<String> = ["PROPFIND", "HEAD", "GET", "OPTIONS"]
            return try proxy.methods().dropFirst(before).filter { !looks.contains($0) }
        }
    }

    private func resumes() async throws -> Bool {
        let made = try await fixture.create("resumed.txt", "0123456789")
        // Tags of the last seconds are not trusted.
        try await Task.sleep(for: .milliseconds(2_500))
        let item = try await WebDAVFixture.fetch(fixture.provider, made.identifier).item
        let rest = try await WebDAVFixture.fetch(fixture.provider, made.identifier, have: "01234", of: item.version)
        #expect(rest.text == "0123456789")
        return rest.beginning == 5
    }

    // MARK: Limitations

    private func cannot() async throws -> [String] {
        var cannot: [String] = []
        for (names, text) in [
            ([".hidden"], "names that begin with a dot"), (["tab\there"], "names with control characters"),
            (["e\u{301}.txt", "\u{E9}.txt"], "names that look alike side by side"),
            (["semi;colon", "question?mark", "a#b&c+d%"], "names with `?`, `;`, `#`, `%`, `&` or `+`"),
            (["a%20b"], "names such as `a%20b`"), (["back\\slash"], "names with a backslash"),
            (["space "], "names that end in a space"), ([String(repeating: "n", count: 200)], "names of 200 bytes"),
        ] where try await !keeps(names) {
            cannot.append("make " + text)
        }
        if try await !renames(to: ["semi;renamed", "question?renamed"]) {
            cannot.append("rename to names with `?` or `;`")
        }
        if try await !deletesFolders() { cannot.append("delete a full folder") }
        // The imitation has neither locks nor copies.
        if kind == .nextcloud { return cannot }
        if try !keepsOthersOut() { cannot.append("keep others out by a lock") }
        if try !copies() { cannot.append("copy") }
        return cannot
    }

    /// Whether documents of these names can be created, are listed byte for byte and can be read. Refused ones must not
    /// exist.
    private func keeps(_ names: [String]) async throws -> Bool {
        let folder = try await fixture.createFolder("names-\(UUID().uuidString)")
        var kept: [String] = []
        for name in names {
            if let made = try? await fixture.create(name, name, in: folder.identifier) {
                #expect(try await WebDAVFixture.fetch(fixture.provider, made.identifier).text == name)
                kept.append(name)
            }
        }
        let listed = try await WebDAVFixture.list(fixture.provider, folder.identifier).map { Array($0.filename.utf8) }
        #expect(Set(listed) == Set(kept.map { Array($0.utf8) }), "\(kind): \(names) became \(listed)")
        return kept == names
    }

    private func renames(to names: [String]) async throws -> Bool {
        for name in names {
            let made = try await fixture.create("plain.txt", "plain")
            do {
                let moved = try await fixture.provider.moveItem(
                    made.identifier, baseVersion: made.version, to: .rootContainer, named: name,
                    operation: ChangeOperation(identifier: UUID().uuidString))
                #expect(try await WebDAVFixture.fetch(fixture.provider, moved.identifier).text == "plain")
            } catch {
                #expect(try await WebDAVFixture.fetch(fixture.provider, made.identifier).text == "plain")
                return false
            }
        }
        return true
    }

    /// Whether the server itself supports it, asked once.
    private func deletesFolders() async throws -> Bool {
        let folder = try await fixture.createFolder("full")
        _ = try await fixture.create("inside.txt", "one", in: folder.identifier)
        let status = try Shell.curl("-X DELETE", fixture.url + "full/").status
        let isGone = try Shell.curl("-X PROPFIND -H 'Depth: 0'", fixture.url + "full/").status == 404
        return (200...299).contains(status) && isGone
    }

    private func keepsOthersOut() throws -> Bool {
        try fixture.put("locked", at: "locked.txt")
        let wish =
            "<?xml version=\"1.0\"?><lockinfo xmlns=\"DAV:\"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>survey</owner></lockinfo>"
        let lock = try Shell.curl(
            "-X LOCK -H 'Timeout: Second-60' \(Self.xml) --data-binary '\(wish)'", fixture.url + "locked.txt")
        guard (200...299).contains(lock.status) else { return false }
        return try Shell.curl("-X DELETE", fixture.url + "locked.txt").status == 423
    }

    private func copies() throws -> Bool {
        try fixture.put("copied", at: "copied.txt")
        _ = try Shell.curl("-X COPY -H 'Destination: \(fixture.url)copy.txt'", fixture.url + "copied.txt")
        return try fixture.get("copy.txt") == "copied"
    }
}
