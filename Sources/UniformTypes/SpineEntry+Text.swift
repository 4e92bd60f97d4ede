extension SpineEntry {
    /// Text, markup and source code.
    static let text: [SpineEntry] = [
        SpineEntry("public.text", "data content", "text"),
        SpineEntry("public.plain-text", "text", extensions: "txt text", mime: "text/plain", "plain text"),
        SpineEntry("public.utf8-plain-text", "plain-text", "Unicode text"),
        SpineEntry("public.utf16-plain-text", "plain-text", "UTF-16 text"),
        SpineEntry("public.utf16-external-plain-text", "plain-text", "UTF-16 text with byte order"),
        SpineEntry("public.delimited-values-text", "text", "delimited values"),
        SpineEntry(
            "public.comma-separated-values-text", "delimited-values-text", extensions: "csv",
            mime: "text/csv text/comma-separated-values", "comma-separated values"),
        SpineEntry(
            "public.tab-separated-values-text", "delimited-values-text", extensions: "tsv",
            mime: "text/tab-separated-values", "tab-separated values"),
        SpineEntry("public.rtf", "text", extensions: "rtf", mime: "text/rtf application/rtf", "rich text"),
        SpineEntry("public.html", "text", extensions: "html htm", mime: "text/html", "HTML"),
        SpineEntry(
            "public.xhtml", "xml", extensions: "xhtml xht", mime: "application/xhtml+xml", "XHTML"),
        SpineEntry("public.css", "text", extensions: "css", mime: "text/css", "style sheet"),
        SpineEntry("public.xml", "text", extensions: "xml", mime: "application/xml text/xml", "XML"),
        SpineEntry("public.xsl", "xml", extensions: "xsl xslt", mime: "application/xslt+xml", "XSL style sheet"),
        SpineEntry("public.rss", "xml", extensions: "rss", mime: "application/rss+xml", "news feed"),
        SpineEntry("public.json", "text", extensions: "json", mime: "application/json", "JSON"),
        SpineEntry(
            "public.geojson", "json geographic-content", extensions: "geojson", mime: "application/geo+json", "GeoJSON"),
        SpineEntry(
            "public.yaml", "text", extensions: "yaml yml",
            mime: "application/yaml application/x-yaml text/yaml", "YAML"),
        SpineEntry("public.toml", "text", extensions: "toml", mime: "application/toml", "TOML"),
        SpineEntry(
            "net.daringfireball.markdown", "plain-text", extensions: "md markdown mdown",
            mime: "text/markdown text/x-markdown", "Markdown"),
        SpineEntry("org.tug.tex", "plain-text", extensions: "tex", mime: "text/x-tex application/x-tex", "TeX"),
        SpineEntry("public.log", "plain-text com.apple.log", extensions: "log", mime: "text/x-log", "log file"),
        SpineEntry(
            "public.patch-file", "plain-text", extensions: "diff patch", mime: "text/x-diff text/x-patch", "patch"),
        SpineEntry("com.apple.property-list", "data", extensions: "plist", "property list"),
        SpineEntry("com.apple.xml-property-list", "xml com.apple.property-list", "XML property list"),
        SpineEntry("com.apple.binary-property-list", "com.apple.property-list", "binary property list"),
        SpineEntry("com.apple.ascii-property-list", "text com.apple.property-list", "text property list"),
        SpineEntry("com.apple.strings-file", "text", extensions: "strings", "strings file"),
        SpineEntry(
            "public.vcard", "text contact", extensions: "vcf vcard", mime: "text/vcard text/x-vcard", "contact card"),
        SpineEntry(
            "com.apple.ical.ics", "text calendar-event to-do-item", extensions: "ics", mime: "text/calendar",
            "calendar event"),
        SpineEntry("public.email-message", "data message", mime: "message/rfc822", "e-mail message"),
        SpineEntry("com.apple.mail.email", "email-message", extensions: "eml", "e-mail message"),
        SpineEntry(
            "com.microsoft.internet-shortcut", "data com.apple.resolvable", extensions: "url", "internet shortcut"),
        SpineEntry("public.source-code", "plain-text", "source code"),
        SpineEntry("public.swift-source", "source-code", extensions: "swift", mime: "text/x-swift", "Swift source"),
        SpineEntry("public.c-source", "source-code", extensions: "c", mime: "text/x-csrc", "C source"),
        SpineEntry("public.c-header", "source-code", extensions: "h", mime: "text/x-chdr", "C header"),
        SpineEntry(
            "public.c-plus-plus-source", "source-code", extensions: "cpp cc cxx c++", mime: "text/x-c++src",
            "C++ source"),
        SpineEntry(
            "public.c-plus-plus-header", "source-code", extensions: "hpp hh hxx h++", mime: "text/x-c++hdr",
            "C++ header"),
        SpineEntry(
            "public.objective-c-source", "source-code", extensions: "m", mime: "text/x-objcsrc", "Objective-C source"),
        SpineEntry(
            "public.objective-c-plus-plus-source", "source-code", extensions: "mm", mime: "text/x-objc++src",
            "Objective-C++ source"),
        SpineEntry("public.assembly-source", "source-code", extensions: "s asm", mime: "text/x-asm", "assembly source"),
        SpineEntry("public.make-source", "script", extensions: "mk make", mime: "text/x-makefile", "makefile"),
        SpineEntry(
            "public.fortran-source", "source-code", extensions: "f for f90", mime: "text/x-fortran", "Fortran source"),
        SpineEntry("public.pascal-source", "source-code", extensions: "pas", mime: "text/x-pascal", "Pascal source"),
        SpineEntry("com.sun.java-source", "source-code", extensions: "java", mime: "text/x-java", "Java source"),
        SpineEntry("public.script", "source-code", "script"),
        SpineEntry(
            "public.shell-script", "script", extensions: "sh", mime: "application/x-shellscript text/x-sh",
            "shell script"),
        SpineEntry("public.bash-script", "shell-script", extensions: "bash", "Bash script"),
        SpineEntry("public.zsh-script", "shell-script", extensions: "zsh", "Z shell script"),
        SpineEntry("public.csh-script", "shell-script", extensions: "csh", mime: "application/x-csh", "C shell script"),
        SpineEntry(
            "public.python-script", "shell-script", extensions: "py pyw", mime: "text/x-python text/x-python3",
            "Python script"),
        SpineEntry(
            "public.ruby-script", "shell-script", extensions: "rb rbw", mime: "application/x-ruby", "Ruby script"),
        SpineEntry(
            "public.perl-script", "shell-script", extensions: "pl pm", mime: "application/x-perl", "Perl script"),
        SpineEntry(
            "public.php-script", "shell-script", extensions: "php php3 php4", mime: "application/x-php", "PHP script"),
        SpineEntry(
            "com.netscape.javascript-source", "source-code executable", extensions: "js mjs jscript",
            mime: "text/javascript application/javascript", "JavaScript"),
    ]
}
