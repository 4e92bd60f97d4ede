import CommandConsole
import DocentInterfaces
import SignInConversation

/// The output of `docent drive`. Pure.
enum DriveText {
    /// After a drive was created.
    static func created(_ account: AccountName, _ place: String) -> String {
        SafeText.escaped("\(account) is a new drive in \(place). `docent drive invite` lets another machine in.") + "\n"
    }

    /// After this machine came into a drive.
    static func joined(_ account: AccountName, _ place: String) -> String {
        SafeText.escaped("\(account) is the drive in \(place). `docent ls \(account):/` lists it.") + "\n"
    }

    /// What to do with a code.
    static func invitation(_ domain: Wire.Domain, minutes: Int) -> String {
        let place = domain.folder ?? domain.settings?["url"] ?? "STORE"
        let endpoint = domain.settings?["endpoint"].map { " --endpoint \($0)" } ?? ""
        let time = minutes == 1 ? "1 minute" : "\(minutes) minutes"
        return SafeText.escapedLines(
            """
            On the other machine, within \(time), with this code:

                docent drive join \(place)\(endpoint)

            Waiting for it; this command asks before anybody comes in.

            """)
    }

    /// After a machine was shut out.
    static func removed(_ name: String) -> String {
        SafeText.escapedLines(
            """
            "\(name)" is shut out: nothing that it writes from now on counts, and it cannot read what is new.
            It can still open what is in the store already. If it had an access key to a bucket, change the key there.

            """)
    }

    /// Milliseconds since 1970 as a text.
    static func time(_ milliseconds: String?) -> String? {
        Timestamp.text(milliseconds.flatMap { Double($0) }.map { $0 / 1000 })
    }

    // MARK: Devices

    /// The machines of a drive.
    static func devices(_ rows: [[String: String]]) -> Table {
        var table = Table(["machine", "joined", "records", "fingerprint", "note"], numbers: [2])
        for row in rows {
            let isThis = row["isThis"] == "yes" ? "this one" : nil
            let removed = time(row["removed"]).map { "removed \($0)" }
            let closed = row["closed"] == "yes" ? "being removed" : nil
            table.add([
                row["name"] ?? "", time(row["joined"]) ?? "-", row["records"] ?? "", row["fingerprint"] ?? "",
                [isThis, removed, closed, row["problem"]].compactMap { $0 }.joined(separator: "; "),
            ])
        }
        return table
    }

    /// A machine, for programs.
    static func record(device row: [String: String]) -> JSONValue {
        .object([
            "fingerprint": JSONValue(row["fingerprint"]), "identifier": JSONValue(row["identifier"]),
            "isThis": .bool(row["isThis"] == "yes"), "joined": JSONValue(time(row["joined"])),
            "name": JSONValue(row["name"]), "problem": JSONValue(row["problem"]),
            "records": JSONValue(row["records"].flatMap { Int($0) }), "removed": JSONValue(time(row["removed"])),
        ])
    }

    // MARK: Status

    private static let counts = [
        "documents", "folders", "bytes", "trashed", "conflicts", "unarrived", "unsent", "devices",
    ]

    /// What a drive contains.
    static func status(_ row: [String: String], of domain: Wire.Domain) -> String {
        let bytes = row["bytes"].flatMap { Int($0) }.map { ByteCount.text($0) }
        return Table.facts([
            ("drive", domain.identifier), ("store", row["store"]), ("machine", row["name"]),
            ("machines", row["devices"]), ("documents", row["documents"]), ("folders", row["folders"]),
            ("size", bytes), ("in the trash", row["trashed"]), ("conflicts", row["conflicts"]),
            ("content on its way", row["unarrived"]), ("waiting to be sent", row["unsent"]),
            ("unreachable", row["unreachable"]),
        ])
    }

    /// The same for programs.
    static func record(
        status row: [String: String], _ problems: [[String: String]], of domain: Wire.Domain
    ) -> JSONValue {
        var members: [(String, JSONValue)] = counts.map { ($0, JSONValue(row[$0].flatMap { Int($0) })) }
        members += [
            ("domain", .string(domain.identifier)), ("drive", JSONValue(row["drive"])),
            ("machine", JSONValue(row["name"])), ("problems", .array(problems.map(record(problem:)))),
            ("store", JSONValue(row["store"])), ("unreachable", JSONValue(row["unreachable"])),
        ]
        return .object(JSONMembers(members))
    }

    // MARK: Problems

    /// One problem, for programs.
    static func record(problem row: [String: String]) -> JSONValue {
        .object(["object": JSONValue(row["object"]), "problem": JSONValue(row["problem"])])
    }

    /// One line for each problem.
    static func problems(_ rows: [[String: String]]) -> String {
        rows.map { SafeText.escaped("problem: \($0["object"] ?? ""): \($0["problem"] ?? "")") + "\n" }.joined()
    }

    /// The end of a check.
    static func checked(objects: Int, bytes: Int, problems: Int) -> String {
        let found = problems == 0 ? "no problem" : problems == 1 ? "1 problem" : "\(problems) problems"
        return "verified: \(objects == 1 ? "1 object" : "\(objects) objects"), \(ByteCount.text(bytes)); \(found)\n"
    }
}
