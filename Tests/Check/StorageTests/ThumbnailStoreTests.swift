import Foundation
import Testing

@testable import Storage

/// The pictures that are kept (K9).
@Suite struct ThumbnailStoreTests {
    private static func place(_ address: String, domain: String = "", folder: String = "large") -> ThumbnailStore.Place
    {
        .init(provider: "org.example.Cloud", domain: domain, folder: folder, address: address)
    }

    @Test("A picture is found under its address, size and account, and nothing else is")
    func finds() throws {
        let scratch = try Scratch()
        let store = ThumbnailStore(layout: scratch.layout)
        #expect(store.read(Self.place("a")) == nil)
        let path = try store.put([1, 2, 3], at: Self.place("a"))
        // The name is the digest of the address, as in the desktop's cache.
        #expect(path.hasSuffix("/large/0cc175b9c0f1b6a831c399e269772661.png"))
        #expect(store.read(Self.place("a"))?.bytes == [1, 2, 3] && store.read(Self.place("a"))?.path == path)
        for other in [Self.place("b"), Self.place("a", domain: "work"), Self.place("a", folder: "normal")] {
            #expect(store.read(other) == nil)
        }
        _ = try store.put([4], at: Self.place("a"))
        #expect(ThumbnailStore(layout: scratch.layout).read(Self.place("a"))?.bytes == [4])
        let names = try FileManager.default.contentsOfDirectory(atPath: (path as NSString).deletingLastPathComponent)
        #expect(names.count == 1)
    }

    @Test("The oldest pictures are removed when there are too many bytes")
    func bounded() throws {
        let scratch = try Scratch()
        let store = ThumbnailStore(layout: scratch.layout, limit: 1_000)
        for index in 0..<9 {
            let path = try store.put(
                [UInt8](repeating: 1, count: 100), at: Self.place("\(index)", domain: "\(index % 2)"))
            let date = Date(timeIntervalSince1970: 1_000 + Double(index == 3 ? 0 : index))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        _ = try store.put([UInt8](repeating: 1, count: 300), at: Self.place("new"))
        // Down to nine tenths of the limit.
        let left = (0..<9).filter { store.read(Self.place("\($0)", domain: "\($0 % 2)")) != nil }
        #expect(left == [2, 4, 5, 6, 7, 8])
        #expect(store.read(Self.place("new")) != nil)
    }

    @Test("The pictures of an account are removed, and those of others stay; links are not followed")
    func removes() throws {
        let scratch = try Scratch()
        let store = ThumbnailStore(layout: scratch.layout)
        for domain in ["", "work"] { _ = try store.put([1], at: Self.place("a", domain: domain)) }
        try store.remove(provider: "org.example.Cloud", domain: "work")
        try store.remove(provider: "org.example.Cloud", domain: "none")
        try store.remove(provider: "none", domain: "")
        #expect(store.read(Self.place("a", domain: "work")) == nil && store.read(Self.place("a")) != nil)
        let folder = scratch.layout.thumbnailsDirectory.text + "/org.example.Cloud/_default/large"
        let secret = scratch.root + "/secret"
        try Data([7]).write(to: URL(filePath: secret))
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/92eb5ffee6ae2fec3ad71c777531578f.png", withDestinationPath: secret)
        #expect(store.read(Self.place("b")) == nil)
        _ = try store.put([8], at: Self.place("b"))
        #expect(try Data(contentsOf: URL(filePath: secret)) == Data([7]))
        #expect(store.read(Self.place("b"))?.bytes == [8])
    }

    @Test("A file of fixed size cannot grow or shrink, and its copy cannot be changed")
    func memory() throws {
        let file = try BoundedMemoryFile(size: 4)
        try file.write([1, 2])
        #expect(try file.bytes() == [1, 2, 0, 0])
        #expect(ftruncate(file.descriptor, 5) != 0 && ftruncate(file.descriptor, 3) != 0)
        #expect(pwrite(file.descriptor, [9, 9], 2, 3) < 2)
        #expect(pwrite(file.descriptor, [9], 1, 4) < 0)
        #expect(try file.bytes().count == 4)
        let reading = try BoundedMemoryFile.reading([1, 2, 3])
        #expect(pwrite(reading.number, [9], 1, 0) < 0)
        #expect(try reading.beginning(3) == [1, 2, 3])
    }
}
