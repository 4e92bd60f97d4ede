import DocentTestSupport
import Foundation

/// A directory to install into, with stand-ins for the programs and for the tools of a toolchain.
struct InstallStage {
    let root: String
    var prefix: String { root + "/prefix" }
    var documentation: String { prefix + "/share/doc/docent" }

    init() async throws {
        root = "/tmp/docent-install-\(UUID().uuidString.prefix(8))"
        // Written by a separate process: a child that another test starts while one of these files is open for writing
        // here inherits the descriptor, and a file that is open for writing cannot be run.
        try await Outcome.run(
            "/bin/bash", ["-euc", Self.preparation, "bash", root, Repository.root + "/Plugins"], input: nil,
            environment: ["PATH": "/usr/bin:/bin"], folder: "/"
        ).succeeded()
    }

    /// Creates the stand-ins; the tools in `stopping` end the calling script when they have created what `STOP_AT`
    /// names.
    private static let preparation = #"""
        mkdir -p "$1"/{binaries,stopping,tmp,toolchain/bin,toolchain/lib/swift/linux,toolchain/share/swift}
        cd "$1"
        for program in docent docentd docent-extension-host docent-keyring-file docent-notifier docent-provider-validator \
            docent-view; do
            printf '#!/bin/sh\necho %s\n' $program >binaries/$program
        done
        for plugin in "$2"/*/; do basename "$plugin" >"binaries/lib$(basename "$plugin").so"; done
        for library in libFoundation.so libswiftSwiftOnoneSupport.so; do echo $library >toolchain/lib/swift/linux/$library; done
        echo licence >toolchain/share/swift/LICENSE.txt
        for tool in swift patchelf; do echo '#!/bin/sh' >toolchain/bin/$tool; done
        printf '#!/bin/bash\ncase $1 in --*) shift ;; esac\ncp "$3" "$2"\n' >toolchain/bin/strip
        for tool in install rm; do
            printf '#!/bin/bash\n/usr/bin/%s "$@" || exit\ncase ${*: -1} in *"$STOP_AT") kill -9 "$PPID" ;; esac\n' $tool >stopping/$tool
        done
        chmod 755 binaries/* stopping/* toolchain/bin/*
        """#

    /// Runs Scripts/install.sh, and kills it when it has just created a file with this suffix.
    func run(_ verb: String, stopAt point: String? = nil) async throws -> Outcome {
        let script = [Repository.root + "/Scripts/install.sh", verb]
        // The tools that check where to stop need a shell for each file.
        let tools = (point == nil ? "" : root + "/stopping:") + root + "/toolchain/bin"
        return try await Outcome.run(
            "/bin/bash", script, input: nil,
            environment: [
                "PATH": tools + ":/usr/bin:/bin", "HOME": root, "TMPDIR": root + "/tmp",
                "PREFIX": prefix, "DOCENT_INSTALL_BINARIES": root + "/binaries", "STOP_AT": point ?? "",
            ], folder: root)
    }

    /// Writes a file that is not executable.
    func write(_ text: String, to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    func names() -> [String] {
        (FileManager.default.enumerator(atPath: prefix)?.allObjects as? [String] ?? []).sorted()
    }

    /// What install.sh left beside the prefix.
    func besidePrefix() -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return all.filter { $0.hasPrefix("prefix.") }
    }

    func remove() { try? FileManager.default.removeItem(atPath: root) }
}
