import Testing

@testable import HostCore

/// The AppArmor label and the cgroup of a Snap (I2).
@Suite struct SnapLabelTests {
    @Test(
        "I2: an enforced label snap.NAME.APP names the snap, with the key of a parallel instance",
        arguments: [
            ("snap.firefox.firefox (enforce)\n", "firefox"),
            ("snap.foo-bar2.app (enforce)", "foo-bar2"),
            ("snap.foo_test.app (enforce)", "foo_test"),
            ("snap.foo.hook.configure (enforce)\n", "foo"),
        ])
    func named(_ label: String, _ name: String) {
        #expect(SnapLabel(label)?.name == name)
    }

    @Test(
        "I2: no other label belongs to a snap",
        arguments: [
            nil, "", "unconfined\n", "snap.foo.app", "snap.foo.app (complain)", "snap.foo.app (kill)",
            "snap.foo (enforce)",
            "snap..app (enforce)", "snap.foo. (enforce)", "snapx.foo.app (enforce)", "/usr/bin/snap.foo.app (enforce)",
            "snap.foo.app//&unconfined (enforce)", "snap.foo.app//null-x (enforce)", "snap.FOO.app (enforce)",
            "snap.foo/../bar.app (enforce)", "snap.foo_a_b.app (enforce)", "snap.foo.app (enforce) (enforce)",
            "snap.\(String(repeating: "a", count: 300)).app (enforce)",
        ])
    func unnamed(_ label: String?) {
        #expect(SnapLabel(label) == nil)
    }

    @Test(
        "I2: the cgroup must belong to the same snap",
        arguments: [
            ("0::/user.slice/user-1000.slice/user@1000.service/app.slice/snap.foo.app-8f.scope\n", true),
            ("12:freezer:/snap.foo\n1:name=systemd:/snap.foo.app.1234.scope\n", true),
            ("0::/user.slice/snap.bar.app-8f.scope\n", false),
            ("0::/user.slice/snap.foo.app-1.scope/snap.bar.app-2.scope\n", false),
            ("0::/user.slice/session-1.scope\n", false),
            ("0::/user.slice/xsnap.foo.app.scope\n", false),
            ("snap.foo.app\n", false),
            ("", false),
        ])
    func cgroup(_ text: String, _ fits: Bool) throws {
        let label = try #require(SnapLabel("snap.foo.app (enforce)"))
        #expect(label.isIn(cgroups: text) == fits)
        #expect(!label.isIn(cgroups: nil))
    }
}
