import ArgumentParser

/// What the validator may do to the service behind the provider.
struct ValidationService: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A program that makes the service unreachable and changes documents in it: a command, or directory, webdav or sftp.",
            valueName: "command"),
        completion: .list(["directory", "webdav", "sftp"]))
    var service: String?

    @Flag(
        name: .long, help: "Put a proxy between the provider and its service, which cuts connections and refuses them.")
    var proxy = false

    @Option(
        name: .long,
        help: ArgumentHelp("By how much the proxy delays everything, each way.", valueName: "milliseconds"))
    var latency: Int?

    func validate() throws {
        guard latency == nil || proxy else { throw ValidationError("--latency is for the proxy: give --proxy, too.") }
        if let latency, !(0...10_000).contains(latency) {
            throw ValidationError("--latency takes 0 to 10000 milliseconds.")
        }
    }

    /// The same options for docent-provider-validator.
    var arguments: [String] {
        var result: [String] = []
        if let service { result += ["--service", service] }
        if proxy { result.append("--proxy") }
        if let latency { result += ["--latency", "\(latency)"] }
        return result
    }
}
