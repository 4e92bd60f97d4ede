#!/usr/bin/python3
"""Writes the Codable message types of Sources/DocentInterfaces from its .varlink files, and the hot codecs.

The interface files are the contract; the Swift types are made from them, so that they cannot disagree. The hot codecs
read and write the messages of the methods in HOT without Codable.
`--check` writes nothing and fails when a file is not up to date.
"""
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent / "Sources/DocentInterfaces"
# Integer fields that are indexes of descriptors (MECHANISMS T1).
DESCRIPTORS = {"file", "lease", "source", "destination", "socket", "content", "original", "thumbnail"}
BASIC = {"string": "String", "int": "Int", "float": "Double", "bool": "Bool"}
# The hot methods, and which of their codecs are used. call: writes a complete call; more: the same, for a method with
# several replies. parameters: reads the parameters of a call. reply: writes the parameters of a reply. readReply:
# reads a complete reply. quick: `quickJSON` and `quickValue` of the reply, which Varlink uses.
HOT = {
    "org.docent.Documents.Coordinate": ("more", "parameters", "readReply"),
    "org.docent.Documents.List": ("quick",),
    "org.docent.Documents.Open": ("call", "parameters", "reply", "readReply"),
    "org.docent.FileProvider.Children": ("quick",),
    "org.docent.Picker.ListFolder": ("quick",),
}
# Types whose JSON is kept with the value; `reply` takes this JSON instead of the value.
KEPT = {"Item"}
# Types that only the ordinary coders know. They may be optional fields of quick replies.
COLD = {"Remembered"}
# The members that are written before the others. The others are in the order of the interface.
FIRST = {
    "Coordinate.Parameters": ["operation"],
    "Item": ["reference", "name", "contentType", "parent", "path", "version", "formerVersion"],
    "ProviderItem": [
        "identifier", "parent", "name", "contentType", "size", "modificationDate", "creationDate", "isFolder",
        "version", "isDownloaded", "isUploaded", "thumbnail", "symbolicLinkTarget", "ignoresCase",
    ],
}
SCANNED = {"string": "string()", "int": "integer()", "float": "number()", "bool": "boolean()"}
LABELS = {"string": "text", "int": "integer", "float": "number", "bool": "flag"}


def swift_type(text):
    text = text.strip()
    if text.startswith("?"):
        return swift_type(text[1:]) + "?"
    if text.startswith("[]"):
        return "[" + swift_type(text[2:]) + "]"
    if text.startswith("[string]"):
        return f"[String: {swift_type(text[len('[string]'):])}]"
    return BASIC.get(text, "Wire." + text)


def fields_of(text):
    text = " ".join(text.split())
    if not text.strip():
        return []
    return [tuple(part.strip() for part in field.split(":", 1)) for field in text.split(",")]


def parse(source):
    """Yields (kind, name, comment, groups of fields) in order."""
    comment, position = [], 0
    pattern = re.compile(r"(?P<comment>#[^\n]*)|(?P<blank>\n[ \t]*\n)|(?P<decl>(interface|type|method|error)\s+[\w.]+)")
    while match := pattern.search(source, position):
        position = match.end()
        if match["comment"]:
            comment.append(match["comment"][1:].strip())
            continue
        if match["blank"]:
            if comment and comment[-1] != "":
                pass
            comment = [] if not comment else comment
            if source[match.end():match.end() + 1] == "#":
                comment = []
            continue
        kind, name = match["decl"].split()
        groups = []
        if kind != "interface":
            for _ in range(2 if kind == "method" else 1):
                opening = source.index("(", position)
                closing = source.index(")", opening)
                groups.append(fields_of(source[opening + 1:closing]))
                position = closing + 1
        yield kind, name, comment, groups
        comment = []


def documentation(comment, indent):
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in comment)


def structure(name, fields, indent, protocols, comment):
    descriptors = [(n, t) for n, t in fields if n in DESCRIPTORS and t in ("int", "?int")]
    out = documentation(comment, indent)
    out += f"{indent}package struct {name}: {protocols} {{\n"
    inner = indent + "    "
    for field, kind in fields:
        out += f"{inner}package var {field}: {swift_type(kind)}\n"
    if descriptors:
        terms = " + ".join(f"({n} == nil ? 0 : 1)" if t.startswith("?") else "1" for n, t in descriptors)
        out += f"\n{inner}package var descriptorCount: Int {{ {terms} }}\n"
    parameters = ", ".join(
        f"{n}: {swift_type(t)}" + (" = nil" if t.startswith("?") else "") for n, t in fields)
    if fields:
        out += "\n"
    if not fields:
        out += f"{inner}package init() {{}}\n"
    else:
        if len(inner) + len(parameters) + 16 > 118:
            parameters = ",\n".join(inner + "    " + p for p in parameters.split(", "))
            out += f"{inner}package init(\n{parameters}\n{inner}) {{\n"
        else:
            out += f"{inner}package init({parameters}) {{\n"
        for field, _ in fields:
            out += f"{inner}    self.{field} = {field}\n"
        out += f"{inner}}}\n"
    return out + coding(fields, inner) + f"{indent}}}\n"


def coding(fields, indent):
    """The two methods of Codable, with ``WireKey``: the compiler would make an enumeration of keys for each type, with
    fifty functions each, which take most of the time that this module takes."""
    out = f"\n{indent}package init(from decoder: any Decoder) throws {{\n"
    if fields:
        out += f"{indent}    let container = try decoder.container(keyedBy: WireKey.self)\n"
    for name, kind in fields:
        optional = kind.startswith("?")
        function = "decodeIfPresent" if optional else "decode"
        out += f'{indent}    {name} = try container.{function}({swift_type(kind.lstrip("?"))}.self, forKey: "{name}")\n'
    out += f"{indent}}}\n\n{indent}package func encode(to encoder: any Encoder) throws {{\n"
    variable = "var container" if fields else "_"
    out += f"{indent}    {variable} = encoder.container(keyedBy: WireKey.self)\n"
    for name, kind in fields:
        function = "encodeIfPresent" if kind.startswith("?") else "encode"
        out += f'{indent}    try container.{function}({name}, forKey: "{name}")\n'
    return out + f"{indent}}}\n"


def wrapped(indent, head, items, tail):
    """`head`, the items with commas, and `tail`, in as few lines as fit."""
    line = indent + head + ", ".join(items) + tail
    if len(line) <= 120:
        return line + "\n"
    # A label is not separated from its value.
    text = ", ".join(item.replace(" ", "\xa0") for item in items) + ("" if "{" in tail else tail)
    lines = textwrap.wrap(text, 116 - len(indent), break_long_words=False, break_on_hyphens=False)
    lines = [indent + head.rstrip()] + [f"{indent}    {line}" for line in lines]
    if "{" in tail:
        lines.append(indent + tail.lstrip())
    return "\n".join(lines).replace("\xa0", " ") + "\n"


def scan(kind, scanner="scanner"):
    """The expression that reads a value of this type; nil if it cannot."""
    kind = kind.lstrip("?")
    if kind.startswith("[]"):
        return f"{scanner}.elements {{ {scan(kind[2:], '$0')} }}"
    return f"{scanner}.{SCANNED[kind]}" if kind in SCANNED else f"Wire.{hot(kind)}(&{scanner})"


def hot(kind):
    if not kind.isalnum() or kind in COLD:
        sys.exit(f"no hot codec can have a field of type {kind} there")
    return kind


def reader(fields):
    out = "    init?(_ scanner: inout JSONScanner) {\n"
    for name, kind in fields:
        if kind.lstrip("?") not in COLD:
            out += f"        var {name}: {swift_type(kind.lstrip('?'))}?\n"
    out += "        let whole = scanner.object { key, scanner in\n"
    if any(kind.startswith("?") for _, kind in fields):
        out += "            if scanner.null() { return true }\n"
    out += "            switch key {\n"
    for name, kind in fields:
        case = f'            case "{name}":'
        if kind.startswith("?") and kind[1:] in COLD:
            out += f"            // Left to the ordinary decoder.\n{case} return false\n"
            continue
        steps = [f"{name} = {scan(kind)}", f"return {name} != nil"]
        line = f"{case} {'; '.join(steps)}"
        out += line + "\n" if len(line) <= 120 else "".join([case + "\n"] + [f"{' ' * 16}{s}\n" for s in steps])
    out += "            default: return scanner.skip()\n            }\n        }\n"
    conditions = ["whole"] + [f"let {name}" for name, kind in fields if not kind.startswith("?")]
    out += wrapped("        ", "guard ", conditions, " else { return nil }")
    arguments = [f"{name}: {name}" for name, kind in fields if kind.lstrip("?") not in COLD]
    return out + wrapped("        ", "self.init(", arguments, ")") + "    }\n"


def members(owner, fields, kept=False):
    """The statements that append the members of an object to `bytes`, and the closing brace."""
    first = FIRST.get(owner, [])
    out = ""
    for name, kind in sorted(fields, key=lambda field: first.index(field[0]) if field[0] in first else len(first)):
        plain = kind.lstrip("?")
        if plain in LABELS:
            out += f'        JSONWriter.appendMember("{name}", {LABELS[plain]}: {name}, to: &bytes)\n'
        elif plain.startswith("[]"):
            element = plain[2:]
            append = "JSONWriter.append($0, to: &$1)" if element == "string" else "$0.append(to: &$1)"
            hot(element)
            out += f'        JSONWriter.appendMember("{name}", elements: {name}, to: &bytes) {{ {append} }}\n'
        else:
            append = f"bytes += {name}" if hot(plain) in KEPT and kept else f"{name}.append(to: &bytes)"
            lines = [f'JSONWriter.appendKey("{name}", to: &bytes)', append]
            if kind.startswith("?"):
                lines = [f"if let {name} {{"] + ["    " + line for line in lines] + ["}"]
            out += "".join(f"        {line}\n" for line in lines)
    return out + '        bytes.append(UInt8(ascii: "}"))\n'


def writer(owner, fields):
    out = "    func append(to bytes: inout [UInt8]) {\n"
    return out + '        bytes.append(UInt8(ascii: "{"))\n' + members(owner, fields) + "    }\n"


def hot_types(types, read, written):
    """The extensions of the shared types."""
    out = ""
    for name in sorted(read | written):
        fields = types[name][0]
        parts = [reader(fields)] if name in read else []
        if name in KEPT:
            parts.append(
                "    /// The value as JSON. It equals the ordinary encoder's output except for the order of the members.\n"
                "    package var hotJSON: [UInt8] {\n        var bytes: [UInt8] = []\n"
                "        bytes.reserveCapacity(256)\n        append(to: &bytes)\n        return bytes\n    }\n")
        if name in written:
            parts.append(writer(name, fields))
        out += f"\nextension Wire.{name} {{\n" + "\n".join(parts) + "}\n"
    return out


def quick(fields):
    cold = [name for name, kind in fields if kind.lstrip("?") in COLD]
    fields = [(name, kind) for name, kind in fields if name not in cold]
    room = " + ".join([f"{name}.count * 400" for name, kind in fields if kind.startswith("[]")] + ["600"])
    out = "    package var quickJSON: [UInt8]? {\n"
    out += "".join(f"        guard {name} == nil else {{ return nil }}\n" for name in cold)
    out += f'        var bytes = [UInt8(ascii: "{{")]\n        bytes.reserveCapacity({room})\n'
    out += members("", fields) + "        return bytes\n    }\n\n"
    out += "    package static func quickValue(_ json: UnsafeBufferPointer<UInt8>) -> Self? {\n"
    return out + "        var scanner = JSONScanner(json)\n        return Self(&scanner)\n    }\n"


def hot_method(method, swift, parameters, reply):
    """The codec of a hot method, and the extensions of its messages."""
    uses, short = HOT[method], method.rsplit(".", 1)[1]
    parts, extensions = [], {"Parameters": [], "Reply": []}
    if "call" in uses or "more" in uses:
        more = '"more":true,' if "more" in uses else ""
        parts.append(
            f"    /// Encodes a complete call{' with `more`' if more else ''}.\n"
            f"    package static func call(_ parameters: {swift}.Parameters) -> [UInt8] {{\n"
            f'        var bytes = Array(#"{{"method":"{method}",{more}"parameters":"#.utf8)\n'
            "        parameters.append(to: &bytes)\n"
            '        bytes.append(UInt8(ascii: "}"))\n        return bytes\n    }\n')
        extensions["Parameters"].append(writer(f"{short}.Parameters", parameters))
    if "parameters" in uses:
        parts.append(
            "    /// Decodes the parameters of a call.\n    ///\n"
            "    /// - Throws: the error reply `InvalidParameter` when they do not match the interface.\n"
            f"    package static func parameters(_ data: Data) throws -> {swift}.Parameters {{\n"
            f"        try HotEnvelope.parameters(data) {{ {swift}.Parameters(&$0) }}\n    }}\n")
        extensions["Parameters"].insert(0, reader(parameters))
    if "reply" in uses:
        kept = [name for name, kind in reply if kind in KEPT]
        arguments = [f"{n}: {'[UInt8]' if n in kept else swift_type(t)}" for n, t in reply]
        room = " + ".join([f"{name}.count" for name in kept] + ["600"])
        parts.append(
            "    /// Encodes the parameters of a reply. "
            + " ".join(f"`{n}`: its ``Wire/{t}/hotJSON``." for n, t in reply if n in kept) + "\n"
            + wrapped("    ", "package static func reply(", arguments, ") -> [UInt8] {")
            + f'        var bytes = [UInt8(ascii: "{{")]\n        bytes.reserveCapacity({room})\n'
            + members("", reply, kept=True) + "        return bytes\n    }\n")
    if "readReply" in uses:
        parts.append(
            "    /// Decodes one complete reply, and whether more replies follow.\n    ///\n"
            "    /// - Throws: `VarlinkCallError` for an error reply, `DecodingError` for an invalid reply.\n"
            "    package static func readReply(\n        _ message: UnsafeBufferPointer<UInt8>\n"
            f"    ) throws -> (reply: {swift}.Reply, continues: Bool) {{\n"
            f"        try HotEnvelope.readReply(message) {{ {swift}.Reply(&$0) }}\n    }}\n")
        extensions["Reply"].append(reader(reply))
    if "quick" in uses:
        extensions["Reply"] += [reader(reply), quick(reply)]
    out = ""
    if parts:
        out += f"\n/// Encoding and decoding of `{method}` without the ordinary coders.\n"
        out += f"package enum {short}Codec {{\n" + "\n".join(parts) + "}\n"
    for message, functions in extensions.items():
        if functions:
            out += f"\nextension {swift}.{message} {{\n" + "\n".join(functions) + "}\n"
    return out


def hot_files(types, methods):
    """The files with the codecs of the methods in HOT and of the types that they need."""
    read, written = set(), set()

    def add(fields, found):
        for _, kind in fields:
            name = kind.lstrip("?[]")
            if name in types and name not in COLD and name not in found:
                found.add(name)
                add(types[name][0], found)

    codecs = ""
    for method, uses in HOT.items():
        swift, parameters, reply = methods[method]
        add(parameters if "parameters" in uses else [], read)
        add(reply if "readReply" in uses or "quick" in uses else [], read)
        add(parameters if "call" in uses or "more" in uses else [], written)
        add(reply if "reply" in uses or "quick" in uses else [], written)
        codecs += hot_method(method, swift, parameters, reply)
    head = "// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.\n"
    return {
        "HotCodecs.swift": head + "\npackage import FoundationEssentials\n" + codecs,
        "Wire+HotCodec.swift": head + hot_types(types, read, written),
    }


def main():
    files, types, methods = {}, {}, {}
    for path in sorted((ROOT / "Interfaces").glob("*.varlink")):
        interface = path.stem
        short = interface.rsplit(".", 1)[1]
        head = f"// Made from Interfaces/{path.name} by Scripts/generate-interfaces.py; edit that file.\n"
        body = f"{head}\nimport Varlink\n\n/// The interface `{interface}`.\npackage enum {short}Interface {{\n"
        body += f'    /// Its name.\n    package static let name = "{interface}"\n\n'
        body += "    /// Its text, as introspection gives it.\n"
        variable = path.name.replace(".", "_")
        body += ("    package static var description: String {\n"
                 f"        String(decoding: PackageResources.{variable}, as: UTF8.self)\n    }}\n")
        for kind, name, comment, groups in parse(path.read_text()):
            if kind == "type":
                if name in types and types[name][0] != groups[0]:
                    sys.exit(f"{path.name}: type {name} differs from the one in {types[name][2]}")
                if name not in types or (comment and not types[name][1]):
                    types[name] = (groups[0], comment, path.name)
            elif kind == "method":
                methods[f"{interface}.{name}"] = (f"{short}Interface.{name}", *groups)
                body += "\n" + documentation(comment or [f"{name}."], "    ")
                body += f"    package enum {name}: InterfaceMethod {{\n"
                body += f'        package static let name = "{interface}.{name}"\n\n'
                body += structure("Parameters", groups[0], "        ", "VarlinkMessage, Equatable", [])
                body += "\n" + structure("Reply", groups[1], "        ", "VarlinkMessage, Equatable", [])
                body += "    }\n"
            elif kind == "error":
                body += f'\n    package static let error{name} = "{interface}.{name}"\n'
        files[f"{short}Interface.swift"] = body + "}\n"
    body = ("// Made from the files in Interfaces by Scripts/generate-interfaces.py; edit those.\n\n"
            "import Varlink\n\n"
            "/// The types that several messages share, as they are on the wire.\npackage enum Wire {\n")
    body += "\n".join(
        structure(n, f, "    ", "VarlinkMessage, Hashable", c) for n, (f, c, _) in sorted(types.items()))
    files["Wire.swift"] = body + "}\n"
    files.update(hot_files(types, methods))
    stale = []
    for name, text in files.items():
        target = ROOT / "Generated" / name
        if not target.exists() or target.read_text() != text:
            stale.append(name)
            if "--check" not in sys.argv:
                target.parent.mkdir(exist_ok=True)
                target.write_text(text)
    if stale and "--check" in sys.argv:
        sys.exit("not up to date: " + ", ".join(stale) + "; run Scripts/generate-interfaces.py")


if __name__ == "__main__":
    main()
