import Testing

@testable import HostCore

/// Which texts that a provider stores are treated as secrets.
@Suite struct LikelySecretTests {
    @Test(
        "Tokens and passwords are likely secrets",
        arguments: [
            "hush-kept-9c41", "ya29.a0AfH6SMBx7", "1//0gLdq8xQz", "Tr0ub4dor&3", "9f86d081884c7d65", "Zm9vYmFyYmF6cXV4",
            "qwzkvbnmxplrtyhgfdsa", "p4ssw0rd!",
        ])
    func likely(_ text: String) { #expect(LikelySecret.isLikely(Array(text.utf8))) }

    @Test(
        "Short, monotonous and ordinary texts, names, paths and addresses are no secrets",
        arguments: [
            "", "hush123", "11111111", "abababab1", "password", "Documents", "docent provider reset",
            "/home/ada/Documents",
            "org.example.Provider", "files.example.org", "Überweisungen", "https://h.example/a1b2c3", "2026-11-23",
            "000000000000", "report_final-version.txt", "step 12 of 20 is done", "abc:123:456",
        ])
    func unlikely(_ text: String) { #expect(!LikelySecret.isLikely(Array(text.utf8))) }

    @Test("A name that is known on this machine is no secret, in upper or lower case")
    func names() {
        #expect(!LikelySecret.isLikely(Array("Ada-Laptop2".utf8), names: ["ada-laptop2"]))
        #expect(LikelySecret.isLikely(Array("Ada-Laptop2".utf8)))
    }
}
