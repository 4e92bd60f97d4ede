import ArgumentParser

/// What the validator may do to the service behind the provider.
struct ValidationService: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "A program that makes the service unreachable and changes documents in it: a command, or directory, "
                + "webdav or sftp.",
            valueName: "command"),
        completion: .list(["directory", "webdav", "sftp"]))
    var service: String?

    @Flag(
        name: .long, help: "Put a proxy between the provider and its service, which refuses connections and cuts them.")
    var proxy = false

    @Option(
        name: .long,
        help: ArgumentHelp("How much the proxy delays everything, in each direction.", valueName: "milliseconds"))
    var latency: Int?

    func validate() throws {
        guard latency == nil || proxy else { throw ValidationError("--latency needs --proxy.") }
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
