extension SpineEntry {
    /// Archives, compressed files and disk images.
    static let archives: [SpineEntry] = [
        SpineEntry(
            "com.pkware.zip-archive", "data archive public.zip-archive", extensions: "zip",
            mime: "application/zip application/x-zip-compressed", "ZIP archive"),
        // The two names for ZIP are the same type: each conforms to the other.
        SpineEntry("public.zip-archive", "com.pkware.zip-archive", "ZIP archive"),
        SpineEntry(
            "org.gnu.gnu-zip-archive", "data archive", extensions: "gz gzip",
            mime: "application/gzip application/x-gzip",
            "gzip archive"),
        SpineEntry(
            "org.gnu.gnu-zip-tar-archive", "org.gnu.gnu-zip-archive", extensions: "tgz tar.gz",
            mime: "application/x-compressed-tar", "gzip-compressed tar archive"),
        SpineEntry(
            "public.bzip2-archive", "data archive", extensions: "bz2 bz",
            mime: "application/x-bzip2 application/x-bzip application/bzip2",
            "bzip2 archive"),
        SpineEntry(
            "public.tar-bzip2-archive", "public.bzip2-archive", extensions: "tbz2 tbz tar.bz2",
            mime: "application/x-bzip-compressed-tar", "bzip2-compressed tar archive"),
        SpineEntry("org.tukaani.xz-archive", "data archive", extensions: "xz", mime: "application/x-xz", "xz archive"),
        SpineEntry(
            "org.tukaani.tar-xz-archive", "org.tukaani.xz-archive", extensions: "txz tar.xz",
            mime: "application/x-xz-compressed-tar", "xz-compressed tar archive"),
        SpineEntry(
            "com.facebook.zstandard-archive", "data archive", extensions: "zst", mime: "application/zstd",
            "Zstandard archive"),
        SpineEntry("public.tar-archive", "data archive", extensions: "tar", mime: "application/x-tar", "tar archive"),
        SpineEntry(
            "public.cpio-archive", "data archive", extensions: "cpio", mime: "application/x-cpio", "cpio archive"),
        SpineEntry(
            "public.z-archive", "data archive", extensions: "z", mime: "application/x-compress", "compress archive"),
        SpineEntry(
            "org.7-zip.7-zip-archive", "data archive", extensions: "7z", mime: "application/x-7z-compressed",
            "7-Zip archive"),
        SpineEntry(
            "com.rarlab.rar-archive", "data archive", extensions: "rar", mime: "application/vnd.rar", "RAR archive"),
        SpineEntry("com.apple.archive", "data archive", extensions: "aar yaa", "Apple archive"),
        SpineEntry(
            "com.sun.java-archive", "data archive executable", extensions: "jar", mime: "application/x-java-archive",
            "Java archive"),
        SpineEntry(
            "org.debian.deb-archive", "data archive", extensions: "deb", mime: "application/vnd.debian.binary-package",
            "Debian package"),
        SpineEntry(
            "com.redhat.rpm-archive", "data archive", extensions: "rpm", mime: "application/x-rpm", "RPM package"),
        SpineEntry(
            "com.android.package-archive", "data archive", extensions: "apk",
            mime: "application/vnd.android.package-archive", "Android package"),
        SpineEntry(
            "public.iso-image", "data disk-image", extensions: "iso", mime: "application/x-cd-image", "ISO image"),
        SpineEntry(
            "com.apple.disk-image-udif", "data disk-image", extensions: "dmg", mime: "application/x-apple-diskimage",
            "disk image"),
        SpineEntry(
            "public.raw-disk-image", "data disk-image", extensions: "img", mime: "application/x-raw-disk-image",
            "raw disk image"),
    ]
}
