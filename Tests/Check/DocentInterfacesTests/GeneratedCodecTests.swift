import DocentTestSupport
import Foundation
import Testing
import Varlink

@testable import DocentInterfaces

/// Every generated codec agrees with the ordinary coders.
@Suite struct GeneratedCodecTests {
    /// A type with a generated codec, and values of it.
    struct Sample: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: @Sendable () throws -> Void

        /// - Parameters:
        ///   - full: a value with every optional field, except for those in `cold`, which have no generated codec.
        ///   - bare: a value with no optional field.
        ///   - write: the generated encoder, if there is one.
        init<Value: VarlinkMessage & Equatable>(
            full: Value, bare: Value, cold: Set<String> = [],
            read: @escaping @Sendable (inout JSONScanner) -> Value?, write: (@Sendable (Value) -> [UInt8]?)? = nil
        ) {
            testDescription = String(reflecting: Value.self).replacing("DocentInterfaces.", with: "")
            check = {
                #expect(GeneratedCodecTests.optionals(full).filter { $0.value != cold.contains($0.key) }.isEmpty)
                #expect(!GeneratedCodecTests.optionals(bare).values.contains(false))
                for value in [full, bare] {
                    let ordinary = Array(try JSONEncoder().encode(value))
                    #expect(ordinary.withUnsafeBufferPointer { GeneratedCodecTests.scan($0, read) } == value)
                    guard let write else { continue }
                    let written = try #require(write(value))
                    #expect(try JSONDecoder().decode(Value.self, from: Data(written)) == value)
                    #expect(written.withUnsafeBufferPointer { GeneratedCodecTests.scan($0, read) } == value)
                }
            }
        }

        /// A type whose values are appended to a message.
        init<Value: VarlinkMessage & Equatable>(
            full: Value, bare: Value, read: @escaping @Sendable (inout JSONScanner) -> Value?,
            append: @escaping @Sendable (Value, inout [UInt8]) -> Void
        ) {
            self.init(full: full, bare: bare, read: read) { value in
                var bytes: [UInt8] = []
                append(value, &bytes)
                return bytes
            }
        }
    }

    private static let reference = Wire.ItemReference(provider: "p", domain: "d \"ö\"", identifier: "\u{1}i\n")
    private static let bareItem = Wire.Item(
        reference: reference, name: "n", contentType: "public.data", isFolder: false, isDownloaded: true,
        isUploaded: false)
    private static let item = Wire.Item(
        reference: reference, parent: ".root", name: "日本語 \"x\"/\\", path: "/a/ß", contentType: "public.data",
        size: 1 << 40, modificationDate: 1_763_000_000.25, creationDate: -1.5e-9, isFolder: true, isDownloaded: false,
        isUploaded: true, version: "é1", uploadState: "failed", uploadError: "why", isPinned: true, isStale: false,
        conflicts: 2, thumbnail: "t", formerVersion: "0", symbolicLinkTarget: "l\t", ignoresCase: true)
    private static let bareProviderItem = Wire.ProviderItem(identifier: "i", parent: "", name: "n", isFolder: false)
    private static let providerItem = Wire.ProviderItem(
        identifier: "i", parent: "p", name: "n\\", contentType: "public.text", size: 0, modificationDate: 1e300,
        creationDate: 0, isFolder: true, version: "v", capabilities: ["reading", "we\"ird"], isDownloaded: true,
        isUploaded: false, thumbnail: "t", symbolicLinkTarget: "l", ignoresCase: false)
    private static let place = Wire.ItemPlace(reference: reference, name: "näme")
    private static let barePlace = Wire.ItemPlace(reference: reference)
    private static let access = Wire.ClaimAccess(place: place, writing: true, options: ["forMoving"])
    private static let bareAccess = Wire.ClaimAccess(place: barePlace, writing: false)

    static let samples: [Sample] =
        [
            Sample(full: reference, bare: reference, read: { .init(&$0) }, append: { $0.append(to: &$1) }),
            Sample(full: item, bare: bareItem, read: { .init(&$0) }, append: { $0.append(to: &$1) }),
            Sample(full: providerItem, bare: bareProviderItem, read: { .init(&$0) }, append: { $0.append(to: &$1) }),
            Sample(full: place, bare: barePlace, read: { .init(&$0) }, append: { $0.append(to: &$1) }),
            Sample(full: access, bare: bareAccess, read: { .init(&$0) }, append: { $0.append(to: &$1) }),
            Sample(full: Wire.ClaimedItem(item: item), bare: Wire.ClaimedItem(), read: { .init(&$0) }),
        ] + messages + pages

    private static let messages = [
        Sample(
            full: DocumentsInterface.Open.Parameters(
                reference: reference, lease: false, program: "/usr/bin/tail", process: 12, partial: true),
            bare: DocumentsInterface.Open.Parameters(reference: reference),
            read: { .init(&$0) }, append: { $0.append(to: &$1) }),
        Sample(
            full: DocumentsInterface.Open.Reply(item: item, file: 0, lease: 1, slot: 7, generation: -9, reading: 5),
            bare: DocumentsInterface.Open.Reply(item: bareItem, file: 3),
            read: { .init(&$0) },
            write: {
                OpenCodec.reply(
                    item: $0.item.hotJSON, file: $0.file, lease: $0.lease, slot: $0.slot, generation: $0.generation,
                    reading: $0.reading)
            }),
        Sample(
            full: DocumentsInterface.Coordinate.Parameters(
                accesses: [access, bareAccess], operation: "o", purpose: "org.example", presenter: "pr",
                within: ["a", "b"], answering: [], thread: "main", open: true, prepares: false, deadline: 1.5,
                knownVersion: "v"),
            bare: DocumentsInterface.Coordinate.Parameters(accesses: [], operation: ""),
            read: { .init(&$0) }, append: { $0.append(to: &$1) }),
        Sample(
            full: DocumentsInterface.Coordinate.Reply(
                state: "granted", items: [.init(item: item), .init()], file: 0, waitsFor: ["w"], completedBytes: 1,
                totalBytes: 2),
            bare: DocumentsInterface.Coordinate.Reply(state: ""), read: { .init(&$0) }),
    ]

    private static let pages = [
        Sample(
            full: DocumentsInterface.List.Reply(items: [item, bareItem], nextPage: "to\"ken"),
            bare: DocumentsInterface.List.Reply(items: []), cold: ["remembered"],
            read: { .init(&$0) }, write: { $0.quickJSON }),
        Sample(
            full: PickerInterface.ListFolder.Reply(items: [bareItem, item], nextPage: ""),
            bare: PickerInterface.ListFolder.Reply(items: []), cold: ["remembered"],
            read: { .init(&$0) }, write: { $0.quickJSON }),
        Sample(
            full: FileProviderInterface.Children.Reply(items: [providerItem, bareProviderItem], nextPage: "n"),
            bare: FileProviderInterface.Children.Reply(items: []),
            read: { .init(&$0) }, write: { $0.quickJSON }),
    ]

    @Test("L1: a value with every optional field, and one with none, survive both coders", arguments: samples)
    func agrees(_ sample: Sample) throws { try sample.check() }

    @Test("L1: every type with a generated codec is checked")
    func complete() throws {
        let generated = try ["HotCodecs", "Wire+HotCodec"].flatMap { name in
            try Repository.text("Sources/DocentInterfaces/Generated/\(name).swift")
                .matches(of: #/\nextension (\S+) \{/#).map { String($0.output.1) }
        }
        #expect(generated.sorted() == Self.samples.map(\.testDescription).sorted())
    }

    private static func scan<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ read: (inout JSONScanner) -> Value?
    ) -> Value? {
        var scanner = JSONScanner(bytes)
        return read(&scanner)
    }

    /// The optional fields, and whether each is nil.
    private static func optionals(_ value: Any) -> [String: Bool] {
        var found: [String: Bool] = [:]
        for child in Mirror(reflecting: value).children {
            let mirror = Mirror(reflecting: child.value)
            if let name = child.label, mirror.displayStyle == .optional { found[name] = mirror.children.isEmpty }
        }
        return found
    }
}
