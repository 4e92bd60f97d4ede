import DocentInterfaces
import Documents
import Testing

@testable import CommandConsole

@Suite struct ErrorReportTests {
    private let error = DocumentsError(
        Failure(
            .conflict, "Two\u{1B}[31m lines\nof it.", suggestion: "Do this.", provider: "org.example.Cloud",
            causes: [.init(domain: "NSFileProviderErrorDomain", code: -1001, message: "There is one already.")]))

    @Test("An error is shown with its causes and a suggestion, and without terminal control sequences")
    func short() {
        #expect(
            ErrorReport.text(error, isVerbose: false) == """
                docent: Two\\x1B[31m lines
                    of it.
                  caused by: There is one already.
                  hint: Do this.

                """)
    }

    @Test("D13: --verbose shows the kind, the provider, and the domain and number of each cause")
    func verbose() {
        #expect(
            ErrorReport.text(error, isVerbose: true) == """
                docent: Two\\x1B[31m lines
                    of it.
                  code: Conflict
                  provider: org.example.Cloud
                  caused by NSFileProviderErrorDomain -1001: There is one already.
                  hint: Do this.

                """)
    }

    @Test("A cause that repeats the message is shown by --verbose alone")
    func repeated() {
        let error = DocumentsError(
            Failure(.notAuthenticated, "No.", suggestion: "Go.", causes: [.init(domain: "D", code: 1, message: "No.")]))
        #expect(ErrorReport.text(error, isVerbose: false) == "docent: No.\n  hint: Go.\n")
        #expect(ErrorReport.text(error, isVerbose: true).contains("  caused by D 1: No.\n"))
    }

    @Test("The parser's messages have the same form")
    func usage() {
        #expect(ErrorReport.usage("Error: No.\nUsage: x") == "docent: No.\nUsage: x\n")
        #expect(ErrorReport.usage("OVERVIEW: x") == "OVERVIEW: x\n")
    }
}
