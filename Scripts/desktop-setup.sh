#!/usr/bin/env bash
# Installs what `make desktop` and `make test-desktop` need on Debian 12, beside the packages of Scripts/setup.sh.
set -euo pipefail

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
"${as_root[@]}" apt-get install -y --no-install-recommends \
    adwaita-icon-theme at-spi2-core bubblewrap dbus fuse3 gir1.2-atspi-2.0 gir1.2-gtk-3.0 gir1.2-gtk-4.0 imagemagick \
    libadwaita-1-dev libgtk-4-dev python3-gi python3-pyqt5 python3-pyqt6 qt5-xdgdesktopportal-platformtheme \
    qt6-xdgdesktopportal-platformtheme x11-utils xauth xdg-desktop-portal xdotool xvfb
