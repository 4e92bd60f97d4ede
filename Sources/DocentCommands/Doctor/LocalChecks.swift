import ClientRunning
import DocentInterfaces
import Documents
import ExtensionManifest
import Glibc

/// Checks that need no daemon.
enum LocalChecks {
    /// Checks that the daemon's program exists and can be run.
    static func program(_ environment: [String: String]) -> Wire.Check {
        guard let program = DaemonLauncher.program(environment: environment) else {
            return Wire.Check(
                name: "program", status: "error", detail: "docentd was not found",
                remedy: "Install Docent, or name the program in DOCENT_DAEMON.")
        }
        guard access(program, X_OK) == 0 else {
            return Wire.Check(
                name: "program", status: "error", detail: "\(program) cannot be run",
                remedy: "DOCENT_DAEMON must name a program; unset it to look in the usual places.")
        }
        return Wire.Check(name: "program", status: "ok", detail: program)
    }

    /// Warns if this installation's own providers are not on the search path; nil if they are, or if it has none.
    static func prefix(_ environment: [String: String], program: String? = OwnProgram.folder) -> Wire.Check? {
        guard let manifests = OwnPrefix.unsearchedManifests(environment, programFolder: program) else { return nil }
        return Wire.Check(
            name: "prefix", status: "warning",
            detail: "the providers of this installation are in \(manifests), which is not searched",
            remedy: OwnPrefix.remedy(manifests))
    }

    /// Checks that the socket's path can be used.
    static func socket(_ environment: [String: String]) -> Wire.Check {
        let location = SocketLocation(environment: environment)
        // sun_path holds 108 bytes, including the terminating zero.
        guard location.path.utf8.count <= 107 else {
            return Wire.Check(
                name: "socket", status: "error", detail: "\(location.path) is too long for the path of a socket",
                remedy: "Set XDG_RUNTIME_DIR to a directory of yours with a short path.")
        }
        if location.isGiven {
            return Wire.Check(name: "socket", status: "ok", detail: "\(location.path), as DOCENT_SOCKET says")
        }
        let folder = SocketLocation.runtimeDirectory(environment)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            return Wire.Check(
                name: "socket", status: "ok",
                detail: "\(location.path); its directory is created when the daemon starts")
        }
        guard status.st_uid == getuid(), status.st_mode & S_IFMT == S_IFDIR else {
            return Wire.Check(
                name: "socket", status: "error", detail: "\(folder) is not a directory of yours",
                remedy:
                    "Set XDG_RUNTIME_DIR to a directory of yours; under sudo, run this as its owner instead.")
        }
        return Wire.Check(name: "socket", status: "ok", detail: location.path)
    }

    /// Checks the version of the running daemon.
    static func daemon(_ status: AdministrationInterface.Status.Reply) -> Wire.Check {
        guard status.version == Docent.version else {
            return Wire.Check(
                name: "daemon", status: "warning",
                detail: "version \(status.version) is running, but this program is version \(Docent.version)",
                remedy: "Restart it: `docent daemon stop`, then `docent daemon start`.")
        }
        return Wire.Check(
            name: "daemon", status: "ok", detail: "version \(status.version), process \(status.processIdentifier)")
    }

    /// Checks the manifests on the search path. Loads no code.
    static func manifests(_ environment: [String: String]) -> Wire.Check {
        let environment = ManifestEnvironment(variables: environment)
        let result = ManifestDiscovery(reader: ManifestReader(environment: environment))
            .scan(searchPath: ManifestSearchPath(environment: environment))
        let found = "\(result.providers.count) providers can be used"
        guard let first = result.broken.first else {
            return Wire.Check(name: "manifests", status: "ok", detail: found)
        }
        return Wire.Check(
            name: "manifests", status: "warning",
            detail: "\(found); manifests that cannot be used: \(result.broken.count), the first is \(first.path)",
            remedy: "Run `docent provider validate \(first.path)`.")
    }
}
