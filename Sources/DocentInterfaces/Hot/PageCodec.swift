/// Hand-written encoding and decoding of folder pages. A folder with a hundred thousand names crosses two sockets,
/// which took more than twice as long with the ordinary coders (docs/performance.md).
enum PageCodec {
    /// Encodes `{"items":[…],"nextPage":…}`.
    static func json<Item>(
        _ items: [Item], nextPage: String?, _ append: (Item, inout [UInt8]) -> Void
    ) -> [UInt8] {
        var bytes = Array(#"{"items":["#.utf8)
        bytes.reserveCapacity(items.count * 400 + 600)
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(item, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        JSONWriter.appendMember("nextPage", text: nextPage, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Decodes the same; nil for anything that it does not support.
    static func read<Item>(
        _ json: UnsafeBufferPointer<UInt8>, _ item: (inout JSONScanner) -> Item?
    ) -> (items: [Item], nextPage: String?)? {
        var scanner = JSONScanner(json)
        var items: [Item]?
        var nextPage: String?
        let whole = scanner.object { key, scanner in
            switch key {
            case "items":
                var found: [Item] = []
                let all = scanner.array { scanner in
                    guard let next = item(&scanner) else { return false }
                    found.append(next)
                    return true
                }
                items = found
                return all
            case "nextPage":
                if scanner.null() { return true }
                nextPage = scanner.string()
                return nextPage != nil
            // Rare, so left to the ordinary coders.
            case "remembered": return scanner.null()
            default: return scanner.skip()
            }
        }
        guard whole, let items else { return nil }
        return (items, nextPage)
    }
}

extension PickerInterface.ListFolder.Reply {
    /// The hand-written encoding; nil for a remembered listing, which the ordinary coder encodes.
    package var quickJSON: [UInt8]? {
        guard remembered == nil else { return nil }
        return PageCodec.json(items, nextPage: nextPage) { $0.append(to: &$1) }
    }

    /// The hand-written decoding; nil for JSON that it does not support.
    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        PageCodec.read(json, Wire.Item.init).map { Self(items: $0.items, nextPage: $0.nextPage) }
    }
}

extension DocumentsInterface.List.Reply {
    /// The hand-written encoding; nil for a remembered listing, which the ordinary coder encodes.
    package var quickJSON: [UInt8]? {
        guard remembered == nil else { return nil }
        return PageCodec.json(items, nextPage: nextPage) { $0.append(to: &$1) }
    }

    /// The hand-written decoding; nil for JSON that it does not support.
    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        PageCodec.read(json, Wire.Item.init).map { Self(items: $0.items, nextPage: $0.nextPage) }
    }
}

extension FileProviderInterface.Children.Reply {
    /// The hand-written encoding.
    package var quickJSON: [UInt8]? { PageCodec.json(items, nextPage: nextPage) { $0.append(to: &$1) } }

    /// The hand-written decoding; nil for JSON that it does not support.
    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {
        PageCodec.read(json, Wire.ProviderItem.init).map { Self(items: $0.items, nextPage: $0.nextPage) }
    }
}

extension Wire.ProviderItem {
    init?(_ scanner: inout JSONScanner) {
        var (identifier, parent, name): (String?, String?, String?)
        var (contentType, version, thumbnail, symbolicLinkTarget): (String?, String?, String?, String?)
        var size: Int?
        var (modificationDate, creationDate): (Double?, Double?)
        var (isFolder, isDownloaded, isUploaded, ignoresCase): (Bool?, Bool?, Bool?, Bool?)
        var capabilities: [String]?
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "identifier": identifier = scanner.string(); return identifier != nil
            case "parent": parent = scanner.string(); return parent != nil
            case "name": name = scanner.string(); return name != nil
            case "contentType": contentType = scanner.string(); return contentType != nil
            case "version": version = scanner.string(); return version != nil
            case "symbolicLinkTarget": symbolicLinkTarget = scanner.string(); return symbolicLinkTarget != nil
            case "ignoresCase": ignoresCase = scanner.boolean(); return ignoresCase != nil
            case "thumbnail": thumbnail = scanner.string(); return thumbnail != nil
            case "size": size = scanner.integer(); return size != nil
            case "modificationDate": modificationDate = scanner.number(); return modificationDate != nil
            case "creationDate": creationDate = scanner.number(); return creationDate != nil
            case "isFolder": isFolder = scanner.boolean(); return isFolder != nil
            case "isDownloaded": isDownloaded = scanner.boolean(); return isDownloaded != nil
            case "isUploaded": isUploaded = scanner.boolean(); return isUploaded != nil
            case "capabilities":
                var all: [String] = []
                let isWhole = scanner.array { scanner in
                    guard let one = scanner.string() else { return false }
                    all.append(one)
                    return true
                }
                capabilities = all
                return isWhole
            default: return scanner.skip()
            }
        }
        guard whole, let identifier, let parent, let name, let isFolder else { return nil }
        self.init(
            identifier: identifier, parent: parent, name: name, contentType: contentType, size: size,
            modificationDate: modificationDate, creationDate: creationDate, isFolder: isFolder, version: version,
            capabilities: capabilities, isDownloaded: isDownloaded, isUploaded: isUploaded, thumbnail: thumbnail,
            symbolicLinkTarget: symbolicLinkTarget, ignoresCase: ignoresCase)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONWriter.appendKey("identifier", first: true, to: &bytes)
        JSONWriter.append(identifier, to: &bytes)
        JSONWriter.appendMember("parent", text: parent, to: &bytes)
        JSONWriter.appendMember("name", text: name, to: &bytes)
        JSONWriter.appendMember("contentType", text: contentType, to: &bytes)
        JSONWriter.appendMember("size", integer: size, to: &bytes)
        JSONWriter.appendMember("modificationDate", number: modificationDate, to: &bytes)
        JSONWriter.appendMember("creationDate", number: creationDate, to: &bytes)
        JSONWriter.appendMember("isFolder", flag: isFolder, to: &bytes)
        JSONWriter.appendMember("version", text: version, to: &bytes)
        JSONWriter.appendMember("isDownloaded", flag: isDownloaded, to: &bytes)
        JSONWriter.appendMember("isUploaded", flag: isUploaded, to: &bytes)
        JSONWriter.appendMember("thumbnail", text: thumbnail, to: &bytes)
        JSONWriter.appendMember("symbolicLinkTarget", text: symbolicLinkTarget, to: &bytes)
        JSONWriter.appendMember("ignoresCase", flag: ignoresCase, to: &bytes)
        if let capabilities {
            JSONWriter.appendKey("capabilities", to: &bytes)
            bytes.append(UInt8(ascii: "["))
            for (index, one) in capabilities.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(one, to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        }
        bytes.append(UInt8(ascii: "}"))
    }
}
