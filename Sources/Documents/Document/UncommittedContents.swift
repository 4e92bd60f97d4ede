/// Contents in a write session that nobody means to commit: when its client ends, however it does, the daemon keeps them (W0).
struct UncommittedContents: KeptContents {
    let session: WriteSession

    @concurrent func drop() async { try? await session.abandon() }
}
