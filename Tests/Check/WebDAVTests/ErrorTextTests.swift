import DocentTestSupport
import Foundation
import Testing

/// The texts of errors.
@Suite struct ErrorTextTests {
    @Test(
        "no error promises that something is done again: it may reach a reader whose command has ended",
        arguments: ["Plugins/WebDAV", "Sources/HTTPTransport"])
    func promises(_ folder: String) throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(Repository.root)/\(folder)")
            .filter { $0.hasSuffix(".swift") }
        #expect(!files.isEmpty)
        for file in files {
            // Long texts are split over lines.
            let text = try Repository.text("\(folder)/\(file)").replacing(#/"\s*\+\s*"/#, with: "")
            let promises = text.matches(of: #/"[^"\n]*(?:will be|is) (?:tried|sent|fetched|checked) again/#)
                .map { String($0.output) }
            #expect(promises.isEmpty, "\(file): \(promises)")
        }
    }
}
