"""An identity server for tests, on oauthlib: authorization code with PKCE, device code, refresh with rotation,
introspection, revocation.

All state is kept in memory and ends with the process. README.md has the addresses and the controls for tests.
"""

import argparse
import base64
import html
import http.server
import json
import os
import secrets
import ssl
import threading
import time
import urllib.parse

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from oauthlib import common, oauth2  # noqa: E402
from oauthlib.oauth2.rfc8628.endpoints import DeviceAuthorizationEndpoint  # noqa: E402
from oauthlib.oauth2.rfc8628.grant_types import DeviceCodeGrant  # noqa: E402

# The secret of a client; None for public clients.
CLIENTS = {"docent": None, "docent-with-secret": "hush-client-5d1c", "webdav-server": "introspection-77ab"}


class Client:
    def __init__(self, client_id):
        self.client_id = client_id


class Store(oauth2.RequestValidator):
    """The granted codes and tokens."""

    def __init__(self, user, password):
        self.user, self.password = user, password
        self.settings = {"expires": 3600, "rotate": True, "interval": 1, "deviceExpires": 600, "issuer": None, "blind": False}
        self.codes, self.devices, self.access, self.refresh = {}, {}, {}, {}

    def knows(self, form):
        return form.get("username") == self.user and form.get("password") == self.password

    # Clients

    def _given(self, request):
        header = request.headers.get("Authorization", "")
        if header.startswith("Basic "):
            pair = base64.b64decode(header[6:]).decode().split(":", 1)
            return tuple(urllib.parse.unquote(part) for part in pair)
        return request.client_id, request.client_secret

    def client_authentication_required(self, request, *args, **kwargs):
        client_id, secret = self._given(request)
        return secret is not None or CLIENTS.get(client_id) is not None

    def authenticate_client(self, request, *args, **kwargs):
        client_id, secret = self._given(request)
        request.client, request.client_id = Client(client_id), client_id
        return CLIENTS.get(client_id) is not None and CLIENTS[client_id] == secret

    def authenticate_client_id(self, client_id, request, *args, **kwargs):
        request.client = Client(client_id)
        return client_id in CLIENTS and CLIENTS[client_id] is None

    def validate_client_id(self, client_id, request, *args, **kwargs):
        request.client = Client(client_id)
        return client_id in CLIENTS

    def validate_grant_type(self, client_id, grant_type, client, request, *args, **kwargs):
        return grant_type in ("authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code")

    def validate_response_type(self, client_id, response_type, client, request, *args, **kwargs):
        return response_type == "code"

    def validate_scopes(self, client_id, scopes, client, request, *args, **kwargs):
        return set(scopes) <= {"files", "offline_access"}

    def get_default_scopes(self, client_id, request, *args, **kwargs):
        return ["files"]

    # Codes

    def validate_redirect_uri(self, client_id, redirect_uri, request, *args, **kwargs):
        return redirect_uri.startswith(("http://127.0.0.1:", "http://[::1]:"))

    def is_pkce_required(self, client_id, request):
        return True

    def save_authorization_code(self, client_id, code, request, *args, **kwargs):
        self.codes[code["code"]] = {
            "client": client_id, "redirect": request.redirect_uri, "scopes": request.scopes, "user": request.user,
            "challenge": request.code_challenge, "method": request.code_challenge_method, "expires": time.time() + 60,
        }

    def validate_code(self, client_id, code, client, request, *args, **kwargs):
        known = self.codes.get(code)
        if not known or known["client"] != client_id or known["expires"] < time.time():
            return False
        request.user, request.scopes = known["user"], known["scopes"]
        return True

    def confirm_redirect_uri(self, client_id, code, redirect_uri, client, request, *args, **kwargs):
        return self.codes[code]["redirect"] == redirect_uri

    def get_code_challenge(self, code, request):
        return self.codes[code]["challenge"]

    def get_code_challenge_method(self, code, request):
        return self.codes[code]["method"]

    def invalidate_authorization_code(self, client_id, code, request, *args, **kwargs):
        self.codes.pop(code, None)

    def validate_device_code(self, client_id, code, request, *args, **kwargs):
        device = self.devices.get(code)
        if not device or device["client"] != client_id or device["state"] == "used":
            return None
        now, last = time.time(), device["polled"]
        device["polled"] = now
        if device["expires"] < now:
            return DeviceCodeGrant.DEVICE_CODE_EXPIRED
        if device["state"] == "denied":
            return DeviceCodeGrant.DEVICE_CODE_DENIED
        if last and now - last < device["interval"] * 0.9:
            device["interval"] += 5
            return DeviceCodeGrant.DEVICE_CODE_SLOW_DOWN
        if device["state"] != "approved":
            return DeviceCodeGrant.DEVICE_CODE_PENDING
        request.user, request.scopes = self.user, device["scopes"]
        return DeviceCodeGrant.DEVICE_CODE_AUTHORIZED

    # Tokens

    def rotate_refresh_token(self, request):
        return self.settings["rotate"]

    def save_bearer_token(self, token, request, *args, **kwargs):
        old = self.refresh.get(request.refresh_token) if request.grant_type == "refresh_token" else None
        family = old["family"] if old else secrets.token_hex(8)
        if request.device_code in self.devices:
            self.devices[request.device_code]["state"] = "used"
        about = {"client": request.client_id, "user": request.user or self.user, "family": family, "scopes": request.scopes}
        self.access[token["access_token"]] = {**about, "expires": time.time() + token["expires_in"]}
        refresh = token.get("refresh_token")
        if refresh and refresh not in self.refresh:
            if old:
                old["used"] = True
            self.refresh[refresh] = {**about, "used": False}

    def validate_refresh_token(self, refresh_token, client, request, *args, **kwargs):
        known = self.refresh.get(refresh_token)
        if not known or known["client"] != client.client_id:
            return False
        if known["used"]:
            # The token was used twice: it is unknown which client stole it.
            self.revoke_family(known["family"])
            return False
        request.user = known["user"]
        return True

    def get_original_scopes(self, refresh_token, request, *args, **kwargs):
        return self.refresh[refresh_token]["scopes"]

    def revoke_family(self, family):
        for tokens in (self.access, self.refresh):
            for token in [one for one, about in tokens.items() if about["family"] == family]:
                del tokens[token]

    def revoke_token(self, token, token_type_hint, request, *args, **kwargs):
        known = self.access.get(token) or self.refresh.get(token)
        if known:
            self.revoke_family(known["family"])

    def introspect_token(self, token, token_type_hint, request, *args, **kwargs):
        known = self.access.get(token)
        is_blind = self.settings["blind"] or request.client_id != "webdav-server"
        if not known or known["expires"] < time.time() or is_blind:
            return None
        return {"username": known["user"], "sub": known["user"], "client_id": known["client"], "exp": int(known["expires"]) + 1,
                "scope": " ".join(known["scopes"]), "token_type": "Bearer"}


class Devices(DeviceAuthorizationEndpoint):
    def __init__(self, store, url):
        super().__init__(
            store, url + "device", expires_in=store.settings["deviceExpires"], interval=store.settings["interval"],
            verification_uri_complete=url + "device?user_code={user_code}",
            user_code_generator=lambda: "-".join("".join(secrets.choice("BCDFGHJKLMNPQRSTVWXZ") for _ in range(4)) for _ in "12"))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.handle_request("")

    def do_POST(self):
        self.handle_request(self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode())

    def handle_request(self, body):
        place = self.server.place
        path = urllib.parse.urlsplit(self.path).path
        if path.startswith("/control/"):
            return self.control(path[9:], json.loads(body or "{}"))
        form = dict(urllib.parse.parse_qsl(body))
        with place.lock:
            record = {"path": path, "grant": form.get("grant_type"), "status": None}
            place.requests.append(record)
            fault = next((one for one in place.faults if one["path"] == path and one["count"] > 0), None)
            if fault:
                fault["count"] -= 1
        kind = fault["kind"] if fault else None
        if kind == "delay":
            time.sleep(fault["seconds"])
        elif kind == "cut":
            self.close_connection = True
            return None
        elif kind == "answer":
            record["status"] = fault["status"]
            return self.answer(fault["status"], fault.get("headers", {}), fault.get("body", ""))
        elif kind == "huge":
            return self.answer(200, {"Content-Type": "application/json"}, '{"x": "' + "x" * 5_000_000 + '"}')
        with place.lock:
            headers, text, status = self.route(path, body, form)
        record["status"] = status
        if kind == "lose":
            self.close_connection = True
            return None
        return self.answer(status, headers, text)

    def answer(self, status, headers, text):
        data = (text if isinstance(text, str) else json.dumps(text)).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            self.close_connection = True

    def route(self, path, body, form):
        place, store = self.server.place, self.server.place.store
        uri, headers = place.url + self.path.lstrip("/"), dict(self.headers)
        if path in ("/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"):
            return {"Content-Type": "application/json"}, place.description(), 200
        if path == "/token":
            return place.server.create_token_response(uri, self.command, body, headers)
        if path == "/introspect":
            return place.server.create_introspect_response(uri, self.command, body, headers)
        if path == "/revoke":
            return place.server.create_revocation_response(uri, self.command, body, headers)
        if path == "/device_authorization":
            answer = Devices(store, place.url).create_device_authorization_response(uri, self.command, body, headers)
            if answer[2] == 200:
                data = answer[1]
                store.devices[data["device_code"]] = {
                    "client": store._given(common.Request(uri, "POST", body, headers))[0],
                    "code": data["user_code"], "state": "waiting", "polled": None, "interval": data["interval"],
                    "expires": time.time() + data["expires_in"], "scopes": data.get("scope", "files").split(),
                }
            return {"Content-Type": "application/json", **answer[0]}, answer[1], answer[2]
        if path == "/authorize":
            return self.authorize(uri, headers, form)
        if path == "/device":
            return self.device(form)
        return {}, "not found", 404

    def authorize(self, uri, headers, form):
        """The page that a browser is sent to, and its outcome."""
        place = self.server.place
        try:
            scopes, request = place.server.validate_authorization_request(uri, "GET", None, headers)
        except oauth2.FatalClientError as error:
            return {}, f"error: {error.error} {error.description or ''}", 400
        except oauth2.OAuth2Error as error:
            return {"Location": error.in_uri(error.redirect_uri)}, "", 302
        if self.command == "GET":
            return self.page("Sign in")
        if form.get("action") == "deny":
            query = {"error": "access_denied", "error_description": "Anna said no", "state": request["state"] or ""}
            return {"Location": request["redirect_uri"] + "?" + urllib.parse.urlencode({**query, "iss": place.issuer()})}, "", 302
        if not place.store.knows(form):
            return self.page("Wrong user name or password", status=403)
        headers, text, status = place.server.create_authorization_response(
            uri, "GET", None, headers, scopes=scopes, credentials={"user": form["username"]})
        if "Location" in headers:
            headers["Location"] += "&" + urllib.parse.urlencode({"iss": place.issuer()})
        return headers, text or "", status

    def device(self, form):
        """The page where a code is typed."""
        store = self.server.place.store
        if self.command == "GET":
            return self.page("Type the code")
        device = next((one for one in store.devices.values() if one["code"] == form.get("user_code")), None)
        if not device or not store.knows(form):
            return self.page("Wrong code, user name or password", status=403)
        device["state"] = "denied" if form.get("action") == "deny" else "approved"
        return self.page("Done")

    @staticmethod
    def page(title, status=200):
        text = (
            f"<!DOCTYPE html><title>{html.escape(title)}</title><h1>{html.escape(title)}</h1><form method=post>"
            "<input name=user_code><input name=username><input name=password type=password>"
            "<button name=action value=approve>Approve</button><button name=action value=deny>Deny</button></form>")
        return {"Content-Type": "text/html; charset=utf-8"}, text, status

    def control(self, what, wish):
        place, store = self.server.place, self.server.place.store
        answer = {}
        with place.lock:
            if what == "settings":
                store.settings.update(wish)
            elif what == "fault":
                place.faults.append({"count": 1, **wish})
            elif what == "clear":
                place.faults.clear()
                place.requests.clear()
            elif what == "expire":
                for about in store.access.values():
                    about["expires"] = 0
            elif what == "revoke":
                store.access.clear()
                store.refresh.clear()
            elif what == "state":
                answer = {
                    "access": [one for one, about in store.access.items() if about["expires"] > time.time()],
                    "refresh": [one for one, about in store.refresh.items() if not about["used"]],
                    "requests": place.requests,
                    "userCodes": [one["code"] for one in store.devices.values() if one["state"] == "waiting"],
                }
        self.answer(200, {"Content-Type": "application/json"}, answer)


class Place:
    """One identity server."""

    def __init__(self, url, introspection, user, password):
        self.url, self.introspection, self.lock = url, introspection, threading.RLock()
        self.requests, self.faults = [], []
        self.store = Store(user, password)
        self.server = oauth2.Server(
            self.store, token_expires_in=lambda request: self.store.settings["expires"],
            token_generator=lambda request, refresh_token=False: "hush-at-" + secrets.token_hex(16),
            refresh_token_generator=lambda request: "hush-rt-" + secrets.token_hex(16))

    def issuer(self):
        return self.store.settings["issuer"] or self.url.rstrip("/")

    def description(self):
        return {
            "issuer": self.issuer(),
            "authorization_endpoint": self.url + "authorize", "token_endpoint": self.url + "token",
            "device_authorization_endpoint": self.url + "device_authorization",
            "introspection_endpoint": self.introspection, "revocation_endpoint": self.url + "revoke",
            "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "authorization_response_iss_parameter_supported": True,
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user", required=True)
    parser.add_argument("--introspection-port", type=int, required=True)
    parser.add_argument("--certificates", required=True, help="directory of the certificate")
    parser.add_argument("--tls", action="store_true")
    options = parser.parse_args()
    url = f"http{'s' if options.tls else ''}://127.0.0.1:{options.port}/"
    introspection = f"https://127.0.0.1:{options.introspection_port}/introspect"
    place = Place(url, introspection, options.user, os.environ["DOCENT_TEST_PASSWORD"])

    def listen(port, tls):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        server.daemon_threads = True
        server.place = place
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(options.certificates + "/server.pem", options.certificates + "/server.key")
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        return server

    threading.Thread(target=listen(options.introspection_port, True).serve_forever, daemon=True).start()
    listen(options.port, options.tls).serve_forever()


if __name__ == "__main__":
    main()
