/// The order in which a new user pastes the blocks of the pages, and the replacements for the addresses in them.
enum StrangersPlan {
    /// A block of a page: its page, and the beginning of its first line.
    struct Place: Hashable {
        let page: String
        let begins: String
    }

    /// The treatment of a block.
    struct Step {
        let place: Place
        /// Lines typed before it, for the page's assumptions.
        var before: [String] = []
        /// Replacements for texts of the page; `{name}` is a value of the run.
        var replacing: [(String, String)] = []
        /// The beginnings of lines that the page itself calls optional.
        var leavingOut: [String] = []
        /// The input for prompts, by the beginning of the command.
        var typed: [String: [(String, String)]] = [:]
        /// The file to which the block is written, if it is not a list of commands.
        var file: String?
    }

    /// A new user on a new machine.
    struct Station {
        let name: String
        let steps: [Step]
        /// Whether the session has a bus, on which a keyring can be started.
        var hasBus = false
        var environment: [String: String] = [:]
    }

    static let pages = [
        "README.md", "docs/clients/README.md", "docs/keyring.md", "docs/providers/first-provider.md", "docs/rclone.md",
        "docs/webdav.md",
    ]

    static let stations = [newcomer, author, desktop, rclone, server, unit]

    /// The guide for authors of providers, in an installation of its own.
    static let firstProvider = [
        "docent provider init Postbox", "docent provider install .build/debug", "docent provider enable Postbox --yes",
        #"echo "A first line""#, "docent provider validate Postbox", "swift test", "swift build",
    ].map { Step(place: Place(page: "docs/providers/first-provider.md", begins: $0)) }

    /// The first session, and a self-written client.
    private static let newcomer = Station(
        name: "newcomer",
        steps: [
            Step(
                place: Place(page: "README.md", begins: "export PATH=$PWD/.build/debug:$PATH"),
                replacing: [("/tmp/docent-tour-copy.txt", "{root}/tmp/docent-tour-copy.txt")],
                leavingOut: ["export PATH=", "export DOCENT_MANIFEST_PATH="]),
            Step(
                place: Place(page: "docs/clients/README.md", begins: "// swift-tools-version"),
                before: ["mkdir -p Shopping/Sources/Shopping && cd Shopping"],
                replacing: [("/usr/local/share", "{prefix}/share")], file: "Package.swift"),
            Step(
                place: Place(page: "docs/clients/README.md", begins: "import Documents"),
                file: "Sources/Shopping/Shopping.swift"),
            Step(place: Place(page: "docs/clients/README.md", begins: "$ printf")),
            Step(
                place: Place(page: "docs/clients/README.md", begins: "    dependencies: ["),
                replacing: [("../docent", "{tree}")], file: "checkout.txt"),
            Step(
                place: Place(page: "docs/clients/README.md", begins: "$ printf"),
                before: [
                    "sed -i -e '/dependencies: .\\.package/{r checkout.txt' -e 'd}' Package.swift",
                    "rm -rf .build checkout.txt && grep -q 'traits: ..' Package.swift",
                ]),
        ])

    /// A self-written provider, in short.
    private static let author = Station(
        name: "author",
        steps: [
            Step(
                place: Place(page: "README.md", begins: "docent provider init Postbox"),
                before: ["mkdir short && cd short"], typed: ["docent provider install": [("[y/N] ", "y\n")]])
        ])

    /// A desktop: a bus, a keyring opened by the login, an account with a password and one with a browser.
    private static let desktop = Station(
        name: "desktop",
        steps: [
            Step(
                place: Place(page: "docs/webdav.md", begins: "docent provider enable WebDAV"),
                before: ["read -rs login; printf %s \"$login\" | gnome-keyring-daemon --unlock --components=secrets"],
                replacing: [("https://cloud.example.org/remote.php/dav/files/anna/", "{apache}")],
                typed: [
                    "read -rs": [("", "{keyring}\n")],
                    "docent login": [("Password or app password: ", "{password}\n")],
                ]),
            Step(place: Place(page: "docs/keyring.md", begins: "$ secret-tool lookup")),
            Step(
                place: Place(page: "docs/keyring.md", begins: "$ read -rs password"),
                typed: ["read -rs": [("", "{keyring}\n")]]),
            Step(
                place: Place(page: "docs/webdav.md", begins: "docent login webdav@work --form browser"),
                replacing: [("https://dav.example.org/", "{tokens}")],
                typed: ["docent login": Array(repeating: ("(may be empty): ", "\n"), count: 3)]),
        ], hasBus: true, environment: ["BROWSER": "{browser}"])

    /// The services of rclone.
    private static let rclone = Station(
        name: "rclone",
        steps: [
            Step(
                place: Place(page: "docs/rclone.md", begins: "docent provider enable Rclone"),
                before: [
                    "read -rs login; printf %s \"$login\" | gnome-keyring-daemon --unlock --components=secrets",
                    // The reader's own rclone with a configured remote, outside the system's directories.
                    "mkdir {root}/bin && ln -s {rclone} {root}/bin/rclone && export PATH={root}/bin:$PATH",
                    "rclone config create drive webdav url={apache} vendor=other user=anna pass={password} --obscure >/dev/null",
                    "rclone mkdir drive:papers && echo minutes | rclone rcat drive:papers/minutes.txt",
                ],
                replacing: [
                    ("docent login Rclone@", "docent login --set program={rclone} Rclone@"),
                    ("docent domains add Rclone", "docent domains add --set program={rclone} Rclone"),
                    ("path=bucket", "path=documents"), ("https://s3.example.org", "{s3}"),
                ],
                typed: [
                    "read -rs": [("", "{keyring}\n")],
                    "docent login --set program={rclone} Rclone@store": [
                        ("Secret parameters: ", "secret_access_key={password}\n")
                    ],
                ])
        ], hasBus: true)

    /// A server without a keyring.
    private static let server = Station(
        name: "server",
        steps: [
            Step(
                place: Place(page: "docs/keyring.md", begins: "$ (umask 077"),
                before: ["docent provider enable WebDAV --yes"],
                replacing: [("https://example.org/dav/", "{ada}"), ("/home/ada", "{root}/home")])
        ])

    /// A daemon with a systemd credential.
    private static let unit = Station(
        name: "unit",
        steps: [
            Step(
                place: Place(page: "docs/keyring.md", begins: "$ docent domains add webdav work"),
                before: ["docent provider enable WebDAV --yes"],
                replacing: [("https://example.org/dav/", "{ada}")])
        ], environment: ["CREDENTIALS_DIRECTORY": "{given}"])

    /// Blocks that are not pasted, with the reason.
    static let left: [Place: String] = [
        Place(page: "README.md", begins: "$ docent run"): "an illustration, with a document that is not there",
        Place(page: "README.md", begins: " your program"): "a picture",
        Place(page: "README.md", begins: "make demo"): "builds the tree, and runs the tests that this one belongs to",
        Place(page: "README.md", begins: "make release"):
            "ten minutes and root; the run installs with the same script, a build for debugging",
        Place(page: "docs/keyring.md", begins: "[Service]"):
            "part of a unit; SystemdRungTests and EncryptedFileTests have what it gives the daemon",
    ]
}
