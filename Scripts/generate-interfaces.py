#!/usr/bin/python3
"""Writes the Codable message types of Sources/DocentInterfaces from its .varlink files.

The interface files are the contract; the Swift types are made from them, so that they cannot disagree.
`--check` writes nothing and fails when a file is not up to date.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent / "Sources/DocentInterfaces"
# Integer fields that are indexes of descriptors (MECHANISMS T1).
DESCRIPTORS = {"file", "lease", "source", "destination", "socket", "content", "original", "thumbnail"}
BASIC = {"string": "String", "int": "Int", "float": "Double", "bool": "Bool"}


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
    return out + f"{indent}}}\n"


def main():
    files, types = {}, {}
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
