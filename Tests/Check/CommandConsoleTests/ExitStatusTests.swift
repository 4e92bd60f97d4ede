import DocentTestSupport
import Documents
import Testing

@testable import CommandConsole

@Suite struct ExitStatusTests {
    @Test(
        "The exit code of every kind of failure",
        arguments: [
            (DocumentsError.Code.notFound, 2), (.notPermitted, 3), (.notAuthenticated, 4), (.unavailable, 5),
            (.conflict, 6), (.cancelled, 7), (.deadlineExceeded, 7), (.invalidArgument, 64), (.noSpace, 1),
            (.notSupported, 1), (.providerFailed, 1), (.failed, 1), (DocumentsError.Code("FromTheFuture"), 1),
        ] as [(DocumentsError.Code, CInt)])
    func codes(code: DocumentsError.Code, expected: CInt) { #expect(ExitStatus(code).rawValue == expected) }

    @Test("docs/exit-codes.md names every exit code")
    func documentation() throws {
        let text = try Repository.text("docs/exit-codes.md")
        for status in ExitStatus.allCases { #expect(text.contains("| \(status.rawValue) |")) }
    }
}
