"""A program that asks the desktop portal for files: it prints the answer as a line of JSON.

    portal_client.py METHOD OPTIONS      METHOD of the interface, OPTIONS in the text form of GVariant
    portal_client.py gtk3|gtk4|qt5|qt6 open|save    with the dialog of a toolkit

It ends its request with Close when a line arrives on standard input.
"""

import json
import os
import sys
import threading
import time

import gi
from gi.repository import Gio, GLib


def ask(method, options):
    bus = Gio.bus_get_sync(Gio.BusType.SESSION)
    loop = GLib.MainLoop()
    token = "docent"
    sender = bus.get_unique_name()[1:].replace(".", "_")
    handle = f"/org/freedesktop/portal/desktop/request/{sender}/{token}"

    def respond(_bus, _sender, _path, _interface, _signal, parameters):
        response, results = parameters.unpack()
        if "READ" in os.environ and response == 0:
            path = Gio.File.new_for_uri(results["uris"][0]).get_path()
            with open(path, encoding="utf-8") as file:
                results |= {"path": path, "content": file.read(), "seen": os.path.exists(os.environ["READ"])}
            try:
                with open(path, "a", encoding="utf-8") as file:
                    file.write(" and more")
            except OSError as error:
                results["error"] = error.errno
        print(json.dumps({"response": response} | results), flush=True)
        loop.quit()

    bus.signal_subscribe(
        "org.freedesktop.portal.Desktop", "org.freedesktop.portal.Request", "Response", handle, None, 0, respond)
    given = GLib.Variant.parse(GLib.VariantType("a{sv}"), options, None, None)
    members = {given.get_child_value(i).get_child_value(0).get_string():
               given.get_child_value(i).get_child_value(1).get_variant() for i in range(given.n_children())}
    members["handle_token"] = GLib.Variant("s", token)
    bus.call_sync(
        "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.portal.FileChooser",
        method, GLib.Variant("(ssa{sv})", ("", "Choose what to send", members)), None, 0, -1, None)
    print(json.dumps({"asked": handle}), flush=True)

    def close():
        bus.call_sync(
            "org.freedesktop.portal.Desktop", handle, "org.freedesktop.portal.Request", "Close", None, None, 0, -1,
            None)
        print(json.dumps({"closed": True}), flush=True)
        loop.quit()

    def listen():
        if sys.stdin.readline():
            GLib.idle_add(close)

    threading.Thread(target=listen, daemon=True).start()
    loop.run()


def toolkit(version, verb):
    gi.require_version("Gtk", version)
    gi.require_version("Gdk", version)
    from gi.repository import Gtk

    loop = GLib.MainLoop()
    if version == "3.0":
        Gtk.init([])
    else:
        Gtk.init()
    window = Gtk.Window(title="The program")
    window.show() if version == "4.0" else window.show_all()
    action = Gtk.FileChooserAction.OPEN if verb == "open" else Gtk.FileChooserAction.SAVE
    dialog = Gtk.FileChooserNative.new("Choose what to send", window, action, None, None)
    kind = Gtk.FileFilter()
    kind.set_name("Texts")
    kind.add_pattern("*.txt")
    dialog.add_filter(kind)
    if verb == "save":
        dialog.set_current_name("saved.txt")
    dialog.set_modal(True)

    def respond(_dialog, response):
        chosen = dialog.get_file()
        print(json.dumps({
            "response": 0 if response == Gtk.ResponseType.ACCEPT else 1,
            "path": chosen.get_path() if chosen else None}), flush=True)
        loop.quit()

    dialog.connect("response", respond)
    dialog.show()
    print(json.dumps({"asked": verb}), flush=True)
    loop.run()


def qt(version, verb):
    widgets = __import__(f"PyQt{version}.QtWidgets", fromlist=["QtWidgets"])
    application = widgets.QApplication([])
    window = widgets.QWidget()
    window.show()
    # Until it knows the version of the portal, Qt 6 shows a dialog of its own.
    Gio.bus_get_sync(Gio.BusType.SESSION).call_sync(
        "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop", "org.freedesktop.DBus.Properties", "Get",
        GLib.Variant("(ss)", ("org.freedesktop.portal.FileChooser", "version")), None, 0, -1, None)
    end = time.monotonic() + 1
    while time.monotonic() < end:
        application.processEvents()
    print(json.dumps({"asked": verb}), flush=True)
    if verb == "open":
        path, _ = widgets.QFileDialog.getOpenFileName(window, "Choose what to send", "", "Texts (*.txt)")
    else:
        path, _ = widgets.QFileDialog.getSaveFileName(window, "Choose what to send", "saved.txt", "Texts (*.txt)")
    print(json.dumps({"response": 0 if path else 1, "path": path or None}), flush=True)
    window.close()
    application.quit()


if sys.argv[1] in ("qt5", "qt6"):
    qt(sys.argv[1][2], sys.argv[2])
elif sys.argv[1] in ("gtk3", "gtk4"):
    toolkit(sys.argv[1][3] + ".0", sys.argv[2])
else:
    ask(sys.argv[1], sys.argv[2])
