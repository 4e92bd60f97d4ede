extension SpineEntry {
    /// Documents of office programs, books and data files.
    static let documents: [SpineEntry] = [
        SpineEntry(
            "com.adobe.pdf", "data composite-content", extensions: "pdf", mime: "application/pdf application/x-pdf",
            "PDF document"),
        SpineEntry(
            "com.adobe.postscript", "data", extensions: "ps", mime: "application/postscript", "PostScript document"),
        SpineEntry(
            "com.adobe.encapsulated-postscript", "com.adobe.postscript image", extensions: "eps epsf",
            mime: "image/x-eps",
            "encapsulated PostScript"),
        SpineEntry(
            "com.adobe.illustrator.ai-image", "image", extensions: "ai", mime: "application/illustrator",
            "Illustrator document"),
        SpineEntry(
            "com.apple.rtfd", "com.apple.package composite-content", extensions: "rtfd", "rich text with attachments"),
        SpineEntry("com.apple.flat-rtfd", "data composite-content", "flat rich text with attachments"),
        SpineEntry("com.apple.webarchive", "data composite-content", extensions: "webarchive", "web archive"),
        SpineEntry(
            "com.microsoft.word.doc", "data composite-content", extensions: "doc", mime: "application/msword",
            "Word document"),
        SpineEntry(
            "com.microsoft.word.dot", "data composite-content", extensions: "dot", mime: "application/msword-template",
            "Word template"),
        SpineEntry(
            "com.microsoft.excel.xls", "data spreadsheet", extensions: "xls", mime: "application/vnd.ms-excel",
            "Excel workbook"),
        SpineEntry(
            "com.microsoft.powerpoint.ppt", "data presentation", extensions: "ppt",
            mime: "application/vnd.ms-powerpoint", "PowerPoint presentation"),
        SpineEntry("org.openxmlformats.openxml", "data", "Office Open XML document"),
        SpineEntry(
            "org.openxmlformats.wordprocessingml.document", "org.openxmlformats.openxml composite-content",
            extensions: "docx", mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "Word document"),
        SpineEntry(
            "org.openxmlformats.wordprocessingml.document.macroenabled", "org.openxmlformats.openxml composite-content",
            extensions: "docm", mime: "application/vnd.ms-word.document.macroenabled.12", "Word document with macros"),
        SpineEntry(
            "org.openxmlformats.wordprocessingml.template", "org.openxmlformats.openxml composite-content",
            extensions: "dotx", mime: "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
            "Word template"),
        SpineEntry(
            "org.openxmlformats.spreadsheetml.sheet", "org.openxmlformats.openxml spreadsheet", extensions: "xlsx",
            mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel workbook"),
        SpineEntry(
            "org.openxmlformats.spreadsheetml.sheet.macroenabled", "org.openxmlformats.openxml spreadsheet",
            extensions: "xlsm", mime: "application/vnd.ms-excel.sheet.macroenabled.12", "Excel workbook with macros"),
        SpineEntry(
            "org.openxmlformats.spreadsheetml.template", "org.openxmlformats.openxml spreadsheet", extensions: "xltx",
            mime: "application/vnd.openxmlformats-officedocument.spreadsheetml.template", "Excel template"),
        SpineEntry(
            "org.openxmlformats.presentationml.presentation", "org.openxmlformats.openxml presentation",
            extensions: "pptx", mime: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            "PowerPoint presentation"),
        SpineEntry(
            "org.openxmlformats.presentationml.presentation.macroenabled", "org.openxmlformats.openxml presentation",
            extensions: "pptm", mime: "application/vnd.ms-powerpoint.presentation.macroenabled.12",
            "PowerPoint presentation with macros"),
        SpineEntry(
            "org.openxmlformats.presentationml.slideshow", "org.openxmlformats.openxml presentation",
            extensions: "ppsx", mime: "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
            "PowerPoint show"),
        SpineEntry("org.oasis-open.opendocument", "data", "OpenDocument file"),
        SpineEntry(
            "org.oasis-open.opendocument.text", "org.oasis-open.opendocument composite-content", extensions: "odt",
            mime: "application/vnd.oasis.opendocument.text", "OpenDocument text"),
        SpineEntry(
            "org.oasis-open.opendocument.text-template", "org.oasis-open.opendocument composite-content",
            extensions: "ott", mime: "application/vnd.oasis.opendocument.text-template", "OpenDocument text template"),
        SpineEntry(
            "org.oasis-open.opendocument.spreadsheet", "org.oasis-open.opendocument spreadsheet", extensions: "ods",
            mime: "application/vnd.oasis.opendocument.spreadsheet", "OpenDocument spreadsheet"),
        SpineEntry(
            "org.oasis-open.opendocument.presentation", "org.oasis-open.opendocument presentation", extensions: "odp",
            mime: "application/vnd.oasis.opendocument.presentation", "OpenDocument presentation"),
        SpineEntry(
            "org.oasis-open.opendocument.graphics", "org.oasis-open.opendocument composite-content", extensions: "odg",
            mime: "application/vnd.oasis.opendocument.graphics", "OpenDocument drawing"),
        SpineEntry(
            "org.oasis-open.opendocument.formula", "org.oasis-open.opendocument composite-content", extensions: "odf",
            mime: "application/vnd.oasis.opendocument.formula", "OpenDocument formula"),
        SpineEntry(
            "org.oasis-open.opendocument.database", "org.oasis-open.opendocument database", extensions: "odb",
            mime: "application/vnd.oasis.opendocument.database", "OpenDocument database"),
        SpineEntry(
            "com.apple.iwork.pages.pages", "com.apple.package composite-content", extensions: "pages", "Pages document"),
        SpineEntry(
            "com.apple.iwork.pages.sffpages", "data composite-content", extensions: "pages",
            mime: "application/vnd.apple.pages", "Pages document"),
        SpineEntry(
            "com.apple.iwork.numbers.numbers", "com.apple.package spreadsheet", extensions: "numbers",
            "Numbers document"),
        SpineEntry(
            "com.apple.iwork.numbers.sffnumbers", "data spreadsheet", extensions: "numbers",
            mime: "application/vnd.apple.numbers", "Numbers document"),
        SpineEntry(
            "com.apple.iwork.keynote.key", "com.apple.package presentation", extensions: "key", "Keynote document"),
        SpineEntry(
            "com.apple.iwork.keynote.sffkey", "data presentation", extensions: "key",
            mime: "application/vnd.apple.keynote",
            "Keynote document"),
        SpineEntry(
            "org.idpf.epub-container", "data composite-content", extensions: "epub", mime: "application/epub+zip",
            "EPUB book"),
        SpineEntry(
            "com.amazon.mobi", "data composite-content", extensions: "mobi", mime: "application/x-mobipocket-ebook",
            "Mobipocket book"),
        SpineEntry(
            "com.microsoft.xps", "data composite-content", extensions: "xps", mime: "application/vnd.ms-xpsdocument",
            "XPS document"),
        SpineEntry(
            "org.djvu.djvu", "data composite-content", extensions: "djvu djv", mime: "image/vnd.djvu", "DjVu document"),
        SpineEntry(
            "org.sqlite.sqlite3", "data database", extensions: "sqlite sqlite3", mime: "application/vnd.sqlite3",
            "SQLite database"),
        SpineEntry(
            "com.google.earth.kml", "xml geographic-content", extensions: "kml",
            mime: "application/vnd.google-earth.kml+xml", "KML map"),
        SpineEntry(
            "com.topografix.gpx", "xml geographic-content", extensions: "gpx", mime: "application/gpx+xml", "GPS track"),
        SpineEntry("com.apple.pkpass-data", "data", extensions: "pkpass", mime: "application/vnd.apple.pkpass", "pass"),
        SpineEntry(
            "public.x509-certificate", "data", extensions: "cer crt der",
            mime: "application/pkix-cert application/x-x509-ca-cert", "certificate"),
        SpineEntry(
            "com.rsa.pkcs-12", "data", extensions: "p12 pfx", mime: "application/x-pkcs12", "certificate with key"),
        SpineEntry(
            "org.bittorrent.torrent", "data", extensions: "torrent", mime: "application/x-bittorrent", "torrent"),
    ]
}
