import ArgumentParser
import CommandConsole
import Documents
import Testing

@testable import DocentCommands

@Suite struct ParsingTests {
    @Test(
        "Every command parses its command line",
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
            (["provider", "validate", "--list"], ProviderValidateCommand.self),
            (
                [
                    "provider", "validate", ".build/debug", "--level", "10", "--filter", "^a", "--seed", "7",
                    "--transport", "daemon",
                    "--setting", "a=b", "--setting", "c=", "--ignore", "x=y", "--junit", "f",
                ], ProviderValidateCommand.self
            ),
            (["ls", "P:/", "--json", "-l"], ListCommand.self),
            (["ls"], ListCommand.self),
            (["info", "P:/a", "--json"], InfoCommand.self),
            (["info", "--bookmark", "b"], InfoCommand.self),
            (["pick"], PickCommand.self),
            (["pick", "--print0", "--multiple", "--type", "public.text", "--type", "public.image"], PickCommand.self),
            (["pick", "open", "--folder", "--read-only"], PickCommand.self),
            (["pick", "import", "-o", "-"], PickCommand.self),
            (["pick", "export", "file", "--print"], PickCommand.self),
            (["pick", "move", "file", "--client", "org.example.editor"], PickCommand.self),
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
            (["grants"], GrantsListCommand.self),
            (["grants", "--client", "c", "--provider", "p", "P:/a", "--json"], GrantsListCommand.self),
            (["grants", "--kind", "run", "--older-than", "30d"], GrantsListCommand.self),
            (
                ["grants", "add", "c", "P:/a", "--for", "2h", "--companions", "*.a", "--companions", "{stem}.b"],
                GrantsAddCommand.self
            ),
            (["revoke", "--id", "3", "--kind", "snap"], RevokeCommand.self),
            (["open", "P:/a", "--transient", "--for", "90s", "--companions", "*.srt"], OpenCommand.self),
            (["log", "--client", "c", "--item", "P:/a", "--refused", "--since", "2h", "--follow"], LogCommand.self),
            (["why", "P:/a", "--client", "c"], WhyCommand.self),
            (["revoke", "--client", "c", "--provider", "p", "P:/a", "--yes"], RevokeCommand.self),
            (["domains"], DomainsListCommand.self),
            (["domains", "list", "--provider", "p"], DomainsListCommand.self),
            (["domains", "add", "P", "work", "--folder", "/srv", "--display-name", "Work"], DomainsAddCommand.self),
            (
                ["domains", "add", "P", "work", "--url", "https://h/", "--username", "u", "--password-file", "f"],
                DomainsAddCommand.self
            ),
            (
                [
                    "domains", "add", "P", "work", "--url", "https://h/", "--session", "--password-stdin",
                    "--unchecked",
                    "--certificate-authority", "ca.pem", "--set", "quotaBytes=1", "--set", "a=b=c",
                ], DomainsAddCommand.self
            ),
            (["domains", "set", "P", "work", "--token-file", "f"], DomainsSetCommand.self),
            (["domains", "set", "P", "work", "--credential", "dav", "--set", "quotaBytes="], DomainsSetCommand.self),
            (["domains", "remove", "P", "work"], DomainsRemoveCommand.self),
            (["domains", "remove", "P", "work", "--force", "--yes"], DomainsRemoveCommand.self),
            (["transfers"], TransfersListCommand.self),
            (["transfers", "--json", "--watch", "--provider", "P"], TransfersListCommand.self),
            (["transfers", "cancel", "17"], TransfersCancelCommand.self),
            (["transfers", "retry"], TransfersRetryCommand.self),
            (["transfers", "retry", "17", "--provider", "P", "--domain", "work"], TransfersRetryCommand.self),
            (["drain"], DrainCommand.self),
            (["drain", "--timeout", "1.5"], DrainCommand.self),
            (["pin", "P:/a"], PinCommand.self),
            (["unpin", "P:/a"], UnpinCommand.self),
            (["evict", "P:/a"], EvictCommand.self),
            (["refresh"], RefreshCommand.self),
            (["refresh", "P:/a", "--accept"], RefreshCommand.self),
            (["versions"], VersionsListCommand.self),
            (["versions", "P:/a", "--json"], VersionsListCommand.self),
            (["versions", "show", "17", "-o", "f"], VersionsShowCommand.self),
            (["versions", "remove", "17", "--yes"], VersionsRemoveCommand.self),
            (["versions", "list", "--all"], VersionsListCommand.self),
            (["versions", "keep"], VersionsKeepCommand.self),
            (["versions", "keep", "--space", "2G", "--days", "90", "--off", "P:/a"], VersionsKeepCommand.self),
            (["versions", "keep", "--on", "--when-full", "drop", "--reset"], VersionsKeepCommand.self),
            (["versions", "keep", "--merge", "on", "P:/a"], VersionsKeepCommand.self),
            (["history", "P:/a", "--json"], HistoryCommand.self),
            (["show", "P:/a", "--version", "b123", "-o", "f"], ShowCommand.self),
            (["show", "--version", "b123", "P:/a"], ShowCommand.self),
            (["diff", "P:/a", "b123", "current"], DiffCommand.self),
            (["restore", "P:/a", "--version", "b123", "--to", "P:/b"], RestoreCommand.self),
            (["conflicts", "--json"], ConflictsCommand.self),
            (["resolve", "P:/a", "--keep", "both"], ResolveCommand.self),
            (["resolve", "P:/a", "--keep", "merge"], ResolveCommand.self),
            (["resolve", "P:/a", "--keep", "b123"], ResolveCommand.self),
            (["cat", "P:/a", "--no-progress"], CatCommand.self),
            (["open", "P:/a", "--no-progress"], OpenCommand.self),
            (["import", "P:/a", "--no-progress"], ImportCommand.self),
            (["policy"], PolicyListCommand.self),
            (["policy", "list", "--json"], PolicyListCommand.self),
            (["policy", "check", "borg", "--json"], PolicyCheckCommand.self),
            (["policy", "refuse", "my-crawler*"], PolicyRefuseCommand.self),
            (["policy", "allow", "restic.service"], PolicyAllowCommand.self),
            (["policy", "limit", "none"], PolicyLimitCommand.self),
            (["policy", "reset"], PolicyResetCommand.self),
            (["policy", "reset", "borg"], PolicyResetCommand.self),
            (["desktop", "enable"], DesktopEnableCommand.self),
            (["desktop", "disable"], DesktopDisableCommand.self),
            (["desktop", "status", "--json"], DesktopStatusCommand.self),
            (["notifications"], NotificationsStatusCommand.self),
            (["notifications", "on", "--json"], NotificationsOnCommand.self),
            (["notifications", "off", "--json"], NotificationsOffCommand.self),
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
        "Wrong usage exits with 64",
        arguments: [
            ["ls", "no location"], ["cat", "P:/a", "--bookmark", "b"], ["export"], ["pick", "sideways"],
            ["pick", "export"], ["pick", "open", "file"], ["pick", "--print", "--json"], ["pick", "--read-only"],
            ["pick", "import", "--folder"], ["pick", "export", "f", "--multiple"], ["pick", "open", "-o", "f"],
            ["providers", "--mode", "sideways"], ["provider", "validate"],
            ["provider", "validate", "a", "--level", "11"],
            ["provider", "validate", "a", "--transport", "pigeon"], ["provider", "validate", "a", "--setting", "b"],
            ["domains", "add", "P", "a@b"],
            ["domains", "add", "P", ""], ["nonsense"], ["import", "P:/a", "-o"],
            ["domains", "add", "P", "a", "--url", "h"], ["domains", "add", "P", "a", "--set", "x"],
            ["domains", "add", "P", "a", "--folder", "/f", "--url", "https://h/"],
            ["domains", "add", "P", "a", "--password-file", "f", "--session"],
            ["domains", "add", "P", "a", "--password-stdin"], ["domains", "set", "P", "a"], ["pin"], ["evict"],
            ["policy", "refuse"], ["policy", "allow", ""], ["policy", "limit", "0"],
            ["drain", "--timeout", "-1"], ["versions", "show"], ["transfers", "cancel"],
            ["diff", "P:/a"], ["resolve", "P:/a"],
            ["versions", "keep", "--space", "much"], ["versions", "keep", "--on", "--off"],
            ["versions", "keep", "--when-full", "panic"], ["diff", "P:/a", "b1"],
        ])
    func wrongUsage(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try Docent.parseAsRoot(arguments) }
        if let error { #expect(Docent.exitCode(for: error).rawValue == ExitStatus.usage.rawValue) }
    }

    @Test(
        "Without a terminal a verb without a location is wrong usage", .enabled(if: !TerminalChoice.isPossible()),
        arguments: [
            ["cat"], ["info"], ["open"], ["import"], ["rm"], ["export", "file"], ["move", "file"], ["picks", "answer"],
            ["picks", "answer", "3F"],
        ])
    func noTerminal(arguments: [String]) {
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
