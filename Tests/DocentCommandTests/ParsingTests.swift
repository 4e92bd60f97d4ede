import ArgumentParser
import Documents
import Testing

@testable import docent

@Suite struct ParsingTests {
    @Test(
        "Every command reads its command line",
        arguments: [
            (["providers"], ProvidersCommand.self),
            (
                ["providers", "--all", "--mode", "open", "--type", "public.text", "--type", "public.image", "--json"],
                ProvidersCommand.self
            ),
            (["provider", "show", "Cloud", "--json"], ProviderShowCommand.self),
            (["provider", "enable", "Cloud", "--yes", "--unsandboxed", "--join-groups"], ProviderEnableCommand.self),
            (["provider", "disable", "Cloud"], ProviderDisableCommand.self),
            (["provider", "reset", "Cloud"], ProviderResetCommand.self),
            (["provider", "validate", "a.plist", "b.json", "--json"], ProviderValidateCommand.self),
            (["ls", "P:/", "--json", "-l"], ListCommand.self),
            (["info", "P:/a", "--json"], InfoCommand.self),
            (["info", "--bookmark", "b"], InfoCommand.self),
            (["import", "P:/a"], ImportCommand.self),
            (["import", "P:/a", "-o", "-"], ImportCommand.self),
            (["import", "P:/a", "--output", "file"], ImportCommand.self),
            (["open", "P:/a", "--client", "org.example.editor", "--read-only", "--json"], OpenCommand.self),
            (["export", "file", "P:/"], ExportCommand.self),
            (["move", "file", "P:/a", "--client", "org.example.editor"], MoveCommand.self),
            (["cat", "P:/a"], CatCommand.self),
            (["cat", "--bookmark", "b", "--client", "org.example.editor", "--verbose"], CatCommand.self),
            (["write", "P:/a"], WriteCommand.self),
            (["write", "--bookmark", "b"], WriteCommand.self),
            (["bookmark", "create", "P:/a"], BookmarkCreateCommand.self),
            (["bookmark", "resolve", "b", "--json"], BookmarkResolveCommand.self),
            (["grants"], GrantsCommand.self),
            (["grants", "--client", "c", "--provider", "p", "P:/a", "--json"], GrantsCommand.self),
            (["revoke", "--client", "c", "--provider", "p", "P:/a", "--yes"], RevokeCommand.self),
            (["domains"], DomainsListCommand.self),
            (["domains", "list", "--provider", "p"], DomainsListCommand.self),
            (["domains", "add", "P", "work", "--folder", "/srv", "--display-name", "Work"], DomainsAddCommand.self),
            (["domains", "remove", "P", "work"], DomainsRemoveCommand.self),
            (["doctor", "--json"], DoctorCommand.self),
            (["daemon", "start", "--foreground"], DaemonStartCommand.self),
            (["daemon", "stop", "--force"], DaemonStopCommand.self),
            (["daemon", "status", "--json"], DaemonStatusCommand.self),
        ] as [([String], any ParsableCommand.Type)])
    func commands(arguments: [String], type: any ParsableCommand.Type) throws {
        let command = try Docent.parseAsRoot(arguments)
        #expect(Swift.type(of: command) == type)
        #expect(command is any DocentCommand)
    }

    @Test(
        "Wrong usage ends with 64",
        arguments: [
            ["ls"], ["ls", "no location"], ["cat"], ["cat", "P:/a", "--bookmark", "b"], ["info"], ["export", "file"],
            ["providers", "--mode", "sideways"], ["provider", "validate"], ["domains", "add", "P", "a@b"],
            ["domains", "add", "P", ""], ["nonsense"], ["import", "P:/a", "-o"],
        ])
    func wrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Docent.parseAsRoot(arguments) }
        if let error { #expect(Docent.exitCode(for: error).rawValue == ExitStatus.usage.rawValue) }
    }

    @Test("A verb acts for org.docent.cli unless another client is named")
    func client() throws {
        let standard = try #require(try Docent.parseAsRoot(["cat", "P:/a"]) as? CatCommand)
        #expect(standard.client.client == "org.docent.cli")
        let other = try #require(try Docent.parseAsRoot(["cat", "P:/a", "--client", "org.example.a"]) as? CatCommand)
        #expect(other.client.makeClient().configuration.clientIdentifier == "org.example.a")
    }

    @Test("--version is one line")
    func version() throws {
        let error = try #require(throws: (any Error).self) { try Docent.parseAsRoot(["--version"]) }
        #expect(Docent.message(for: error) == "docent 0.1.0")
        #expect(Docent.exitCode(for: error) == .success)
    }
}
