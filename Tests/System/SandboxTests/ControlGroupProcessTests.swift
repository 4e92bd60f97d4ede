import DocentTestSupport
import ExtensionManifest
import Foundation
import Glibc
import ProcessLaunching
import Testing

@testable import ExtensionHosting

/// Extensions in the kernel's control groups, where this process's group belongs to this user: under `systemd --user`
/// with `Delegate=yes`, or where root has delegated it.
@Suite("An extension in a control group", .needs(.programs, within: .seconds(300))) struct ControlGroupProcessTests {
    /// The group of this process, if it may create others in it.
    static let own: String? = {
        let directory = ControlGroupPlace.directory(
            membership: ControlGroups.read("/proc/self/cgroup") ?? "",
            mounts: ControlGroups.read("/proc/self/mountinfo") ?? "")
        guard let directory, access(directory, W_OK) == 0, access(directory + "/cgroup.procs", W_OK) == 0 else {
            return nil
        }
        return directory
    }()

    /// Whether groups in it have the controllers.
    static let hasControllers: Bool = {
        let given = own.flatMap { ControlGroups.read($0 + "/cgroup.subtree_control") } ?? ""
        return ControlGroupPlace.needed.allSatisfy(
            given.split(whereSeparator: \.isWhitespace).map(String.init).contains)
    }()

    private static func members(_ directory: String) -> [Int32] {
        (ControlGroups.read(directory + "/cgroup.procs") ?? "").split(separator: "\n").compactMap { Int32($0) }
    }

    private static func groups(_ own: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: own)) ?? []).filter { $0.hasPrefix("extension-") }
    }

    @Test(
        "All of the extension's processes are in its group from the start, and the group is removed with them",
        .enabled(if: own != nil, "needs a control group that is this user's"))
    func membership() async throws {
        let own = try #require(Self.own)
        let world = try SandboxWorld(
            SandboxProcessTests.head + SandboxProcessTests.entry + """
                 {
                    if (fork() == 0) { setsid(); for (;;) pause(); }
                    (void)!write(context->socket, "end\\n", 4);
                    for (;;) pause();
                }
                """)
        var profile = world.profile()
        profile.limits = ProviderLimits()
        profile.spawn = ["/bin/true"]
        let before = Set(Self.groups(own))
        let process = try ExtensionProcess.start(profile, groups: ControlGroups(prepared: own) { _ in [] })
        #expect(await SandboxWorld.talk(process) == "end\n")
        let made = try #require(Self.groups(own).first { !before.contains($0) })
        let tree = ProcessTree.descendants(of: process.processIdentifier) + [process.processIdentifier]
        #expect(Set(Self.members(own + "/" + made)) == Set(tree))
        #expect(tree.count >= 4)
        process.terminate()
        _ = await process.waitForExit()
        #expect(await SandboxWorld.allEnd(tree))
        #expect(!Self.groups(own).contains(made))
    }

    @Test(
        "If the group cannot be created the start is refused",
        .enabled(if: own != nil, "needs a control group that is this user's"))
    func refused() async throws {
        let own = try #require(Self.own)
        let world = try SandboxWorld(SandboxProcessTests.waits)
        var profile = world.profile()
        profile.limits = ProviderLimits()
        let before = Self.groups(own)
        let groups = ControlGroups(prepared: own) { _ in [("no.such.file", "1", true)] }
        #expect(throws: (any Error).self) { try ExtensionProcess.start(profile, groups: groups) }
        #expect(Self.groups(own) == before)
    }

    @Test(
        "The kernel kills a process that exceeds its group's memory, and the reason is reported",
        .enabled(if: hasControllers, "needs a control group with the controllers memory and pids"))
    func memory() async throws {
        let own = try #require(Self.own)
        let world = try SandboxWorld(
            SandboxProcessTests.head + "#include <sys/mman.h>\n" + SandboxProcessTests.entry + """
                 {
                    (void)context;
                    for (;;) {
                        char *memory = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
                        if (memory != MAP_FAILED) memset(memory, 7, 1 << 24);
                    }
                }
                """)
        var profile = world.profile()
        profile.limits = ProviderLimits()
        profile.limits?.memory = 64 << 20
        let process = try ExtensionProcess.start(
            profile, groups: ControlGroups(prepared: own, settings: ControlGroupPlace.settings))
        #expect(await process.waitForExit() == .exceeded(.limit(.memory, 64 << 20)))
    }
}
