import ArgumentParser
import CommandConsole
import FoundationEssentials
import ViewPolicies

struct PolicyLimitCommand: DocentCommand {
    static let configuration = CommandConfiguration(
        commandName: "limit", abstract: "Set how many documents a program downloads within a minute.",
        discussion: """
            For programs that no rule is about. One that asks for more documents gets an error for each that is not on \
            this machine, until it has not asked for a minute. `docent policy allow` lifts the limit for one program, \
            and `docent pin` downloads a folder beforehand.

            EXAMPLES
              docent policy limit 1000
              docent policy limit none
            """)

    /// A limit, as it is typed.
    enum Limit: Sendable, Equatable {
        case documents(Int)
        case unlimited
    }

    @Argument(
        help: ArgumentHelp("The number of documents, or none for no limit.", valueName: "limit"),
        completion: .list(["none"]), transform: PolicyLimitCommand.parse)
    var limit: Limit

    @OptionGroup var report: ReportOptions

    func run() async throws {
        let store = try PolicyStore(ProcessInfo.processInfo.environment)
        try store.change { policy in
            switch limit {
            case .documents(let number): policy.documentsPerMinute = number
            case .unlimited: policy.documentsPerMinute = nil
            }
        }
        try StandardOutput.write(PolicyText.limit(try store.policy()))
    }

    @Sendable
    static func parse(_ text: String) throws -> Limit {
        if text == "none" { return .unlimited }
        guard let number = Int(text), DownloadPolicy.limits.contains(number) else {
            throw ValidationError(
                "\"\(text)\" is not a limit. Write none, or a number between \(DownloadPolicy.limits.lowerBound) and "
                    + "\(DownloadPolicy.limits.upperBound).")
        }
        return .documents(number)
    }
}
