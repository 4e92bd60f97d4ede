import Documents
import Synchronization

/// Performs the effects of the picker, each in a task of its own. Thread-safe.
final class PickerJobs: Sendable {
    /// Jobs of one kind replace each other.
    private enum Kind: Hashable {
        case listing
        case preview
        case space
        case work
        case arming
    }

    /// How long the cursor rests before something is read for what is under it.
    private static let rest: Duration = .milliseconds(120)
    /// How long the confirming key is visible before it counts.
    private static let arming: Duration = .milliseconds(500)

    private let source: any PickerSource
    private let post: @Sendable (PickerEvent) -> Void
    private let running = Mutex<[Kind: Task<Void, Never>]>([:])

    init(source: any PickerSource, post: @escaping @Sendable (PickerEvent) -> Void) {
        self.source = source
        self.post = post
    }

    func cancelAll() {
        let tasks = running.withLock { running in
            defer { running = [:] }
            return running.values
        }
        for task in tasks { task.cancel() }
    }

    /// Performs an effect that concerns neither the terminal nor the end.
    func perform(_ effect: PickerEffect) {
        switch effect {
        case .loadAccounts(let serial): loadAccounts(serial)
        case .list(let location, let serial): list(location, serial)
        case .listShortcut(let shortcut, let serial): list(shortcut, serial)
        case .search(let text, let serial): search(text, serial)
        case .preview(let location, let type, let serial): preview(location, type, serial)
        case .measure(let provider, let domain):
            start(.space) { source, post in
                try? await Task.sleep(for: Self.rest)
                guard !Task.isCancelled, let space = await source.space(provider: provider, domain: domain) else {
                    return
                }
                post(.space(space, provider: provider, domain: domain))
            }
        case .follow(let location, let serial):
            work(serial) { source throws(DocumentsError) in .followed(try await source.follow(location), serial: serial)
            }
        case .lookUp(let location, let serial):
            work(serial) { source throws(DocumentsError) in
                .lookedUp(try await source.lookUp(location), serial: serial)
            }
        case .makeFolder(let folder, let name, let serial):
            work(serial) { source throws(DocumentsError) in
                try await source.makeFolder(in: folder, name: name)
                return .madeFolder(name: name, serial: serial)
            }
        case .download(let locations, let serial):
            let post = post
            work(serial) { source throws(DocumentsError) in
                for location in locations {
                    try await source.download(location) { post(.progressed($0, serial: serial)) }
                }
                return .worked(serial: serial)
            }
        case .commit(let outcome, let serial):
            work(serial) { source throws(DocumentsError) in
                try await source.commit(outcome)
                return .worked(serial: serial)
            }
        case .cancelWork: end(.work)
        case .arm(let serial):
            start(.arming) { _, post in
                try? await Task.sleep(for: Self.arming)
                if !Task.isCancelled { post(.armed(serial: serial)) }
            }
        case .remember, .signIn, .redraw, .suspend, .finish: break
        }
    }

    private func loadAccounts(_ serial: Int) {
        start(.listing) { source, post in
            do throws(DocumentsError) {
                async let shortcuts = source.shortcuts()
                post(.accounts(try await source.accounts(), shortcuts: await shortcuts, serial: serial))
            } catch { post(.listingFailed(error, serial: serial)) }
        }
    }

    private func list(_ location: DocumentLocation, _ serial: Int) {
        start(.listing) { source, post in
            do throws(DocumentsError) {
                try await source.list(location) { entries, remembered, isLast in
                    post(.page(entries, remembered: remembered, isLast: isLast, serial: serial))
                }
            } catch { post(.listingFailed(error, serial: serial)) }
        }
    }

    private func list(_ shortcut: PickerShortcut, _ serial: Int) {
        start(.listing) { source, post in
            do throws(DocumentsError) {
                post(.page(try await source.list(shortcut), remembered: nil, isLast: true, serial: serial))
            } catch { post(.listingFailed(error, serial: serial)) }
        }
    }

    private func search(_ text: String, _ serial: Int) {
        start(.listing) { source, post in
            do throws(DocumentsError) {
                let end = try await source.search(text) { entries in
                    post(.page(entries, remembered: nil, isLast: false, serial: serial))
                }
                post(.searched(gaps: end.gaps, isCut: end.isCut, serial: serial))
            } catch { post(.listingFailed(error, serial: serial)) }
        }
    }

    private func preview(_ location: DocumentLocation?, _ type: String, _ serial: Int) {
        guard let location else { return end(.preview) }
        start(.preview) { source, post in
            try? await Task.sleep(for: Self.rest)
            guard !Task.isCancelled, let lines = await source.preview(location, contentType: type) else { return }
            post(.preview(lines, serial: serial))
        }
    }

    private func work(
        _ serial: Int, _ body: @escaping @Sendable (any PickerSource) async throws(DocumentsError) -> PickerEvent
    ) {
        start(.work) { source, post in
            do throws(DocumentsError) {
                post(try await body(source))
            } catch { post(.failed(error, serial: serial)) }
        }
    }

    private func start(
        _ kind: Kind, _ body: @escaping @Sendable (any PickerSource, @Sendable (PickerEvent) -> Void) async -> Void
    ) {
        let task = Task { [source, post] in await body(source, post) }
        running.withLock { $0.updateValue(task, forKey: kind) }?.cancel()
    }

    private func end(_ kind: Kind) { running.withLock { $0.removeValue(forKey: kind) }?.cancel() }
}
