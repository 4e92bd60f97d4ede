import DocentInterfaces

/// The space of an account.
enum UsageCases {
    static let all: [ValidationCase] = [
        ValidationCase(
            "usage.values", level: 1, needs: [.usage], requirements: [.interface],
            "The space of the account is not negative, and no more is available than there is."
        ) { try await values($0) }
    ]

    private static func values(_ context: CaseContext) async throws {
        let did = "Usage"
        let usage = try await context.usage()
        let values = [
            ("totalBytes", usage.totalBytes), ("usedBytes", usage.usedBytes), ("availableBytes", usage.availableBytes),
        ]
        for (name, value) in values {
            context.expect(
                (value ?? 0) >= 0, did: did, expected: "a number of bytes as \(name), or none", got: "\(value ?? 0)")
        }
        if let total = usage.totalBytes, let available = usage.availableBytes {
            context.expect(
                available <= total, did: did, expected: "at most \(total) available bytes, which are all",
                got: "\(available)")
        }
    }
}
