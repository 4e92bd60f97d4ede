import DocentTestSupport
import Foundation
import Glibc
import Testing

@testable import Keyring

/// The bytes of a secret in memory.
@Suite(.needs(.programs)) struct SecretTests {
    @Test("a secret appears in no description, reflection or dump")
    func descriptions() {
        let secret = Secret("hush-1c94b0ee")
        var dumped = ""
        dump([secret], to: &dumped)
        for text in ["\(secret)", String(describing: [secret]), String(reflecting: secret), dumped] {
            #expect(!text.contains("hush") && !text.contains("\(Array("hush".utf8))"), "\(text)")
        }
    }

    @Test("Secrets are compared by their bytes, and are text if they are UTF-8", arguments: [0, 1, 4096, 65_536])
    func values(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let secret = Secret(bytes)
        #expect(secret.count == count && secret.withBytes { Array($0) } == bytes)
        #expect(secret == Secret(AnySequence(bytes)))
        #expect(secret != Secret(bytes + [0]))
        if count > 0 { #expect(secret != Secret([UInt8](repeating: 9, count: count))) }
        #expect((secret.text == nil) == (count > 128))
        #expect(Secret("ä\u{0}\n").text == "ä\u{0}\n")
    }

    @Test("the pages of a secret are excluded from core dumps, and freed with it")
    func pages() throws {
        var secret: Secret? = Secret("hush-52d0ac18")
        let address = try #require(secret?.withBytes { $0.baseAddress.map { UInt(bitPattern: $0) } })
        let mapping = try Self.mapping(of: address)
        let flags = try #require(mapping.first { $0.hasPrefix("VmFlags:") }, "\(mapping)")
        #expect(flags.split(separator: " ").contains("dd"), "\(flags)")
        secret = nil
        // Another thread may have been given the address; the bytes are certainly not there.
        let pair = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/mem"))
        defer { try? pair.close() }
        try pair.seek(toOffset: UInt64(address))
        let left = (try? pair.read(upToCount: 13)) ?? Data()
        #expect(left != Data("hush-52d0ac18".utf8))
    }

    private static func mapping(of address: UInt) throws -> [String] {
        // Kernel files do not report their size.
        let file = try #require(fopen("/proc/self/smaps", "re"))
        defer { fclose(file) }
        var lines: [String] = []
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), file) != nil {
            lines.append(
                String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        var found: [String] = []
        var isInside = false
        for line in lines {
            let range = line.split(separator: " ").first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
            if range.count == 2 { isInside = range[0] <= address && address < range[1] }
            if isInside { found.append(line) }
        }
        return found
    }

    @Test("the process is notified when the first secret is created and when the last one is freed")
    func firstAndLast() async {
        // In its own process: other tests hold secrets.
        await #expect(processExitsWith: .success) {
            let told = Told()
            var first: Secret? = Secret("hush-aa01f3c9")
            Secret.onFirstAndLast { told.add($0) }
            precondition(told.all == [true] && Secret.held == 1)
            var second: Secret? = Secret([])
            precondition(Secret.held == 2 && first != nil && second != nil)
            first = nil
            precondition(told.all == [true])
            second = nil
            precondition(told.all == [true, false] && Secret.held == 0)
            _ = Secret("hush-aa01f3ca")
            precondition(told.all == [true, false, true, false])
        }
    }

    /// `@unchecked`: its array is protected by the lock.
    private final class Told: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [Bool] = []

        var all: [Bool] { lock.withLock { values } }

        func add(_ value: Bool) { lock.withLock { values.append(value) } }
    }
}
