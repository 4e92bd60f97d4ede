#!/usr/bin/env python3
"""A client that attacks the daemon from inside its sandbox. Needs only the system's Python.

    hostile.py PLAN        the targets and the attacker's knowledge, as JSON; `group` selects the attacks

Each attack prints one line of JSON: the attack, the attempt, and the result. The tests evaluate them.
"""

import json
import os
import sys

import bookmarks
import descriptors
import extremes
import floods
import foreign
import honest
import kernel
import names
import noise
import picks
import surface
import view
import walk

GROUPS = {"bookmarks": bookmarks.run, "descriptors": descriptors.run, "extremes": extremes.run, "floods": floods.run,
          "foreign": foreign.run, "honest": honest.run, "kernel": kernel.run, "moves": names.moves, "names": names.run,
          "noise": noise.run, "picks": picks.run, "surface": surface.run, "view": view.run, "walk": walk.run}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    os.makedirs(plan["scratch"], exist_ok=True)
    GROUPS[plan["group"]](plan)
    print(json.dumps({"attack": "end", "tried": plan["group"], "came": "done"}), flush=True)


main()
