import Glibc

/// The kind of a manifest's principal class.
enum PrincipalClass: Sendable {
    case replicated(any ReplicatedFileProvider.Type)
    case classic(FileProviderExtension.Type)
    case picker(DocumentPickerExtension.Type)

    /// Finds a type by the name in the manifest: `Module.Class`, `Module.Outer.Class`, or `Class` alone in the module
    /// that the library is named after.
    ///
    /// - Throws: ``FileProviderError`` that names the class, when there is no such type or it has none of the required
    ///   kinds.
    init(named name: String?) throws {
        guard let name, !name.isEmpty else {
            throw FileProviderError(
                .invalidArgument, "The manifest names no principal class (NSExtensionPrincipalClass).")
        }
        guard let type = Self.find(name) else {
            throw FileProviderError(.invalidArgument, "The library has no class \(name), which the manifest names.")
        }
        switch type {
        case let type as any ReplicatedFileProvider.Type: self = .replicated(type)
        case let type as FileProviderExtension.Type: self = .classic(type)
        case let type as DocumentPickerExtension.Type: self = .picker(type)
        default:
            throw FileProviderError(
                .invalidArgument,
                "\(name) is neither a ReplicatedFileProvider, a FileProviderExtension nor a DocumentPickerExtension.")
        }
    }

    private static func find(_ name: String) -> Any.Type? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 > 0x20 } }) else { return nil }
        if parts.count > 1, let type = find(parts) { return type }
        for module in libraryModules() {
            if let type = find([module] + parts) { return type }
        }
        return nil
    }

    private static func find(_ parts: [String]) -> Any.Type? {
        if parts.count == 2, let type = _typeByName(parts.joined(separator: ".")) { return type }
        guard parts.count <= 5 else { return nil }
        // The mangled form states for each context whether it is a class, structure or enumeration.
        var candidates = [parts[0].mangled]
        for part in parts.dropFirst() {
            candidates = candidates.flatMap { outer in ["C", "V", "O"].map { outer + part.mangled + $0 } }
        }
        for candidate in candidates {
            if let type = _typeByName(candidate) { return type }
        }
        return nil
    }

    /// The module names that the library with this code may stand for. The host passes full names, so this is only for
    /// a manifest that is used without one.
    private static func libraryModules() -> [String] {
        let maps = memoryMap()
        let address = UInt(bitPattern: #dsohandle)
        for line in maps.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 5)
            let range = parts[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard parts.count == 6, range.count == 2, (range[0]..<range[1]).contains(address) else { continue }
            guard let file = parts[5].split(separator: "/").last?.split(separator: ".").first else { return [] }
            let name = String(file.map { $0.isLetter || $0.isNumber ? $0 : "_" })
            return name.hasPrefix("lib") ? [String(name.dropFirst(3)), name] : [name]
        }
        return []
    }

    // Not read with Foundation, which takes a short read of this file for its end.
    private static func memoryMap() -> String {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: text, as: UTF8.self) }
            text.append(contentsOf: buffer[..<count])
        }
    }
}

extension String {
    fileprivate var mangled: String { "\(utf8.count)\(self)" }
}
