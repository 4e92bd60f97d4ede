extension SpineEntry {
    /// The physical and functional hierarchies, and the parts of a file system.
    static let structure: [SpineEntry] = [
        SpineEntry("public.item", "", "item"),
        SpineEntry("public.content", "", "content"),
        SpineEntry("public.composite-content", "content", "compound document"),
        SpineEntry("public.data", "item", mime: "application/octet-stream", "data"),
        SpineEntry("public.directory", "item", "directory"),
        SpineEntry("public.folder", "directory", mime: "inode/directory", "folder"),
        SpineEntry("public.volume", "folder", mime: "inode/mount-point", "volume"),
        SpineEntry("com.apple.resolvable", "", "resolvable"),
        SpineEntry("public.symlink", "item com.apple.resolvable", mime: "inode/symlink", "symbolic link"),
        SpineEntry("com.apple.mount-point", "item com.apple.resolvable", "mount point"),
        SpineEntry("com.apple.alias-file", "data com.apple.resolvable", "alias"),
        SpineEntry("com.apple.bookmark", "data com.apple.resolvable", "bookmark"),
        SpineEntry("public.url", "data", "URL"),
        SpineEntry("public.file-url", "url", "file URL"),
        SpineEntry("public.url-name", "", "URL name"),
        SpineEntry("com.apple.package", "directory", "package"),
        SpineEntry("com.apple.bundle", "directory", "bundle"),
        SpineEntry("com.apple.plugin", "com.apple.package com.apple.bundle", extensions: "plugin", "plug-in"),
        SpineEntry("com.apple.generic-bundle", "com.apple.bundle", extensions: "bundle", "bundle"),
        SpineEntry("com.apple.framework", "com.apple.bundle", extensions: "framework", "framework"),
        SpineEntry("public.executable", "item", "executable"),
        SpineEntry("com.apple.application", "executable", "application"),
        SpineEntry(
            "com.apple.application-bundle", "com.apple.application com.apple.bundle com.apple.package",
            extensions: "app", "application"),
        SpineEntry(
            "public.unix-executable", "data executable",
            mime: "application/x-executable application/x-pie-executable", "program"),
        SpineEntry(
            "com.microsoft.windows-executable", "data executable", extensions: "exe",
            mime: "application/x-ms-dos-executable", "Windows program"),
        SpineEntry(
            "com.microsoft.windows-dynamic-link-library", "data executable", extensions: "dll", "Windows library"),
        SpineEntry(
            "public.object-code", "data executable", extensions: "o", mime: "application/x-object", "object code"),
        SpineEntry("public.message", "", "message"),
        SpineEntry("public.contact", "", "contact"),
        SpineEntry("public.archive", "", "archive"),
        SpineEntry("public.disk-image", "archive", "disk image"),
        SpineEntry("public.database", "", "database"),
        SpineEntry("public.calendar-event", "", "calendar event"),
        SpineEntry("public.to-do-item", "", "to-do item"),
        SpineEntry("public.font", "", "font"),
        SpineEntry("public.3d-content", "content", "3D content"),
        SpineEntry("public.presentation", "composite-content", "presentation"),
        SpineEntry("public.spreadsheet", "composite-content", "spreadsheet"),
        SpineEntry("public.playlist", "", "playlist"),
        SpineEntry("public.geographic-content", "content", "map data"),
        SpineEntry("com.apple.log", "", "log"),
    ]
}
