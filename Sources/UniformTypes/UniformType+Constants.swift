/// Types of the built-in table that are often used in code.
extension UniformType {
    /// Anything in a file system.
    public static let item = UniformType(checked: "public.item")
    /// Anything that a person would call a document; the default of a picker.
    public static let content = UniformType(checked: "public.content")
    /// Documents with several kinds of content.
    public static let compositeContent = UniformType(checked: "public.composite-content")
    /// Any stream of bytes.
    public static let data = UniformType(checked: "public.data")
    /// Any directory, including packages.
    public static let directory = UniformType(checked: "public.directory")
    /// A directory that people open to see its contents.
    public static let folder = UniformType(checked: "public.folder")
    /// A directory that people see as one file.
    public static let package = UniformType(checked: "com.apple.package")
    /// A directory with a defined layout.
    public static let bundle = UniformType(checked: "com.apple.bundle")
    /// The root of a file system.
    public static let volume = UniformType(checked: "public.volume")
    /// A symbolic link.
    public static let symbolicLink = UniformType(checked: "public.symlink")
    /// A URL.
    public static let url = UniformType(checked: "public.url")
    /// A URL of a file.
    public static let fileURL = UniformType(checked: "public.file-url")
    /// Anything that can be executed.
    public static let executable = UniformType(checked: "public.executable")
    /// Anything that contains other files.
    public static let archive = UniformType(checked: "public.archive")
    /// An image of a file system.
    public static let diskImage = UniformType(checked: "public.disk-image")
    /// A database.
    public static let database = UniformType(checked: "public.database")
    /// A message.
    public static let message = UniformType(checked: "public.message")
    /// A contact.
    public static let contact = UniformType(checked: "public.contact")
    /// A calendar event.
    public static let calendarEvent = UniformType(checked: "public.calendar-event")
    /// A font.
    public static let font = UniformType(checked: "public.font")
    /// Three-dimensional models.
    public static let threeDimensionalContent = UniformType(checked: "public.3d-content")
    /// Slides.
    public static let presentation = UniformType(checked: "public.presentation")
    /// A spreadsheet.
    public static let spreadsheet = UniformType(checked: "public.spreadsheet")
    /// Any text, with or without markup.
    public static let text = UniformType(checked: "public.text")
    /// Text without markup.
    public static let plainText = UniformType(checked: "public.plain-text")
    /// Plain text in UTF-8.
    public static let utf8PlainText = UniformType(checked: "public.utf8-plain-text")
    /// Comma-separated values.
    public static let commaSeparatedText = UniformType(checked: "public.comma-separated-values-text")
    /// Tab-separated values.
    public static let tabSeparatedText = UniformType(checked: "public.tab-separated-values-text")
    /// Rich text.
    public static let rtf = UniformType(checked: "public.rtf")
    /// Rich text with attachments, a package.
    public static let rtfd = UniformType(checked: "com.apple.rtfd")
    /// HTML.
    public static let html = UniformType(checked: "public.html")
    /// XML.
    public static let xml = UniformType(checked: "public.xml")
    /// JSON.
    public static let json = UniformType(checked: "public.json")
    /// YAML.
    public static let yaml = UniformType(checked: "public.yaml")
    /// Markdown.
    public static let markdown = UniformType(checked: "net.daringfireball.markdown")
    /// A property list.
    public static let propertyList = UniformType(checked: "com.apple.property-list")
    /// A contact card.
    public static let vCard = UniformType(checked: "public.vcard")
    /// An e-mail message.
    public static let emailMessage = UniformType(checked: "public.email-message")
    /// Source code of any language.
    public static let sourceCode = UniformType(checked: "public.source-code")
    /// Swift source code.
    public static let swiftSource = UniformType(checked: "public.swift-source")
    /// Source code of a scripting language.
    public static let script = UniformType(checked: "public.script")
    /// A shell script.
    public static let shellScript = UniformType(checked: "public.shell-script")
    /// A PDF document.
    public static let pdf = UniformType(checked: "com.adobe.pdf")
    /// An EPUB book.
    public static let epub = UniformType(checked: "org.idpf.epub-container")
    /// Any image.
    public static let image = UniformType(checked: "public.image")
    /// A JPEG image.
    public static let jpeg = UniformType(checked: "public.jpeg")
    /// A PNG image.
    public static let png = UniformType(checked: "public.png")
    /// A TIFF image.
    public static let tiff = UniformType(checked: "public.tiff")
    /// A GIF image.
    public static let gif = UniformType(checked: "com.compuserve.gif")
    /// A bitmap image.
    public static let bmp = UniformType(checked: "com.microsoft.bmp")
    /// An HEIC image.
    public static let heic = UniformType(checked: "public.heic")
    /// A WebP image.
    public static let webP = UniformType(checked: "org.webmproject.webp")
    /// An SVG image.
    public static let svg = UniformType(checked: "public.svg-image")
    /// Audio or video.
    public static let audiovisualContent = UniformType(checked: "public.audiovisual-content")
    /// Video, with or without sound.
    public static let movie = UniformType(checked: "public.movie")
    /// Video without sound.
    public static let video = UniformType(checked: "public.video")
    /// Audio.
    public static let audio = UniformType(checked: "public.audio")
    /// MP3 audio.
    public static let mp3 = UniformType(checked: "public.mp3")
    /// WAVE audio.
    public static let wav = UniformType(checked: "com.microsoft.waveform-audio")
    /// An MPEG-4 movie.
    public static let mpeg4Movie = UniformType(checked: "public.mpeg-4")
    /// A QuickTime movie.
    public static let quickTimeMovie = UniformType(checked: "com.apple.quicktime-movie")
    /// A ZIP archive.
    public static let zip = UniformType(checked: "com.pkware.zip-archive")
    /// A gzip archive.
    public static let gzip = UniformType(checked: "org.gnu.gnu-zip-archive")
    /// A tar archive.
    public static let tar = UniformType(checked: "public.tar-archive")
}
