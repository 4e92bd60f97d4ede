extension SpineEntry {
    /// Images, audio, video and fonts.
    static let media: [SpineEntry] = [
        SpineEntry("public.image", "data content", "image"),
        SpineEntry("public.jpeg", "image", extensions: "jpeg jpg jpe", mime: "image/jpeg image/jpg", "JPEG image"),
        SpineEntry("public.jpeg-2000", "image", extensions: "jp2 jpf jpx j2k", mime: "image/jp2", "JPEG 2000 image"),
        SpineEntry("public.jpeg-xl", "image", extensions: "jxl", mime: "image/jxl", "JPEG XL image"),
        SpineEntry("public.png", "image", extensions: "png", mime: "image/png", "PNG image"),
        SpineEntry("public.tiff", "image", extensions: "tiff tif", mime: "image/tiff", "TIFF image"),
        SpineEntry("com.compuserve.gif", "image", extensions: "gif", mime: "image/gif", "GIF image"),
        SpineEntry("com.microsoft.bmp", "image", extensions: "bmp dib", mime: "image/bmp image/x-bmp", "bitmap image"),
        SpineEntry(
            "com.microsoft.ico", "image", extensions: "ico", mime: "image/vnd.microsoft.icon image/x-icon", "icon"),
        SpineEntry("com.apple.icns", "image", extensions: "icns", mime: "image/x-icns", "icon collection"),
        SpineEntry("public.heif-standard", "image", mime: "image/heif", "HEIF image"),
        SpineEntry("public.heif", "heif-standard", extensions: "heif hif", "HEIF image"),
        SpineEntry("public.heic", "heif-standard", extensions: "heic", mime: "image/heic", "HEIC image"),
        SpineEntry(
            "public.heics", "heif-standard", extensions: "heics", mime: "image/heic-sequence", "HEIC image sequence"),
        SpineEntry("public.avif", "heif-standard", extensions: "avif", mime: "image/avif", "AVIF image"),
        SpineEntry("org.webmproject.webp", "image", extensions: "webp", mime: "image/webp", "WebP image"),
        SpineEntry("public.svg-image", "image xml", extensions: "svg", mime: "image/svg+xml", "SVG image"),
        SpineEntry("public.camera-raw-image", "image", "camera raw image"),
        SpineEntry(
            "com.adobe.raw-image", "camera-raw-image", extensions: "dng", mime: "image/x-adobe-dng", "digital negative"),
        SpineEntry(
            "com.canon.cr2-raw-image", "camera-raw-image", extensions: "cr2", mime: "image/x-canon-cr2",
            "Canon raw image"),
        SpineEntry(
            "com.nikon.raw-image", "camera-raw-image", extensions: "nef", mime: "image/x-nikon-nef", "Nikon raw image"),
        SpineEntry(
            "com.sony.arw-raw-image", "camera-raw-image", extensions: "arw", mime: "image/x-sony-arw", "Sony raw image"),
        SpineEntry(
            "com.adobe.photoshop-image", "image", extensions: "psd", mime: "image/vnd.adobe.photoshop",
            "Photoshop document"),
        SpineEntry("com.truevision.tga-image", "image", extensions: "tga", mime: "image/x-tga", "Targa image"),
        SpineEntry("com.ilm.openexr-image", "image", extensions: "exr", mime: "image/x-exr", "OpenEXR image"),
        SpineEntry("public.audiovisual-content", "data content", "audiovisual content"),
        SpineEntry("public.movie", "audiovisual-content", "movie"),
        SpineEntry("public.video", "movie", "video without sound"),
        SpineEntry("public.audio", "audiovisual-content", "audio"),
        SpineEntry("public.mp3", "audio", extensions: "mp3", mime: "audio/mpeg audio/mp3", "MP3 audio"),
        SpineEntry("public.mpeg-4-audio", "audio", extensions: "mp4a", mime: "audio/mp4", "MPEG-4 audio"),
        SpineEntry("com.apple.m4a-audio", "mpeg-4-audio", extensions: "m4a", mime: "audio/x-m4a", "MPEG-4 audio"),
        SpineEntry(
            "com.apple.protected-mpeg-4-audio", "audio", extensions: "m4p", "protected MPEG-4 audio"),
        SpineEntry("com.apple.m4b-audio", "mpeg-4-audio", extensions: "m4b", mime: "audio/x-m4b", "audiobook"),
        SpineEntry("public.aac-audio", "audio", extensions: "aac adts", mime: "audio/aac", "AAC audio"),
        SpineEntry(
            "com.microsoft.waveform-audio", "audio", extensions: "wav wave",
            mime: "audio/vnd.wave audio/wav audio/x-wav",
            "WAVE audio"),
        SpineEntry("public.aiff-audio", "audio", extensions: "aiff aif", mime: "audio/aiff audio/x-aiff", "AIFF audio"),
        SpineEntry("public.aifc-audio", "aiff-audio", extensions: "aifc", mime: "audio/x-aifc", "AIFF-C audio"),
        SpineEntry("public.ac3-audio", "audio", extensions: "ac3", mime: "audio/ac3", "AC-3 audio"),
        SpineEntry("public.midi-audio", "audio", extensions: "mid midi", mime: "audio/midi", "MIDI"),
        SpineEntry(
            "com.microsoft.windows-media-wma", "audio", extensions: "wma", mime: "audio/x-ms-wma", "Windows Media audio"
        ),
        SpineEntry("org.xiph.flac", "audio", extensions: "flac", mime: "audio/flac audio/x-flac", "FLAC audio"),
        SpineEntry("org.xiph.ogg-audio", "audio", extensions: "oga ogg", mime: "audio/ogg", "Ogg audio"),
        SpineEntry("org.xiph.opus", "org.xiph.ogg-audio", extensions: "opus", mime: "audio/x-opus+ogg", "Opus audio"),
        SpineEntry("public.mpeg", "movie", extensions: "mpg mpeg mpe", mime: "video/mpeg", "MPEG movie"),
        SpineEntry("public.mpeg-2-video", "video", extensions: "m2v", mime: "video/mpeg2", "MPEG-2 video"),
        SpineEntry(
            "public.mpeg-2-transport-stream", "movie", extensions: "mts m2ts", mime: "video/mp2t", "MPEG-2 stream"),
        SpineEntry("public.mpeg-4", "movie", extensions: "mp4 mpg4", mime: "video/mp4", "MPEG-4 movie"),
        SpineEntry("com.apple.m4v-video", "mpeg-4", extensions: "m4v", mime: "video/x-m4v", "MPEG-4 movie"),
        SpineEntry(
            "com.apple.quicktime-movie", "movie", extensions: "mov qt", mime: "video/quicktime", "QuickTime movie"),
        SpineEntry("public.avi", "movie", extensions: "avi", mime: "video/x-msvideo video/avi", "AVI movie"),
        SpineEntry("public.3gpp", "movie", extensions: "3gp 3gpp", mime: "video/3gpp", "3GPP movie"),
        SpineEntry(
            "com.microsoft.windows-media-wmv", "movie", extensions: "wmv", mime: "video/x-ms-wmv", "Windows Media movie"
        ),
        SpineEntry("org.matroska.mkv", "movie", extensions: "mkv", mime: "video/x-matroska", "Matroska movie"),
        SpineEntry("org.webmproject.webm", "movie", extensions: "webm", mime: "video/webm", "WebM movie"),
        SpineEntry("org.xiph.ogg-video", "movie", extensions: "ogv", mime: "video/ogg", "Ogg movie"),
        SpineEntry("public.m3u-playlist", "text playlist", extensions: "m3u m3u8", mime: "audio/x-mpegurl", "playlist"),
        SpineEntry("public.opentype-font", "data font", extensions: "otf", mime: "font/otf", "OpenType font"),
        SpineEntry("public.truetype-ttf-font", "data font", extensions: "ttf", mime: "font/ttf", "TrueType font"),
        SpineEntry(
            "public.truetype-collection-font", "data font", extensions: "ttc", mime: "font/collection",
            "font collection"),
        SpineEntry("org.w3.woff", "data font", extensions: "woff", mime: "font/woff", "web font"),
        SpineEntry("org.w3.woff2", "data font", extensions: "woff2", mime: "font/woff2", "web font"),
        SpineEntry(
            "public.standard-tesselated-geometry-format", "data 3d-content", extensions: "stl", mime: "model/stl",
            "STL model"),
        SpineEntry(
            "public.geometry-definition-format", "data 3d-content", extensions: "obj", mime: "model/obj", "OBJ model"),
        SpineEntry(
            "org.khronos.gltf-binary", "data 3d-content", extensions: "glb", mime: "model/gltf-binary", "glTF model"),
        SpineEntry(
            "com.pixar.universal-scene-description", "data 3d-content", extensions: "usd usda usdc", "USD scene"),
    ]
}
