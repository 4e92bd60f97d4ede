import DocentTestSupport
import Foundation
import Testing

/// The type of a document whose name has none (7.4.5).
@Suite(.needs(.daemon)) struct SniffedTypeTests {
    private struct Info: Decodable { var contentType: String }

    @Test("the content determines the type only where the name does not")
    func told() async throws {
        try await Installation.withLocalFolder { installation in
            for (name, text, type) in [
                ("picture", "\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR", "public.png"),
                ("paper", "%PDF-1.7\n", "com.adobe.pdf"),
                ("notes", "Milk, bread\n", "public.plain-text"), ("paper.unheard-of", "%PDF-1.7\n", "com.adobe.pdf"),
                ("paper.txt", "%PDF-1.7\n", "public.plain-text"), ("nothing", "", "public.data"),
            ] {
                try await TestStep.run(name) {
                    let bytes = text.unicodeScalars.map { UInt8($0.value) }
                    try Data(bytes).write(to: URL(fileURLWithPath: "\(installation.documents)/\(name)"))
                    let info = try await installation.docent("info", "--json", "LocalFolder:/\(name)").succeeded()
                    #expect(try info.json(Info.self).contentType == type, "\(name)")
                }
            }
        }
    }
}
