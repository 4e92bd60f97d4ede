import ArgumentParser
import CommandConsole
import DocentInterfaces
import Documents
import Glibc
import Testing

@testable import DocentCommands

/// Likely input of a person who does not know Docent yet.
@Suite struct UsageTests {
    @Test(
        "`docent help` for an unknown verb is wrong usage, and suggests similar verbs",
        arguments: [
            (["help", "lss"], "Did you mean \"ls\""), (["help", "grants", "ad"], "Did you mean \"add\""),
            (["help", "xyzzy"], "`docent --help`"), (["help", "ls", "more"], "\"docent ls\" has no command"),
        ])
    func unknownHelp(arguments: [String], text: String) async {
        let error = #expect(throws: ValidationError.self) { try HelpRequest.check(arguments, of: Docent.self) }
        #expect(error?.message.contains(text) == true, "\(String(describing: error))")
        #expect(await CommandRunner.run(arguments) == 64)
    }

    @Test(
        "`docent help` for a known verb succeeds",
        arguments: [["help"], ["help", "ls"], ["help", "grants", "add"], ["help", "--help"], ["ls", "help"], []])
    func knownHelp(arguments: [String]) throws { try HelpRequest.check(arguments, of: Docent.self) }

    @Test("`ls -lh` shows readable sizes, and is not a request for help")
    func humanReadable() throws {
        let command = try #require(try Docent.parseAsRoot(["ls", "-lh", "P:/"]) as? ListCommand)
        #expect(command.long && command.humanReadable)
        var wire = Samples.item()
        wire.size = 1500
        let item = DocumentItem(wire)
        #expect(ItemText.line(item, isHumanReadable: true) != ItemText.line(item))
        #expect(ItemText.line(item, isHumanReadable: true).contains("1.5 kB"))
        #expect(!(try Docent.parseAsRoot(["ls", "--help"]) is ListCommand))
    }

    @Test("A reference from `ls` names a document for cat, write and info; other commands say what to write instead")
    func references() throws {
        let reference = DocumentReference(provider: "org.example.Cloud", domain: "my work", identifier: "a/b ü%")
        #expect(try DocumentReference(url: reference.url) == reference)
        for verb in ["cat", "write", "info"] { _ = try Docent.parseAsRoot([verb, reference.url]) }
        let command = try #require(try Docent.parseAsRoot(["cat", reference.url]) as? CatCommand)
        #expect(command.document.name == .reference(reference) && command.document.location == nil)
        #expect(command.document.shown == reference.url)
        for arguments in [["ls", reference.url], ["import", reference.url], ["pin", reference.url]] {
            let error = #expect(throws: (any Error).self) { try Docent.parseAsRoot(arguments) }
            #expect(error.map { Docent.fullMessage(for: $0) }?.contains("Only cat, info and write accept it") == true)
        }
    }

    @Test(
        "A text that only looks like a reference is not one",
        arguments: [
            "docent://", "docent:///a", "docent://p", "docent://p/", "docent://p@/a", "docent://p@d@e/a",
            "docent://p/a%2",
            "docent://p/%zz", "docent://p/%FF", "docent://p/a/b", "docent://p/a b",
        ])
    func noReference(_ text: String) {
        #expect(throws: DocumentsError.self) { try DocumentReference(url: text) }
        #expect(throws: (any Error).self) { try Docent.parseAsRoot(["cat", text]) }
    }

    @Test("An account that could not be asked is named, with the reason")
    func notAsked() {
        let domain = Wire.Domain(provider: "p", identifier: "lab", displayName: "Lab")
        let text = RefreshCommand.note(domain, DocumentsError(.notAuthenticated, "No.", suggestion: "Do this."))
        #expect(text == "docent: p@lab could not be asked: No.\n  hint: Do this.\n")
    }

    @Test("Accounts that are not in use are skipped silently")
    func unused() {
        let standard = Wire.Domain(provider: "p", identifier: "", displayName: "P")
        let account = Wire.Domain(provider: "p", identifier: "lab", displayName: "Lab", state: "ready")
        let disabled = DocumentsError(.notPermitted, "It is not enabled.")
        #expect(!RefreshCommand.matters(disabled, of: standard) && RefreshCommand.matters(disabled, of: account))
        #expect(!RefreshCommand.matters(DocumentsError(.notSupported, ""), of: account))
        #expect(RefreshCommand.matters(DocumentsError(.unavailable, ""), of: standard))
    }

    @Test("The default account is named if there are others")
    func defaultDomain() {
        let provider = Wire.ProviderSummary(
            identifier: "org.example.Cloud", displayName: "Cloud", enabled: true, state: "ready", modes: ["open"],
            supportedTypes: ["public.data"], domains: ["", "lab", "here"], sandboxed: true, extensions: [])
        #expect(ProvidersCommand.table([provider]).text.contains("(default),lab,here"))
    }
}
