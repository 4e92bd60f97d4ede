"""The requests of programs."""

import json
import os
import pathlib
import time

from window import Atspi, PickerTest, eventually


class Requests(PickerTest):
    """The requests of programs, one after the other."""

    def ask(self, *requests):
        place = pathlib.Path(self.place.name)
        (place / "asked").write_text(json.dumps(list(requests)))
        os.replace(place / "asked", place / "requests")

    def request(self, identifier, **members):
        return {
            "identifier": identifier, "clientKind": "flatpak", "client": "org.example.Editor", "strength": "enforced",
            "process": 4711, "mode": "open", "access": "readWrite", "since": float(identifier)} | members

    def answers(self, count):
        def look():
            try:
                lines = pathlib.Path(self.place.name, "answers").read_text().splitlines()
            except FileNotFoundError:
                return None
            return [json.loads(line) for line in lines] if len(lines) >= count else None

        return eventually(look, "an answer")

    def listen(self, *requests):
        self.ask(*requests)
        self.start(b"", "--requests")

    def choose(self, folder, name):
        """From the accounts to a document."""
        self.shows("signed out")
        self.focus()
        self.type("ready")
        self.keys("Return")
        self.shows("minutes.txt")
        self.type(folder)
        self.keys("Return")
        self.shows(name)
        self.type(name)
        self.keys("Down")

    def test_a_request_says_who_asks_and_is_answered(self):
        self.listen(self.request(
            "1", types=["public.text"], reason="to count the words", companions=["{stem}.srt"]))
        self.shows("org.example.Editor (enforced, process 4711) asks to change it")
        self.shows('It says: "to count the words"')
        self.assertFalse(self.shown("other request"))
        self.choose("reports", "2025.txt")
        self.armed("Open")
        self.picture("picker-request.png")
        self.press("Open")
        self.assertEqual(self.answers(1), [{
            "identifier": "1",
            "location": {"provider": "org.example.Ready", "domain": "", "path": "/Reports/2025.txt"}}])
        eventually(lambda: self.named_windows() == [], "the end of the window")
        # The next one is shown when it comes.
        self.ask(self.request("2", mode="export", name="copy.txt", access=None))
        self.shows("Choose Where to Save")
        self.assertIsNone(self.picker.poll())

    def test_a_person_gives_less_than_was_asked_for(self):
        self.listen(self.request("1", companions=["{stem}.srt"]))
        self.choose("here", "first.txt")
        for name in ["Only reading", "With what is beside it"]:
            self.go_to(name)
            self.keys("space")
            eventually(lambda: Atspi.StateType.CHECKED in self.states(name), f"the mark of {name}")
        self.press("Open")
        answer = self.answers(1)[0]
        self.assertEqual(answer["access"], "read")
        self.assertNotIn("expires", answer)
        self.assertEqual(answer["companions"], ["{stem}.srt"])

    def test_several_requests_are_one_window_and_one_line(self):
        self.listen(*[self.request(str(number)) for number in range(1, 8)])
        self.shows("6 other requests wait.")
        self.assertEqual(len(self.named_windows()), 1)
        self.press("Refuse")
        self.shows("5 other requests wait.")
        self.assertEqual(self.answers(1), [{"identifier": "1"}])
        # More do not take the place of the one that is shown.
        self.ask(*[self.request(str(number)) for number in range(2, 20)], self.request("0.5", client="org.other"))
        self.shows("18 other requests wait.")
        self.assertTrue(self.shown("org.example.Editor (enforced, process 4711) asks"))

    def test_a_request_that_is_withdrawn_closes_its_window(self):
        self.listen(self.request("1"), self.request("2", client="org.other"))
        self.shows("org.example.Editor")
        self.ask(self.request("2", client="org.other"))
        self.shows("org.other (enforced, process 4711) asks")
        self.ask()
        eventually(lambda: self.named_windows() == [], "the end of the window")
        self.assertFalse(pathlib.Path(self.place.name, "answers").exists())
        self.assertIsNone(self.picker.poll())

    def test_an_answer_that_fails_is_said_in_the_window(self):
        self.listen(self.request("1"))
        self.choose("slow", "broken.txt")
        self.press("Open")
        self.shows("The service has gone away.")
        self.assertTrue(self.shown("asks to change it"))
        self.press("Try Again")
        self.shows("The service has gone away.")
        self.press("Refuse")
        self.assertEqual(self.answers(1), [{"identifier": "1"}])

    def test_a_request_to_move_something_names_its_place(self):
        self.listen(self.request("1", mode="move", name="report.txt", access="readWrite"))
        self.shows("signed out")
        self.focus()
        self.type("ready")
        self.keys("Return")
        self.shows("minutes.txt")
        self.press("Move")
        self.assertEqual(self.answers(1), [{
            "identifier": "1", "location": {"provider": "org.example.Ready", "domain": "", "path": "/"},
            "name": "report.txt"}])

    def test_it_ends_with_the_daemon(self):
        self.listen()
        time.sleep(0.2)
        self.daemon.kill()
        self.assertEqual(self.end()[0], 5)
