import Testing

@testable import MountedView

/// What /proc says about the files and folders that programs watch.
@Suite struct InotifyWatchesTests {
    @Test("the watches of a descriptor are those on the device")
    func watched() {
        let text = """
            pos:\t0
            flags:\t02000000
            mnt_id:\t15
            inotify wd:3 ino:7f0000000000002a sdev:39 mask:fce ignored_mask:0 fhandle-bytes:c fhandle-type:81 f_handle:2a
            inotify wd:2 ino:10 sdev:800013 mask:fce ignored_mask:0
            inotify wd:1 ino:zz sdev:39
            inotify wd:1 ino:11
            inotify
            """
        // A device number as stat shows it: the minor number is split.
        #expect(InotifyWatches.watched(in: text, on: 0x39) == [0x7f00_0000_0000_002a])
        #expect(InotifyWatches.watched(in: text, on: 8 << 8 | 0x13) == [0x10])
        #expect(InotifyWatches.watched(in: text, on: 1 << 20 | 0x39).isEmpty)
        #expect(InotifyWatches.watched(in: "", on: 0x39).isEmpty)
    }

    @Test("a minor number of more than eight bits is compared as a whole")
    func largeMinor() {
        // Minor 0x1ff: 0x100000 and 0xff in the form of stat.
        #expect(InotifyWatches.watched(in: "inotify wd:1 ino:5 sdev:1ff mask:1", on: 0x10_00ff) == [5])
    }
}
