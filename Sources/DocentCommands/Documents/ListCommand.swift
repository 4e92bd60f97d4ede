import ArgumentParser
import CommandConsole
import Documents

struct ListCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls", abstract: "List a folder, or what this client has been granted.",
        discussion: """
            Each name is on a line of its own, in the provider's order, with a slash after folders. A large folder is \
            listed while it is read. If the service cannot be asked, the list is what was known before, and standard \
            error says since when and why. With -l each line also has d for a folder or l for a symbolic link, the \
            size in bytes, the time of the last change, and four letters: h if the content is on this machine, s if it \
            is but the provider has newer content; u if the provider has everything that was saved, q if a change \
            waits to be sent, > while it is sent, ! if it cannot be sent; p if the document is pinned; c if versions \
            are kept beside it.

            Without a LOCATION it lists what the client has been granted, which is all that a program in a sandbox can \
            see: one line each with access, how long it lasts, the name if known, and the reference.

            EXAMPLES
              docent ls LocalFolder:/
              docent ls -lh LocalFolder@work:/Reports
              docent ls --json LocalFolder:/ | jq -r '.[].name'
              docent ls --client org.example.editor
            """, helpNames: .long)

    @Argument(
        help: "The folder, or one document: PROVIDER[@DOMAIN]:/PATH. Without it, what was granted.",
        completion: LocationText.completion, transform: LocationText.parse)
    var location: DocumentLocation?

    @Flag(name: .shortAndLong, help: "Show a line of details for each.")
    var long = false

    @Flag(name: [.customShort("h"), .long], help: "With -l: show sizes like 4.2 MB.")
    var humanReadable = false

    @OptionGroup var format: FormatOptions
    @OptionGroup var client: ClientOptions
    @OptionGroup var report: ReportOptions

    func run() async throws {
        guard let location else { return try await listGranted(client.makeClient()) }
        let picker = DocumentPicker(client: client.makeClient())
        let described = try await picker.described(at: location)
        var remembered = described.remembered
        var listing = Listing(isJSON: format.json, isLong: long, isHumanReadable: humanReadable)
        try listing.begin()
        if described.item.isFolder {
            let folder = location.path.hasSuffix("/") ? location.path : location.path + "/"
            var items = picker.items(in: location).makeAsyncIterator()
            while let item = try await items.next() {
                try listing.add(item, path: folder + item.name, remembered: items.remembered)
            }
            remembered = items.remembered
        } else {
            try listing.add(described.item, path: location.path, remembered: remembered)
        }
        if let remembered { StandardError.write(RememberedText.warning(remembered)) }
        try listing.end()
    }

    private func listGranted(_ client: DocumentsClient) async throws {
        var count = 0
        if format.json { try StandardOutput.write("[") }
        for try await granted in client.grantedDocuments() {
            let line =
                format.json
                ? (count == 0 ? "\n  " : ",\n  ") + JSONValue(granted: granted).compact
                : GrantedText.line(granted) + "\n"
            try StandardOutput.write(line)
            count += 1
        }
        if format.json { try StandardOutput.write(count == 0 ? "]\n" : "\n]\n") }
    }
}

/// The output of `docent ls`, written as items arrive.
private struct Listing {
    let isJSON: Bool
    let isLong: Bool
    let isHumanReadable: Bool
    private var count = 0
    private var writer = JSONObjectWriter()

    init(isJSON: Bool, isLong: Bool, isHumanReadable: Bool) {
        self.isJSON = isJSON
        self.isLong = isLong
        self.isHumanReadable = isHumanReadable
    }

    mutating func begin() throws { if isJSON { writer.text.append(UInt8(ascii: "[")) } }

    mutating func add(
        _ item: DocumentItem, path: @autoclosure () -> String, remembered: RememberedListing? = nil
    ) throws {
        if isJSON {
            writer.text += (count == 0 ? "\n  " : ",\n  ").utf8
            writer.begin()
            item.describe(to: &writer, path: path(), remembered: JSONValue.value(remembered))
            writer.end()
        } else {
            writer.text += (isLong ? ItemText.line(item, isHumanReadable: isHumanReadable) : ItemText.name(item)).utf8
            writer.text.append(UInt8(ascii: "\n"))
        }
        count += 1
        if writer.text.count > 1 << 15 { try flush() }
    }

    mutating func end() throws {
        if isJSON { writer.text += (count == 0 ? "]\n" : "\n]\n").utf8 }
        try flush()
    }

    private mutating func flush() throws {
        try StandardOutput.write(writer.text)
        writer.text.removeAll(keepingCapacity: true)
    }
}
