import Documents

/// Commands that cause the known deadlocks (SEMANTICS 2.9).
extension ProbeCommand {
    func nest(_ probe: ProbeState) async throws {
        let first = try await probe.reference(self[1])
        let second = try await probe.reference(self[3])
        try await access(self[0], first, probe.coordinator(id)) {
            probe.tell(id, "granted")
            await probe.wait(id)
            try await access(self[2], second, probe.coordinator(id + "+")) { probe.tell(id, "both") }
        }
        probe.tell(id, "released")
    }

    private func access(
        _ kind: String, _ reference: DocumentReference, _ coordinator: FileCoordinator,
        _ body: () async throws -> Void
    ) async throws {
        if kind == "write" {
            try await coordinator.coordinate(writingItemAt: reference) { _ in try await body() }
        } else {
            try await coordinator.coordinate(
                readingItemAt: reference, options: .immediatelyAvailableMetadataOnly
            ) { _ in try await body() }
        }
    }

    func late(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let (session, access) = try await probe.coordinator(id).coordinate(writingItemAt: reference) { access in
            let session = try await access.session(replacing: true)
            try Self.put(self[1], session.descriptor)
            return (session, access)
        }
        // The accessor's return has committed it.
        probe.tell(id, "returned", session.isOpen ? "open" : "ended", "\(session.descriptor)")
        do {
            let second = try await access.session(replacing: true)
            try Self.put("late", second.descriptor)
            try await second.commit()
            probe.tell(id, "written")
        } catch {
            probe.tell(id, "refused", (error as? DocumentsError)?.code.rawValue ?? "\(error)")
        }
    }

    func blockMain(_ probe: ProbeState) async throws {
        let reference = try await probe.reference(self[0])
        let text = try await MainActor.run {
            try probe.coordinator(id).coordinateBlocking(readingItemAt: reference) { try Self.text($0.descriptor) }
        }
        probe.tell(id, "read", text)
    }
}
