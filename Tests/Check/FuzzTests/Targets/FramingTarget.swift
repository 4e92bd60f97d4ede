import Foundation
import Glibc

@testable import Varlink

/// The splitting of a stream into messages, in pieces of any size.
struct FramingTarget: FuzzTarget {
    let name = "framing"
    let words = ["\0", "\0\0", "{}\0"]

    private static let longest = 64

    /// The first byte determines the sizes of the pieces.
    func run(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let stream = Array(bytes.dropFirst().prefix(4096))
        var limits = ServerLimits()
        limits.messageBytes = Self.longest
        var pair: [CInt] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0 else { return }
        defer { for end in pair { close(end) } }
        var reader = MessageReader(limits: limits)
        var frames: [[UInt8]] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int(first % 97) + 1))
            rest = rest.dropFirst(piece.count)
            guard send(pair[0], piece, piece.count, 0) == piece.count else { return }
            do throws(VarlinkError) {
                _ = try reader.receive(from: pair[1], flags: CInt(MSG_DONTWAIT))
                while let frame = try reader.nextFrame() {
                    frames.append(reader.withBytes(frame) { Array($0) })
                }
            } catch {
                guard error.code == .messageTooLarge else { throw FuzzFinding("The stream is refused with \(error).") }
                return try compare(frames, stream, wasRefused: true)
            }
        }
        try compare(frames, stream, wasRefused: false)
    }

    private func compare(_ frames: [[UInt8]], _ stream: [UInt8], wasRefused: Bool) throws {
        let expected = stream.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
        let complete = expected.dropLast()
        let fitting = complete.prefix { $0.count <= Self.longest }
        let isTooLong = fitting.count < complete.count || (expected.last?.count ?? 0) > Self.longest
        guard frames == Array(fitting), wasRefused == isTooLong else {
            throw FuzzFinding("The stream was cut into \(frames), refused: \(wasRefused).")
        }
    }
}
