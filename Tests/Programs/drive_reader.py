"""A second reader of Docent's drives, after docs/drive-format.md; for tests. It shares no code with Docent.

usage: drive_reader.py list DIRECTORY PHRASE           the tree, one item a line, as JSON
       drive_reader.py cat DIRECTORY PHRASE PATH       the content of a document
       drive_reader.py vectors                         the test vectors of docs/drive-format.md

It reads a directory store. Anything that is not what the format says ends it with a message. libsodium is called
through ctypes, so that nothing has to be installed for it.
"""

import ctypes
import datetime
import json
import os
import sys
import unicodedata

sodium = ctypes.CDLL("libsodium.so.23")
assert sodium.sodium_init() >= 0

ROOT = bytes(16)
HEAD, SEGMENT, MEMBERS, CHECKPOINT, CHECKPOINT_PART, CHUNK, EPOCH, CLOSING, UNUSED = range(1, 10)
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Wrong(Exception):
    pass


def need(condition, text):
    if not condition:
        raise Wrong(text)


# The calls of libsodium.


def generichash(data, key=b"", size=32):
    out = ctypes.create_string_buffer(size)
    sodium.crypto_generichash(
        out, ctypes.c_size_t(size), data, ctypes.c_ulonglong(len(data)), key or None, ctypes.c_size_t(len(key))
    )
    return out.raw


def kdf(key, number, context):
    out = ctypes.create_string_buffer(32)
    sodium.crypto_kdf_derive_from_key(out, ctypes.c_size_t(32), ctypes.c_uint64(number), context, key)
    return out.raw


def secretbox_open(sealed, key):
    nonce, box = sealed[:24], sealed[24:]
    need(len(box) >= 16, "a box is too short")
    out = ctypes.create_string_buffer(max(len(box) - 16, 1))
    code = sodium.crypto_secretbox_open_easy(out, box, ctypes.c_ulonglong(len(box)), nonce, key)
    need(code == 0, "a box does not open")
    return out.raw[: len(box) - 16]


def box_keys(seed):
    public, secret = ctypes.create_string_buffer(32), ctypes.create_string_buffer(32)
    sodium.crypto_box_seed_keypair(public, secret, seed)
    return public.raw, secret.raw


def box_seal_open(sealed, public, secret):
    out = ctypes.create_string_buffer(max(len(sealed) - 48, 1))
    code = sodium.crypto_box_seal_open(out, sealed, ctypes.c_ulonglong(len(sealed)), public, secret)
    need(code == 0, "the phrase does not open the keys")
    return out.raw[: len(sealed) - 48]


def verify(signature, message, public):
    return sodium.crypto_sign_verify_detached(signature, message, ctypes.c_ulonglong(len(message)), public) == 0


def expand(seed, size):
    out = ctypes.create_string_buffer(size)
    sodium.randombytes_buf_deterministic(out, ctypes.c_size_t(size), seed)
    return out.raw


# The encoding: a part of deterministic CBOR.


def encode(value):
    def head(major, number):
        if number < 24:
            return bytes([major << 5 | number])
        for width, code in ((1, 24), (2, 25), (4, 26), (8, 27)):
            if number < 1 << (8 * width):
                return bytes([major << 5 | code]) + number.to_bytes(width, "big")
        raise Wrong("a number is too large")

    if value is None:
        return b"\xf6"
    if isinstance(value, bool):
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        data = value.encode()
        return head(3, len(data)) + data
    if isinstance(value, (list, tuple)):
        return head(4, len(value)) + b"".join(map(encode, value))
    return head(5, len(value)) + b"".join(head(0, key) + encode(value[key]) for key in sorted(value))


def decode_one(data, start=0):
    first = data[start]
    if first in (0xF4, 0xF5, 0xF6):
        return {0xF4: False, 0xF5: True, 0xF6: None}[first], start + 1
    major, short, at = first >> 5, first & 31, start + 1
    number = short
    if short >= 24:
        need(short <= 27, "a length is not definite")
        width = 1 << (short - 24)
        number = int.from_bytes(data[at : at + width], "big")
        at += width
    if major == 0:
        return number, at
    if major == 1:
        return -1 - number, at
    if major in (2, 3):
        need(at + number <= len(data), "a string is cut off")
        part = bytes(data[at : at + number])
        return (part if major == 2 else part.decode()), at + number
    if major == 4:
        items = []
        for _ in range(number):
            item, at = decode_one(data, at)
            items.append(item)
        return items, at
    need(major == 5, "a type that does not occur")
    items = {}
    for _ in range(number):
        key, at = decode_one(data, at)
        items[key], at = decode_one(data, at)
    return items, at


def decode(data):
    value, end = decode_one(data)
    need(end == len(data) and encode(value) == bytes(data), "an encoding is not the only one of its value")
    return value


def padme(count):
    if count <= 256:
        return 256
    exponent = count.bit_length() - 1
    mask = (1 << (exponent - exponent.bit_length())) - 1
    return (count + mask) & ~mask


# The recovery phrase.


def phrase_entropy(text):
    symbols = [ALPHABET.index(c) for c in text.upper().replace("-", "").replace(" ", "")]
    need(len(symbols) == 40, "a phrase has eight groups of five")
    number = 0
    for group in range(8):
        part = symbols[group * 5 : group * 5 + 5]
        need(generichash(bytes([group] + part[:4]))[0] & 31 == part[4], f"group {group + 1} is mistyped")
        for symbol in part[:4]:
            number = number << 5 | symbol
    return number.to_bytes(20, "big")


def phrase_text(entropy):
    number = int.from_bytes(entropy, "big")
    symbols = [number >> (155 - 5 * i) & 31 for i in range(32)]
    groups = []
    for group in range(8):
        part = symbols[group * 4 : group * 4 + 4]
        part.append(generichash(bytes([group] + part))[0] & 31)
        groups.append("".join(ALPHABET[s] for s in part))
    return "-".join(groups)


def phrase_keys(text):
    root = generichash(phrase_entropy(text), b"docent drive recovery phrase 1")
    return box_keys(kdf(root, 1, b"DocPhras")), kdf(root, 2, b"DocPhras")


# Chunks.


class Chunker:
    def __init__(self, drive_key):
        table = expand(kdf(drive_key, 2, b"DocDrvKy"), 2048)
        self.table = [int.from_bytes(table[i * 8 : i * 8 + 8], "little") for i in range(256)]

    def first(self, data, start=0):
        left = len(data) - start
        if left <= 256 << 10:
            return left
        end, middle = min(left, 4 << 20), min(1 << 20, left)
        strict, loose, fingerprint = ((1 << 22) - 1) << 42, ((1 << 18) - 1) << 46, 0
        for at in range(256 << 10, end):
            fingerprint = ((fingerprint << 1) + self.table[data[start + at]]) & (1 << 64) - 1
            if fingerprint & (strict if at < middle else loose) == 0:
                return at + 1
        return end


# The store: registers are rows of files.


class Drive:
    def __init__(self, directory, phrase):
        self.directory = directory
        form = json.loads(self.file("format.json"))
        need(form["format"] == "docent-drive" and form["version"] == 1, "no drive of version 1")
        (public, secret), proof_key = phrase_keys(phrase)
        need(form["phraseKey"] == public.hex(), "the phrase is that of another drive")
        body, proof = decode(box_seal_open(self.file("epochs/" + form["epoch"]), public, secret))
        need(generichash(body, proof_key) == proof, "the keys do not come from an owner of the phrase")
        keys = decode(body)
        need(keys[1].hex() == form["drive"], "the keys are those of another drive")
        self.drive_key = keys[2]
        self.epochs = dict((epoch, key) for epoch, key in keys[4])
        self.epoch = keys[3]
        self.phrase_key = public
        self.epoch_signatures = []
        self.follow_epochs(self.register("members")[1:17], public, secret)
        self.chunk_key = kdf(self.drive_key, 1, b"DocDrvKy")

    def follow_epochs(self, last, public, secret):
        steps = []
        while last != self.epoch:
            need(last not in self.epochs and len(steps) < 1000, "the keys do not continue")
            steps.append(last)
            last = self.file("epochs/" + last.hex())[1:17]
        for step in reversed(steps):
            name = "epochs/" + step.hex()
            signed = decode(self.open(self.file(name), EPOCH, name))
            body = decode(signed[0])
            need(body[1] == step and body[2] == self.epoch, f"{name} follows another epoch")
            keys = decode(box_seal_open(body[4], public, secret))
            epochs = dict((epoch, key) for epoch, key in keys[4])
            need(
                keys[2] == self.drive_key
                and keys[3] == step
                and keys[5] == self.phrase_key
                and all(epochs.get(epoch) == key for epoch, key in self.epochs.items()),
                f"{name} does not continue the keys before it",
            )
            self.epoch_signatures.append((name, signed))
            self.epoch, self.epochs = step, epochs

    def file(self, name):
        with open(os.path.join(self.directory, name), "rb") as source:
            return source.read()

    def register(self, name):
        folder, base = os.path.split(os.path.join(self.directory, name))
        numbers = [
            int(entry.rsplit(".", 1)[1])
            for entry in os.listdir(folder)
            if entry.rsplit(".", 1)[0] == base and entry.rsplit(".", 1)[-1].isdigit()
        ]
        need(numbers, f"there is no {name}")
        return self.file(f"{name}.{max(numbers)}")

    def open(self, sealed, kind, name):
        need(sealed[0] == 1, f"{name} has another version")
        need(bytes(sealed[1:17]) in self.epochs, f"{name} has an epoch that nobody announced")
        plain = secretbox_open(sealed[17:], kdf(self.epochs[bytes(sealed[1:17])], kind, b"DocDrive"))
        need(len(plain) == padme(len(plain)), f"{name} is not padded")
        (found, label, payload), end = decode_one(plain)
        need(not any(plain[end:]) and found == kind and label == name, f"{name} is another object")
        return payload

    def is_of_kind(self, sealed, kind, name):
        try:
            self.open(sealed, kind, name)
            return True
        except Wrong:
            return False

    def signed(self, sealed, kind, name, key_of):
        return self.verified(decode(self.open(sealed, kind, name)), kind, name, key_of)

    @staticmethod
    def verified(payload, kind, name, key_of):
        body, signer, signature = payload
        message = encode(["docent-drive-1", kind, name, signer, body])
        value = body if kind == CLOSING else decode(body)
        need(verify(signature, message, key_of(signer, value)), f"the signature of {name} is wrong")
        return value, signer

    def records(self):
        members, _ = self.signed(
            self.register("members"), MEMBERS, "members", lambda signer, value: {m[0]: m[2] for m in value[2]}[signer]
        )
        keys = {member[0]: member[2] for member in members[2]}
        ends = {entry[0]: entry[1] for entry in members.get(3, [])}
        need(members.get(4, self.epoch) == self.epoch, "the members are sealed with another epoch")
        for name, signed in self.epoch_signatures:
            self.verified(signed, EPOCH, name, lambda signer, _: keys[signer])
        for device, key in keys.items():
            name = "devices/" + device.hex()
            sealed = self.register(name)
            if self.is_of_kind(sealed, CLOSING, name):
                sealed, closer = self.signed(sealed, CLOSING, name, lambda signer, _: keys[signer])
                need(closer != device, "a device has closed its own head")
            head, signer = self.signed(sealed, HEAD, name, lambda *_, key=key: key)
            need(signer == device and head[1] == device, f"{name} is another head")
            position, records = (0, bytes(32)), []
            for label, first, (end, chain) in head[4]:
                need(label == f"log/{device.hex()}/{end}-{chain[:8].hex()}", "a segment has a wrong name")
                segment, signer = self.signed(self.file(label), SEGMENT, label, lambda *_, key=key: key)
                need(signer == device and segment[0] == device and segment[1] == first, "another segment")
                position = self.follow(position, segment[2])
                need(position == (end, chain), f"the chain breaks in {label}")
                records += segment[2]
            position = self.follow(position, head[5])
            need(list(position) == head[3], f"the chain breaks in {name}")
            records += head[5]
            if device in ends:
                need(len(records) >= ends[device][0], f"records of {name} are missing")
                records = records[: ends[device][0]]
                need(list(self.follow((0, bytes(32)), records)) == ends[device], f"{name} has another end")
            for encoded in records:
                record = decode(encoded)
                need(record[2][1] == device, "a record is stamped by another device")
                yield record

    @staticmethod
    def follow(position, records):
        count, chain = position
        for record in records:
            chain = generichash(chain + record)
            count += 1
        return count, chain

    # The fold.

    def tree(self):
        found = {}
        for record in self.records():
            stamp = tuple(record[2])
            key = (record[1], stamp if record[4] == 1 else None)
            if key not in found or stamp < tuple(found[key][2]):
                found[key] = record
        records = sorted(found.values(), key=lambda record: tuple(record[2]))
        places, names, versions, arrived, trash, purge, chunks = {}, {}, {}, set(), {}, {}, {}
        gone = {pack for record in records if record[4] == 8 for pack in record[5][2]}
        for record in records:
            kind, body, stamp = record[4], record[5], tuple(record[2])
            if kind == 1:
                at = body[2]
                while at != body[1] and at in places:
                    at = places[at]["parent"]
                if at == body[1]:
                    if body[1] in places:
                        places[body[1]]["touched"] = stamp
                else:
                    places[body[1]] = dict(
                        parent=body[2], name=body[3], folder=body[4], stamp=stamp, touched=stamp, time=record[3]
                    )
            elif kind == 2:
                versions.setdefault(body[2], (body, stamp))
            elif kind == 8:
                continue
            elif kind == 3:
                if body[1] in gone:
                    continue
                for chunk, offset, length in body[3]:
                    chunks.setdefault(chunk, (body[1], body[2], offset, length))
            elif kind == 4:
                arrived.add(body[1])
            elif kind in (5, 6):
                for item, heads, of_trash in body[1]:
                    note = (trash if kind == 5 else purge).setdefault(item, dict(heads=set(), trashes=set()))
                    note["heads"].update(heads)
                    note["trashes"].add(of_trash)
                    note["stamp"], note["record"] = stamp, record[1]
            elif kind == 7:
                names[stamp[1]] = body[1]
            else:
                raise Wrong("a record of unknown kind")
        self.chunks = chunks
        arrived |= {version for version, (body, _) in versions.items() if body[4][0] == 0}
        heads, current = {}, {}
        by_item = {}
        for version, (body, stamp) in versions.items():
            by_item.setdefault(body[1], []).append(version)
        for item, mine in by_item.items():
            replaced = {parent for version in mine for parent in versions[version][0][3]}
            heads[item] = [version for version in mine if version not in replaced]
            candidates = [version for version in heads[item] if version in arrived]
            waiting, seen = ([] if candidates else list(heads[item])), set(heads[item])
            while waiting:
                for parent in versions[waiting.pop()][0][3]:
                    if parent in versions and parent not in seen:
                        seen.add(parent)
                        (candidates if parent in arrived else waiting).append(parent)
            if candidates or heads[item]:
                current[item] = max(candidates or heads[item], key=lambda version: versions[version][1])
        hidden = {
            item
            for item, place in places.items()
            if item in trash
            and trash[item]["stamp"] > place["touched"]
            and set(heads.get(item, ())) <= trash[item]["heads"]
        }
        live = set()
        for item in places:
            at = item if item not in hidden else None
            while at in places and at not in live:
                live.add(at)
                at = places[at]["parent"]
        shown = {}
        folders = {}
        for item in live:
            parent = places[item]["parent"]
            folders.setdefault(parent if parent in places else ROOT, []).append(item)
        for inside in folders.values():
            inside.sort(key=lambda item: places[item]["stamp"])
            used, later = set(), []
            for item in inside:
                name = unicodedata.normalize("NFC", places[item]["name"])
                if name in used:
                    later.append(item)
                else:
                    used.add(name)
                    shown[item] = places[item]["name"]
            for item in later:
                number = 1
                while True:
                    name = conflict_name(places[item], names, number)
                    if unicodedata.normalize("NFC", name) not in used:
                        break
                    number += 1
                used.add(unicodedata.normalize("NFC", name))
                shown[item] = name
        result = {}
        for item in live:
            path, at = shown[item], places[item]["parent"]
            while at in places:
                path, at = shown[at] + "/" + path, places[at]["parent"]
            version = current.get(item)
            result[path] = dict(
                item=item.hex(),
                folder=places[item]["folder"],
                version=version.hex() if version else None,
                size=versions[version][0][5] if version else None,
                arrived=version in arrived if version else None,
            )
        self.versions = versions
        return result

    def chunk(self, identifier, length):
        pack, epoch, offset, size = self.chunks[identifier]
        sealed = self.file("packs/" + pack.hex())[offset : offset + size]
        plain = secretbox_open(sealed, kdf(self.epochs[epoch], CHUNK, b"DocDrive"))
        need(plain[0] == 0, "a chunk is compressed in an unknown way")
        need(generichash(plain[1:], self.chunk_key) == identifier and len(plain) == length + 1, "another chunk")
        return plain[1:]

    def content(self, version):
        kind, data = self.versions[bytes.fromhex(version)][0][4]
        if kind == 0:
            return data
        for _ in range(kind):
            data = b"".join(
                self.chunk(data[i : i + 32], int.from_bytes(data[i + 32 : i + 36], "big"))
                for i in range(0, len(data), 36)
            )
        return data


def conflict_name(place, names, number):
    name, stem, suffix = place["name"], place["name"], ""
    dot = name.rfind(".")
    if not place["folder"] and dot > 0 and len(name[dot:].encode()) <= 32 and dot + 1 < len(name):
        stem, suffix = name[:dot], name[dot:]
    device = place["stamp"][1]
    label = names.get(device, device.hex()[:6])[:40].replace("/", "").replace("\0", "")
    date = datetime.datetime.fromtimestamp(place["time"] / 1000, datetime.timezone.utc).date()
    note = f" ({label} {date}{'' if number == 1 else f' {number}'})"
    while stem and len((stem + note + suffix).encode()) > 255:
        stem = stem[:-1]
    return stem + note + suffix


def vectors():
    drive_key, epoch_key = bytes(range(32)), bytes(range(32, 64))
    content = expand(bytes([7] * 32), 3 << 20)
    chunker, lengths, at = Chunker(drive_key), [], 0
    while at < len(content):
        lengths.append(chunker.first(content, at))
        at += lengths[-1]
    (public, _), proof = phrase_keys(phrase_text(bytes(range(20))))
    record = {
        1: bytes([1] * 16),
        2: [1_700_000_000_000, bytes([2] * 16)],
        3: 1_700_000_000_000,
        4: 1,
        5: {1: bytes([3] * 16), 2: ROOT, 3: "notes.txt", 4: False, 5: None},
    }
    return {
        "cbor": encode([0, 23, 24, 255, 256, -1, -500, b"\x01", "\xe9", {1: True, 24: None}]).hex(),
        "record": encode(record).hex(),
        "chain": generichash(bytes(32) + encode(record)).hex(),
        "headKey": kdf(epoch_key, HEAD, b"DocDrive").hex(),
        "chunk": generichash(b"docent", kdf(drive_key, 1, b"DocDrvKy")).hex(),
        "lengths": lengths,
        "padme": [padme(count) for count in (0, 256, 257, 1000, 1_000_000, 8 << 20)],
        "phrase": phrase_text(bytes(range(20))),
        "phraseKey": public.hex(),
        "proofKey": proof.hex(),
    }


def main(arguments):
    if arguments[:1] == ["vectors"]:
        print(json.dumps(vectors(), indent=2))
    elif arguments[:1] == ["list"] and len(arguments) == 3:
        for path, entry in sorted(Drive(*arguments[1:3]).tree().items()):
            print(json.dumps(dict(path=path, **entry)))
    elif arguments[:1] == ["cat"] and len(arguments) == 4:
        drive = Drive(*arguments[1:3])
        sys.stdout.buffer.write(drive.content(drive.tree()[arguments[3]]["version"]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Wrong as problem:
        sys.exit(f"drive_reader: {problem}")
