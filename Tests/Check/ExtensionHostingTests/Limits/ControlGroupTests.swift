import DocentTestSupport
import Testing

@testable import ExtensionHosting
@testable import ExtensionManifest

/// Control groups: the decisions, their paths, and what is written to them. ControlGroupProcessTests uses real ones.
@Suite("Control groups", .mayBlock) struct ControlGroupTests {
    static let unified = "25 30 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    static let hybrid =
        "30 1 0:4 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
        + "31 1 0:5 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"

    @Test(
        "This process's group is found under the mount of version 2, and nowhere else",
        arguments: [
            ("0::/user.slice/docent.service\n", unified, "/sys/fs/cgroup/user.slice/docent.service"),
            ("0::/\n", unified, "/sys/fs/cgroup"),
            ("4:memory:/x\n0::/a\n", hybrid, "/sys/fs/cgroup/unified/a"),
            ("4:memory:/x\n", unified, nil), ("0::/a\n", "", nil),
            // In its own namespace, and in another one.
            ("0::/a/b\n", "25 30 0:23 /a /g rw - cgroup2 cgroup2 rw\n", "/g/b"),
            ("0::/ab\n", "25 30 0:23 /a /g rw - cgroup2 cgroup2 rw\n", nil),
            ("0::/../x\n", "25 30 0:23 /a /g rw - cgroup2 cgroup2 rw\n", nil),
        ] as [(String, String, String?)])
    func place(_ membership: String, _ mounts: String, _ expected: String?) {
        #expect(ControlGroupPlace.directory(membership: membership, mounts: mounts) == expected)
    }

    @Test(
        "A group is usable if it has the controllers and no other process",
        arguments: [
            ("cpu memory pids\n", "7\n", nil), ("memory pids\n", "", nil),
            ("cpu\n", "7\n", "no controller for memory and pids"), ("memory\n", "7\n", "no controller for pids"),
            ("memory pids\n", "7\n8\n", "other programs"),
        ] as [(String, String, String?)])
    func obstacle(_ controllers: String, _ members: String, _ expected: String?) {
        let obstacle = ControlGroupPlace.obstacle(controllers: controllers, members: members, process: 7)
        #expect((obstacle == nil) == (expected == nil))
        if let expected { #expect(obstacle?.contains(expected) == true) }
    }

    @Test("The limits apply to the whole group, swap included, and all processes end together")
    func settings() {
        var limits = ProviderLimits()
        limits.memory = 64 << 20
        limits.processes = 20
        let written = ControlGroupPlace.settings(limits).map { "\($0.file)=\($0.value)" }
        #expect(
            written == [
                "memory.max=67108864", "memory.swap.max=0", "memory.oom.group=1", "pids.max=23", "cpu.weight=50",
            ])
    }

    @Test(
        "Kills for memory are counted by their own line",
        arguments: [
            ("low 0\nhigh 0\nmax 9\noom 2\noom_kill 1\noom_group_kill 1\n", 1), ("oom 3\noom_kill 0\n", 0), ("", 0),
        ])
    func kills(_ text: String, _ expected: Int) { #expect(ControlGroupPlace.memoryKills(text) == expected) }

    @Test("If the group does not belong to this user, the reason is reported")
    func unavailable() {
        #expect(throws: ControlGroups.Unavailable.self) { try ControlGroups(directory: "/proc") }
        #expect(throws: ControlGroups.Unavailable.self) { try ControlGroups(directory: "/nonexistent") }
    }
}
