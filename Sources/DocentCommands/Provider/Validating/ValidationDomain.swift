import ArgumentParser

/// The provider to validate, and its domain for the run.
struct ValidationDomain: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Which provider, if the directory has several.", valueName: "identifier"))
    var provider: String?

    @Option(
        name: .customLong("setting"),
        help: ArgumentHelp("A setting of the domain, as `docent domains set` takes it.", valueName: "key=value"))
    var settings: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A folder for the domain to show. The validator works in a folder of its own in it.", valueName: "path"),
        completion: .directory)
    var folder: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A directory to use as the home: what the manifest asks for is copied from it.", valueName: "path"),
        completion: .directory)
    var home: String?

    @Option(name: .long, help: ArgumentHelp("The user name to sign in with.", valueName: "name"))
    var username: String?

    @Option(
        name: .long, help: ArgumentHelp("A file whose first line is the password.", valueName: "file"),
        completion: .file())
    var passwordFile: String?

    /// The same options for docent-provider-validator.
    var arguments: [String] {
        var result: [String] = []
        if let provider { result += ["--provider", provider] }
        for setting in settings { result += ["--setting", setting] }
        if let folder { result += ["--folder", folder] }
        if let home { result += ["--home", home] }
        if let username { result += ["--username", username] }
        if let passwordFile { result += ["--password-file", passwordFile] }
        return result
    }
}
