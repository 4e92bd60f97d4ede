import Glibc

/// A shared library, described from its file without loading it. The file is not trusted: invalid parts are treated as
/// missing.
package struct SharedLibrary: Sendable {
    /// The kind of file.
    package enum Kind: Sendable, Equatable {
        /// Not an ELF file at all, or one that cannot be read.
        case other
        /// ELF, for a different machine.
        case foreign
        /// ELF for this machine, but neither a shared library nor a position-independent program.
        case program
        /// A shared library for this machine.
        case library
    }

    /// The most bytes of a table that are read.
    private static let limit = 64 << 20
    private static let headerSize = 64

    /// The kind of file.
    package let kind: Kind
    /// Whether the symbol in question is exported; nil when there is none, or when its tables cannot be read.
    package let exportsSymbol: Bool?
    /// The directories in which its dependencies are looked for, as written: `DT_RUNPATH`, else `DT_RPATH`.
    package let searchPath: [String]
    /// The names of its dependencies, as written.
    package let needed: [String]

    /// Reads a file. Blocks on the file system, but never on a pipe or device.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - symbol: the symbol to look for; nil for none, which saves reading every symbol of the file.
    package init(path: String, symbol: String? = nil) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        defer { if descriptor >= 0 { close(descriptor) } }
        let file = Tables(descriptor: descriptor)
        kind = file.kind
        let sections = kind == .library ? file.sections() : nil
        exportsSymbol = symbol.flatMap { symbol in sections.flatMap { file.exports(Array(symbol.utf8), $0) } }
        let dynamic = sections.flatMap { file.dynamic($0) }
        searchPath = dynamic.flatMap { ($0[29] ?? $0[15])?.last }.map(Self.list) ?? []
        needed = dynamic?[1] ?? []
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ":").map(String.init) }

    /// One entry of the section table.
    private struct Section {
        var type: Int
        var offset: Int
        var size: Int
        var link: Int
    }

    private struct Tables {
        let descriptor: CInt

        var kind: Kind {
            guard let header = bytes(at: 0, count: SharedLibrary.headerSize),
                header.starts(with: [0x7F, 0x45, 0x4C, 0x46])
            else {
                return .other
            }
            let program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
            defer { if program >= 0 { close(program) } }
            // Class, byte order and machine; only 64-bit little-endian files are read.
            guard let own = Tables(descriptor: program).bytes(at: 0, count: SharedLibrary.headerSize), header[4] == 2,
                header[5] == 1,
                own[4...5] == header[4...5], own[18...19] == header[18...19]
            else { return .foreign }
            return header[16] == 3 && header[17] == 0 ? .library : .program
        }

        func sections() -> [Section]? {
            guard let header = bytes(at: 0, count: SharedLibrary.headerSize), let start = Tables.number(header, 40, 8),
                let size = Tables.number(header, 58, 2), let count = Tables.number(header, 60, 2), size >= 64,
                count > 0,
                let table = bytes(at: start, count: size * count)
            else { return nil }
            return (0..<count).map { index in
                func field(_ offset: Int, _ width: Int) -> Int {
                    Tables.number(table, index * size + offset, width) ?? -1
                }
                return Section(type: field(4, 4), offset: field(24, 8), size: field(32, 8), link: field(40, 4))
            }
        }

        func exports(_ name: [UInt8], _ sections: [Section]) -> Bool? {
            // 11: the dynamic symbols, in entries of 24 bytes.
            guard let (table, strings) = linked(11, sections) else { return nil }
            let wanted = name + [0]
            for symbol in stride(from: 0, to: table.count - 23, by: 24) {
                guard let place = Tables.number(table, symbol, 4), place <= strings.count - wanted.count else {
                    continue
                }
                let (binding, visibility) = (table[symbol + 4] >> 4, table[symbol + 5] & 3)
                let isDefined = table[symbol + 6] != 0 || table[symbol + 7] != 0
                // Global or weak; default or protected.
                if isDefined, [1, 2].contains(binding), [0, 3].contains(visibility),
                    strings[place..<place + wanted.count].elementsEqual(wanted)
                {
                    return true
                }
            }
            return false
        }

        /// The texts of the dynamic section by their tags: 1 for dependencies, 15 and 29 for their search path.
        func dynamic(_ sections: [Section]) -> [Int: [String]]? {
            // 6: the dynamic section, in entries of a tag and a value.
            guard let (table, strings) = linked(6, sections) else { return nil }
            var found: [Int: [String]] = [:]
            for entry in stride(from: 0, to: table.count - 15, by: 16) {
                guard let tag = Tables.number(table, entry, 8), [1, 15, 29].contains(tag),
                    let place = Tables.number(table, entry + 8, 8), place < strings.count,
                    let text = String(validating: strings[place...].prefix { $0 != 0 }, as: UTF8.self)
                else { continue }
                found[tag, default: []].append(text)
            }
            return found
        }

        /// The content of the only section of a type, and of the section with its texts.
        private func linked(_ type: Int, _ sections: [Section]) -> ([UInt8], [UInt8])? {
            guard let section = sections.first(where: { $0.type == type }), sections.indices.contains(section.link),
                let table = bytes(at: section.offset, count: section.size),
                let strings = bytes(at: sections[section.link].offset, count: sections[section.link].size)
            else { return nil }
            return (table, strings)
        }

        func bytes(at offset: Int, count: Int) -> [UInt8]? {
            guard descriptor >= 0, offset >= 0, count > 0, count <= SharedLibrary.limit else { return nil }
            var buffer = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let taken = buffer.withUnsafeMutableBytes { bytes in
                    pread(descriptor, bytes.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
                }
                guard taken > 0 else { return nil }
                done += taken
            }
            return buffer
        }

        /// A little-endian number; nil if it is outside the bytes or too large for a file offset.
        static func number(_ bytes: [UInt8], _ offset: Int, _ width: Int) -> Int? {
            guard offset >= 0, offset + width <= bytes.count else { return nil }
            let value = bytes[offset..<offset + width].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return value <= UInt64(Int32.max) << 8 ? Int(value) : nil
        }
    }
}
