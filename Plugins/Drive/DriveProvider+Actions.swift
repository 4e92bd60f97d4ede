import DriveStore
import FileProvider

extension DriveProvider {
    /// How long an invitation is good at most, and if the person does not say. The guest's host waits no longer.
    private static let mostMinutes: Int64 = 10

    /// What the commands of `docent drive` ask for.
    ///
    /// - `invite` (`minutes`) makes an invitation: `code`, `expires` in milliseconds since 1970.
    /// - `guest` (`code`) says who used it: `state` is `waiting`, `asking` with `name` and `key`, or `ended`.
    /// - `admit` (`code`, `key`) lets that guest in.
    /// - `withdraw` (`code`) ends the invitation.
    /// - `remove` (`machine`, an identifier; `phrase`) takes a machine out of the drive: `state` is `removed`, or
    ///   `phrase` if the recovery phrase is needed.
    /// - `gc` (`keepDays`, `dryRun`) removes what nobody needs: `state`, `packs`, `bytes`, `items`, and a row for each
    ///   machine that has to acknowledge.
    /// - `repair` (`from`) checks like `check` and mends; a row with `mended` or `problem` for each object.
    /// - `devices` lists the machines, `status` describes the drive, `check` (`from`) verifies a part of it.
    package func perform(_ action: String, arguments: [String: String]) async throws -> [[String: String]] {
        let opened = try opened()
        switch action {
        case "invite": return try await invite(opened, minutes: arguments["minutes"])
        case "guest": return try await guest(opened, try Self.invitation(arguments))
        case "admit": return try await admit(opened, try Self.invitation(arguments), key: arguments["key"])
        case "withdraw":
            let invitation = try Self.invitation(arguments)
            try await drive { () async throws(DriveError) in try await invitation.clear(opened.store) }
            return []
        case "remove": return try await remove(opened.device, arguments)
        case "devices": return try await devices(opened.device)
        case "status": return try await status(opened)
        case "gc": return try await collect(opened.device, arguments)
        case "repair": return try await repair(opened.device, from: arguments["from"])
        case "check": return try await check(opened.device, from: arguments["from"])
        default: throw FileProviderError(.notSupported, "A drive has no action \(action).")
        }
    }

    private static func invitation(_ arguments: [String: String]) throws -> Invitation {
        do throws(DriveError) { return try Invitation(arguments["code"] ?? "") } catch {
            throw FileProviderError(.invalidArgument, error.explanation)
        }
    }

    private func invite(_ opened: Opened, minutes: String?) async throws -> [[String: String]] {
        let minutes = minutes.flatMap { Int64($0) } ?? Self.mostMinutes
        guard (1...Self.mostMinutes).contains(minutes) else {
            throw FileProviderError(
                .invalidArgument, "An invitation is good for 1 to \(Self.mostMinutes) minutes.")
        }
        let invitation = Invitation.new()
        let expires = DriveClock.milliseconds() + minutes * 60_000
        try await drive { () async throws(DriveError) in
            try await invitation.announce(opened.store, until: expires)
        }
        return [["code": invitation.text, "expires": String(expires)]]
    }

    private func guest(_ opened: Opened, _ invitation: Invitation) async throws -> [[String: String]] {
        guard try await isOpen(opened, invitation) else { return [["state": "ended"]] }
        let guest = try await drive { () async throws(DriveError) in try await invitation.guest(opened.store) }
        guard let guest else { return [["state": "waiting"]] }
        return [["state": "asking", "name": guest.name, "key": guest.fingerprint]]
    }

    private func isOpen(_ opened: Opened, _ invitation: Invitation) async throws -> Bool {
        let expires = try await drive { () async throws(DriveError) in try await invitation.expiry(opened.store) }
        return expires.map { $0 > DriveClock.milliseconds() } ?? false
    }

    private func admit(_ opened: Opened, _ invitation: Invitation, key: String?) async throws -> [[String: String]] {
        guard try await isOpen(opened, invitation) else {
            throw FileProviderError(.invalidArgument, "The invitation has ended.")
        }
        // What this machine has seen of the others protects the guest from a store that shows it something older.
        try await synchronize(opened.device)
        let view = await opened.device.view
        let guest = try await drive { () async throws(DriveError) in try await invitation.guest(opened.store) }
        guard let guest, guest.fingerprint == key else {
            throw FileProviderError(.invalidArgument, "That machine does not ask to come in any more.")
        }
        try await drive { () async throws(DriveError) in
            try await invitation.admit(guest, to: opened.store, keys: await opened.device.keys, view: view)
        }
        return []
    }

    private func devices(_ device: DriveDevice) async throws -> [[String: String]] {
        try await synchronize(device)
        return await device.deviceSummaries.map { machine in
            var row = [
                "identifier": machine.identifier.description, "name": machine.name, "joined": String(machine.joined),
                "isThis": machine.isThis ? "yes" : "no", "records": String(machine.position.count),
                "fingerprint": Hexadecimal.text(machine.position.chain.prefix(6)),
            ]
            row["removed"] = machine.removed.map { String($0) }
            if machine.isClosed && machine.removed == nil { row["closed"] = "yes" }
            row["problem"] = machine.problem?.explanation
            return row
        }
    }

    private func status(_ opened: Opened) async throws -> [[String: String]] {
        let device = opened.device
        var problem: String?
        do { try await synchronize(device) } catch let error as FileProviderError { problem = error.message }
        let summary = await device.summary
        var row = [
            "drive": await opened.device.keys.drive.description, "store": storeName,
            "documents": String(summary.documents),
            "folders": String(summary.folders), "bytes": String(summary.bytes), "trashed": String(summary.trashed),
            "conflicts": String(summary.conflicts), "unarrived": String(summary.unarrived),
            "unsent": String(summary.unsent), "devices": String(summary.devices), "name": device.name,
        ]
        row["unreachable"] = problem
        let alarms = await device.alarms.map { ["object": $0.subject, "problem": $0.error.explanation] }
        return [row] + alarms.sorted { ($0["object"] ?? "") < ($1["object"] ?? "") }
    }

    private func check(_ device: DriveDevice, from cursor: String?) async throws -> [[String: String]] {
        let step = try await drive { () async throws(DriveError) in try await device.check(from: cursor) }
        var row = ["done": String(step.done), "total": String(step.total), "bytes": String(step.bytes)]
        row["next"] = step.next
        return [row] + step.problems.map { ["object": $0.object, "problem": $0.error.explanation] }
    }
}
