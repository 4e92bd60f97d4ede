/// The provider's files as the validator reaches them.
extension CaseContext {
    /// The storage of a running provider, opened beneath the directory of the case: the provider can write the storage
    /// and may have put anything in its place.
    ///
    /// - Throws: ``CallProblem`` when it is not there any more.
    func storage(of session: ProviderSession) throws -> ProviderFolder {
        let path = session.instance.visibleStorage
        let did = "Opening the storage of the provider"
        guard let folder, path == directory || path.utf8.starts(with: (directory + "/").utf8) else {
            throw CallProblem(did: did, kind: .own("\(PlainText.quoted(path)) is not in the directory of the case"))
        }
        let below = path.utf8.dropFirst(directory.utf8.count).drop { $0 == UInt8(ascii: "/") }
        guard let storage = folder.folder(String(decoding: below, as: UTF8.self)) else {
            throw CallProblem(
                did: did,
                kind: .brokenProtocol("there is no folder at \(PlainText.quoted(path)), or something is in its place"))
        }
        return storage
    }
}
