/// Why a run cannot take place.
struct ValidatorProblem: Error {
    /// One sentence.
    let message: String
    /// What to do next.
    let remedy: String
    /// The exit code of the program (docs/exit-codes.md).
    let status: Int32

    init(_ message: String, _ remedy: String, status: Int32) {
        self.message = message
        self.remedy = remedy
        self.status = status
    }
}
