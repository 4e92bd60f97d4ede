import DocentTestSupport
import Foundation
import Testing

/// The same on a server that speaks S3.
@Suite(.needs(.daemon, .server)) struct DriveServerTests {
    @Test("a drive in a bucket is created, joined and recovered, with the keys from standard input")
    func bucket() async throws {
        let secret = "hush-drive-71f3"
        try await TestServers.with("s3", user: "drive", password: secret) { url in
            try await DriveMachine.with { one in
                let keys = "drive\n\(secret)\n"
                let store = ["s3://documents/my/drive", "--endpoint", url, "--password-stdin"]
                let note = one.installation.given + "/phrase.txt"
                let created = try await one.comeIn(
                    "create", store[0], store[1], store[2], store[3], "--recovery-file", note, input: keys)
                try created.succeeded()
                try await one.write("first\n", to: "notes.txt")
                try await DriveMachine.with { two in
                    let invited = try await one.inviting { code in
                        let joined = try await two.comeIn(
                            "join", store[0], store[1], store[2], store[3], code, "--machine", "lap", input: keys)
                        #expect(joined.status == 0, "\(joined.errors)")
                    }
                    #expect(invited.status == 0, "\(invited.errors)")
                    try await two.sees("first\n", in: "notes.txt")
                    try await two.write("second\n", to: "notes.txt")
                    try await one.sees("second\n", in: "notes.txt")
                    #expect(try await two.drive("check").succeeded().text.contains("no problem"))
                }
                let refused = try await one.comeIn(
                    "recover", store[0], store[1], store[2], store[3], "--name", "other", "--recovery-file", note,
                    input: "drive\nwrong\n")
                #expect(refused.status == 4, "\(refused.errors)")
                let full = try await one.comeIn(
                    "create", "s3://documents/my", store[1], store[2], store[3], "--recovery-file", note + "2",
                    input: keys)
                #expect(full.status == 64 && full.errors.contains("not empty"), "\(full.errors)")
                #expect(try await one.accounts() == ["drive"])
            }
        }
    }
}
