import DocentTestSupport
import Foundation
import Glibc
import Testing

/// A new user installs Docent and pastes its pages line by line into a shell.
@Suite(.needs(.daemon, .server, .keyring, .processor, within: .seconds(1800))) struct StrangersWayTests {
    @Test("every code block of the pages is either run or excluded with a reason", .needs(.programs))
    func everyBlock() throws {
        let pasted = (StrangersPlan.stations.flatMap(\.steps) + StrangersPlan.firstProvider).map(\.place)
        var used: Set<StrangersPlan.Place> = []
        for page in StrangersPlan.pages {
            #expect(try PageBlock.indented(in: page) == [], "\(page) has code without a fence")
            for block in try PageBlock.all(of: page) {
                let places = (pasted + StrangersPlan.left.keys).filter {
                    $0.page == page && block.text.hasPrefix($0.begins)
                }
                #expect(!places.isEmpty, "\(page):\(block.line) is neither pasted nor excluded with a reason")
                used.formUnion(places)
            }
        }
        let unknown = Set(pasted).union(StrangersPlan.left.keys).subtracting(used)
        #expect(unknown.isEmpty, "not in the pages: \(unknown)")
    }

    @Test(
        "the commands in the pages work when pasted into the shell of a new user of an installed Docent")
    func way() async throws {
        try await Installation.with(localFolder: false) { host in
            let prefix = host.root + "/prefix"
            try await Self.install(host, prefix)
            try await WebDAVServer.with(.apache, options: .init(username: "anna", password: Self.password)) { anna in
                try await WebDAVServer.with(.apache, options: .init(username: "ada", password: Self.password)) { ada in
                    try await IdentityService.with { identity in
                        try await WebDAVServer.with(.apache, options: .init(identity: identity.url)) { tokens in
                            try await TestServers.with("s3", user: "anna", password: Self.password) { store in
                                let values = [
                                    "apache": anna.url, "ada": ada.url, "tokens": tokens.url, "s3": store,
                                    "password": Self.password, "keyring": KeyringServices.password,
                                    "rclone": RcloneInstallation.program,
                                ]
                                for station in StrangersPlan.stations {
                                    try await Self.visit(station, prefix, values, identity)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static let password = "hush-stranger7c20e1"

    private static func visit(
        _ station: StrangersPlan.Station, _ prefix: String, _ values: [String: String], _ identity: IdentityService
    ) async throws {
        try await KeyringServices.with(station.hasBus ? .noService : .noBus) { session in
            try await Installation.with(localFolder: false) { installation in
                var values = values
                values["browser"] = try await identity.browser(in: installation.given)
                // The credential passed by systemd, and the reader's own file.
                for name in ["password", "docent.org.docent.WebDAV.work"] {
                    try Data((Self.password + "\n").utf8).write(
                        to: URL(filePath: "\(installation.given)/\(name)"))
                }
                let extra = station.environment.merging(session.environment) { old, _ in old }
                let shell = try StrangersShell(
                    installation, prefix: prefix, values: values, environment: extra)
                try await shell.walk(station.steps)
                _ = try await installation.run(
                    prefix + "/bin/docent", ["daemon", "stop", "--force"], environment: shell.environment)
            }
        }
    }

    private static func install(_ host: Installation, _ prefix: String) async throws {
        let environment = StrangersShell.environment(host, prefix: prefix).merging(
            ["PREFIX": prefix, "DOCENT_INSTALL_BINARIES": Installation.binaries]
        ) { _, new in new }
        try await Outcome.run(
            "/bin/bash", [Repository.root + "/Scripts/install.sh", "install"], input: nil, environment: environment,
            folder: host.home
        ).succeeded()
        // The tests' own rclone is added to the programs that may be started, as docs/rclone.md says for another
        // rclone.
        let manifest = URL(filePath: prefix + "/share/docent/manifests/org.docent.Rclone.FileProvider.plist")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try Data(text.replacing("/opt/rclone/rclone", with: RcloneInstallation.program).utf8).write(to: manifest)
    }
}
