import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import ExtensionManifest
import Varlink

struct VersionsKeepCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "keep", abstract: "Show or change what is kept of the content that saves replace.",
        discussion: """
            Without an option it shows what applies. Without a LOCATION it is about all documents; with one, about an \
            account (its top folder), a folder with everything in it, or one document, and what you leave open there \
            is as for the place above. All versions of the last hour stay, then one of each hour for a day, of each \
            day for a month, and of each week. Conflicts stay until they are settled. With --merge on, Docent settles \
            a conflict of two texts by itself if their changes do not touch: what is current then has both, and each \
            of them stays as a version.

            EXAMPLES
              docent versions keep
              docent versions keep --space 2GB --days 90
              docent versions keep --off LocalFolder:/Downloads
              docent versions keep --merge on webdav@work:/Notes
            """)

    /// Whether saves keep what they replace.
    enum Keeping: String, EnumerableFlag {
        case on, off

        static func help(for value: Keeping) -> ArgumentHelp? {
            value == .on ? "Keep what saves replace." : "Keep nothing from now on; what is kept stays."
        }
    }

    /// What a save does when there is no room for a version.
    enum WhenFull: String, CaseIterable, ExpressibleByArgument { case refuse, drop }

    /// Whether something is done without asking.
    enum Switch: String, CaseIterable, ExpressibleByArgument { case on, off }

    @Argument(
        help: "The account, folder or document: PROVIDER[@DOMAIN]:/PATH.", completion: LocationText.completion,
        transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag var keeping: Keeping?

    @Option(name: .long, help: ArgumentHelp("The most versions of one document.", valueName: "n"))
    var versions: Int?

    @Option(name: .long, help: ArgumentHelp("Remove versions after this many days.", valueName: "n"))
    var days: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("The most space of all versions together, such as 2GB.", valueName: "size"),
        transform: VersionsKeepCommand.size)
    var space: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Without room for a version: refuse the save, or drop the version.", valueName: "refuse|drop"))
    var whenFull: WhenFull?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Merge conflicts of texts whose changes do not touch, without asking: on, or off as at first.",
            valueName: "on|off"))
    var merge: Switch?

    @Flag(name: .long, help: "Forget what was decided for this place before.")
    var reset = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var report: ReportOptions

    private var changes: Bool {
        keeping != nil || versions != nil || days != nil || space != nil || whenFull != nil || merge != nil
            || reset
    }

    func run() async throws {
        let client = DocumentsClient.administrator()
        if changes {
            _ = try await client.call(
                AdministrationInterface.SetVersionRule.self,
                .init(
                    location: location?.wire, isKept: keeping.map { $0 == .on }, versions: versions, days: days,
                    space: space, whenFull: whenFull?.rawValue, reset: reset ? true : nil,
                    merges: merge.map { $0 == .on }))
        }
        let rules = try await client.call(
            AdministrationInterface.VersionRules.self, .init(location: location?.wire)
        ).value
        try StandardOutput.write(format.json ? JSONValue(rules: rules).pretty : Self.text(rules))
    }

    /// The rule that applies, for people.
    static func text(_ rules: AdministrationInterface.VersionRules.Reply) -> String {
        var table = Table(["PLACE", "KEPT", "VERSIONS", "DAYS", "SPACE", "WHEN FULL", "MERGE"], numbers: [2, 3, 4])
        func add(_ place: String, _ rule: Wire.VersionRule) {
            table.add([
                place, rule.isKept.map { $0 ? "yes" : "no" } ?? "-", rule.versions.map(String.init) ?? "-",
                rule.days.map(String.init) ?? "-", rule.space.map(ByteCount.text) ?? "-", rule.whenFull ?? "-",
                rule.merges.map { $0 ? "on" : "off" } ?? "-",
            ])
        }
        add(rules.effective.reference == nil ? "all documents" : "here", rules.effective)
        for rule in rules.rules {
            guard let reference = rule.reference else { continue }
            let place = DocumentLocation(
                provider: reference.provider, domain: reference.domain, path: rule.path ?? reference.identifier)
            add(place.description, rule)
        }
        return table.shown + "In use: \(rules.usedVersions) versions, \(ByteCount.text(rules.usedBytes)).\n"
    }

    @Sendable
    static func size(_ text: String) throws -> Int {
        // As other programs write it: 2G.
        let unit = text.last.map { "KMG".contains($0) } == true ? text + "B" : text
        guard let bytes = SizeText.bytes(unit) else {
            throw ValidationError("\"\(text)\" is not a size. Write a number and a unit, such as 500MB or 2GB.")
        }
        return bytes
    }
}
