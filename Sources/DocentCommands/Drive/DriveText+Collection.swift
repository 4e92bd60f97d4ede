import CommandConsole

extension DriveText {
    /// What `docent drive gc` did.
    static func collected(_ row: [String: String], items: Int, waitsFor: [[String: String]]) -> String {
        let bytes = ByteCount.text(Int(row["bytes"] ?? "") ?? 0)
        let packs = row["packs"] == "1" ? "1 object" : "\(row["packs"] ?? "0") objects"
        var text = ""
        if items > 0 {
            let verb = row["state"] == "found" ? "to be given up" : "given up"
            text += "\(verb): \(items == 1 ? "1 deleted item" : "\(items) deleted items")\n"
        }
        switch row["state"] {
        case "freed": text += "freed: \(packs), \(bytes)\n"
        case "found": text += "to be freed: \(packs), \(bytes)\n"
        case "waiting":
            text += "waiting: \(packs), \(bytes) can be freed when these machines have looked at the drive:\n"
            for machine in waitsFor {
                let name = SafeText.escaped(machine["waitsFor"] ?? "")
                text += "  \(name) (\(SafeText.escaped(String((machine["identifier"] ?? "").prefix(6)))))\n"
            }
            text += "Run the command again then. It is safe to wait for as long as it takes.\n"
        default: text += "There is nothing to free.\n"
        }
        return text
    }

    /// The same for programs.
    static func record(
        collected row: [String: String], items: Int, waitsFor: [[String: String]]
    ) -> JSONValue {
        .object([
            "bytes": JSONValue(row["bytes"].flatMap { Int($0) }), "items": .integer(items),
            "packs": JSONValue(row["packs"].flatMap { Int($0) }), "state": JSONValue(row["state"]),
            "waitsFor": .array(
                waitsFor.map {
                    .object(["identifier": JSONValue($0["identifier"]), "name": JSONValue($0["waitsFor"])])
                }),
        ])
    }

    /// One line for each object that was mended.
    static func mended(_ objects: [String]) -> String {
        objects.map { SafeText.escaped("mended: \($0)") + "\n" }.joined()
    }

    /// The end of a repair.
    static func repaired(objects: Int, mended: Int, problems: Int) -> String {
        let left =
            problems == 0 ? "nothing is left" : problems == 1 ? "1 problem is left" : "\(problems) problems are left"
        return "examined: \(objects == 1 ? "1 object" : "\(objects) objects"); \(mended) mended; \(left)\n"
    }
}
