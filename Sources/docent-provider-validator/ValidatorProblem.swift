/// Why there is no run.
struct ValidatorProblem: Error {
    /// One sentence.
    let message: String
    /// What to do next.
    let remedy: String
    /// What the program ends with (docs/exit-codes.md).
    let status: Int32

    init(_ message: String, _ remedy: String, status: Int32) {
        self.message = message
        self.remedy = remedy
        self.status = status
    }
}
