/// Contents in a write session that will not be committed: the daemon keeps them when the client ends for any reason.
struct UncommittedContents: KeptContents {
    let session: WriteSession

    @concurrent func drop() async { try? await session.abandon() }
}
