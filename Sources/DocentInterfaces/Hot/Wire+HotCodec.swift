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
        var (name, contentType): (String?, String?)
        var (isFolder, isDownloaded, isUploaded): (Bool?, Bool?, Bool?)
        var (parent, path, version): (String?, String?, String?)
        var (uploadState, uploadError, thumbnail): (String?, String?, String?)
        var (formerVersion, symbolicLinkTarget): (String?, String?)
        var (isPinned, isStale, ignoresCase): (Bool?, Bool?, Bool?)
        var (size, conflicts): (Int?, Int?)
        var (modificationDate, creationDate): (Double?, Double?)
        let whole = scanner.object { key, scanner in
            if scanner.null() { return true }
            switch key {
            case "reference": reference = Wire.ItemReference(&scanner); return reference != nil
            case "name": name = scanner.string(); return name != nil
            case "contentType": contentType = scanner.string(); return contentType != nil
            case "isFolder": isFolder = scanner.boolean(); return isFolder != nil
            case "isDownloaded": isDownloaded = scanner.boolean(); return isDownloaded != nil
            case "isUploaded": isUploaded = scanner.boolean(); return isUploaded != nil
            case "parent": parent = scanner.string(); return parent != nil
            case "path": path = scanner.string(); return path != nil
            case "version": version = scanner.string(); return version != nil
            case "uploadState": uploadState = scanner.string(); return uploadState != nil
            case "uploadError": uploadError = scanner.string(); return uploadError != nil
            case "formerVersion": formerVersion = scanner.string(); return formerVersion != nil
            case "symbolicLinkTarget": symbolicLinkTarget = scanner.string(); return symbolicLinkTarget != nil
            case "ignoresCase": ignoresCase = scanner.boolean(); return ignoresCase != nil
            case "thumbnail": thumbnail = scanner.string(); return thumbnail != nil
            case "isPinned": isPinned = scanner.boolean(); return isPinned != nil
            case "isStale": isStale = scanner.boolean(); return isStale != nil
            case "conflicts": conflicts = scanner.integer(); return conflicts != nil
            case "size": size = scanner.integer(); return size != nil
            case "modificationDate": modificationDate = scanner.number(); return modificationDate != nil
            case "creationDate": creationDate = scanner.number(); return creationDate != nil
            default: return scanner.skip()
            }
        }
        guard whole, let reference, let name, let contentType, let isFolder, let isDownloaded, let isUploaded else {
            return nil
        }
        self.init(
            reference: reference, parent: parent, name: name, path: path, contentType: contentType, size: size,
            modificationDate: modificationDate, creationDate: creationDate, isFolder: isFolder,
            isDownloaded: isDownloaded, isUploaded: isUploaded, version: version, uploadState: uploadState,
            uploadError: uploadError, isPinned: isPinned, isStale: isStale, conflicts: conflicts, thumbnail: thumbnail,
            formerVersion: formerVersion, symbolicLinkTarget: symbolicLinkTarget, ignoresCase: ignoresCase)
    }

    /// The item as JSON. It equals the ordinary encoder's output except for the order of the members.
    package var hotJSON: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(to: &bytes)
        return bytes
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        JSONText.appendKey("reference", first: true, to: &bytes)
        reference.append(to: &bytes)
        JSONText.appendMember("name", text: name, to: &bytes)
        JSONText.appendMember("contentType", text: contentType, to: &bytes)
        JSONText.appendMember("parent", text: parent, to: &bytes)
        JSONText.appendMember("path", text: path, to: &bytes)
        JSONText.appendMember("version", text: version, to: &bytes)
        JSONText.appendMember("formerVersion", text: formerVersion, to: &bytes)
        JSONText.appendMember("size", integer: size, to: &bytes)
        JSONText.appendMember("modificationDate", number: modificationDate, to: &bytes)
        JSONText.appendMember("creationDate", number: creationDate, to: &bytes)
        JSONText.appendMember("isFolder", flag: isFolder, to: &bytes)
        JSONText.appendMember("isDownloaded", flag: isDownloaded, to: &bytes)
        JSONText.appendMember("isUploaded", flag: isUploaded, to: &bytes)
        JSONText.appendMember("uploadState", text: uploadState, to: &bytes)
        JSONText.appendMember("uploadError", text: uploadError, to: &bytes)
        JSONText.appendMember("isPinned", flag: isPinned, to: &bytes)
        JSONText.appendMember("isStale", flag: isStale, to: &bytes)
        JSONText.appendMember("conflicts", integer: conflicts, to: &bytes)
        JSONText.appendMember("thumbnail", text: thumbnail, to: &bytes)
        JSONText.appendMember("symbolicLinkTarget", text: symbolicLinkTarget, to: &bytes)
        JSONText.appendMember("ignoresCase", flag: ignoresCase, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
    }
}
