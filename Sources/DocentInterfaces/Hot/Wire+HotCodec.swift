extension Wire.ItemReference {
    init?(_ scanner: inout JSONScanner) {
        var provider: String?
        var domain: String?
        var identifier: String?
        let whole = scanner.object { key, scanner in
            switch key {
            case "provider": provider = scanner.string(); return provider != nil
            case "domain": domain = scanner.string(); return domain != nil
            case "identifier": identifier = scanner.string(); return identifier != nil
            default: return scanner.skip()
            }
        }
        guard whole, let provider, let domain, let identifier else { return nil }
        self.init(provider: provider, domain: domain, identifier: identifier)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONText.appendKey("provider", first: true, to: &bytes)
        JSONText.append(provider, to: &bytes)
        JSONText.appendKey("domain", to: &bytes)
        JSONText.append(domain, to: &bytes)
        JSONText.appendKey("identifier", to: &bytes)
        JSONText.append(identifier, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}

extension Wire.Item {
    init?(_ scanner: inout JSONScanner) {
        var reference: Wire.ItemReference?
        var item = Wire.Item(
            reference: .init(provider: "", domain: "", identifier: ""), name: "", contentType: "", isFolder: false,
            isDownloaded: false, isUploaded: false)
        var seen = 0
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            func required<Value>(_ value: Value?, _ path: WritableKeyPath<Wire.Item, Value>) -> Bool {
                guard let value else { return false }
                item[keyPath: path] = value
                seen += 1
                return true
            }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "name": return required(scanner.string(), \.name)
            case "contentType": return required(scanner.string(), \.contentType)
            case "isFolder": return required(scanner.boolean(), \.isFolder)
            case "isDownloaded": return required(scanner.boolean(), \.isDownloaded)
            case "isUploaded": return required(scanner.boolean(), \.isUploaded)
            case "parent": item.parent = scanner.string(); return item.parent != nil
            case "path": item.path = scanner.string(); return item.path != nil
            case "version": item.version = scanner.string(); return item.version != nil
            case "size": item.size = scanner.integer(); return item.size != nil
            case "modificationDate": item.modificationDate = scanner.number(); return item.modificationDate != nil
            case "creationDate": item.creationDate = scanner.number(); return item.creationDate != nil
            default: return scanner.skip()
            }
        }
        guard whole, seen == 5, let reference else { return nil }
        item.reference = reference
        self = item
    }

    /// The item as JSON bytes, as the ordinary encoder would write it up to the order of members.
    package var hotJSON: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        bytes.append(UInt8(ascii: "{"))
        JSONText.appendKey("reference", first: true, to: &bytes)
        reference.append(to: &bytes)
        func text(_ key: StaticString, _ value: String?) {
            guard let value else { return }
            JSONText.appendKey(key, to: &bytes)
            JSONText.append(value, to: &bytes)
        }
        func plain(_ key: StaticString, _ value: String?) {
            guard let value else { return }
            JSONText.appendKey(key, to: &bytes)
            bytes += Array(value.utf8)
        }
        text("name", name)
        text("contentType", contentType)
        text("parent", parent)
        text("path", path)
        text("version", version)
        plain("size", size.map(String.init))
        plain("modificationDate", modificationDate.flatMap { $0.isFinite ? String($0) : nil })
        plain("creationDate", creationDate.flatMap { $0.isFinite ? String($0) : nil })
        plain("isFolder", String(isFolder))
        plain("isDownloaded", String(isDownloaded))
        plain("isUploaded", String(isUploaded))
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}
