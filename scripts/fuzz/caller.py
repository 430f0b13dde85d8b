"""Schemathesis' hooks: who sends each request, which names that exist it uses, and what is counted.

Schemathesis generates every request and judges every answer. A request that ends a session (sign-out, a change of the
password) would turn the rest of the run into 401s, so such requests go out as people of their own.
"""

import atexit
import json
import os
import random
import re
import threading
import time
from urllib.parse import quote, unquote

import requests
import schemathesis

BASE = os.environ["FUZZ_URL"]
ROLE = os.environ["FUZZ_ROLE"]
SEEDED = json.loads(os.environ["FUZZ_SEEDED"])
PASSWORD = os.environ["FUZZ_PASSWORD"]
COUNTS_FILE = os.environ["FUZZ_COUNTS"]
rng = random.Random(os.environ["FUZZ_SEED"] + ROLE)

ENDS_SESSION = {"signOut", "changeOwnPassword", "elevate", "endElevation"}
PEOPLE = {"viewer": "viewer", "operator": "operator", "admin": "admin", "elevated": "admin"}
# The share of valid requests that name what exists, instead of what was generated.
KNOWN_SHARE = 0.5

lock = threading.RLock()
counts = {"requests": 0, "statuses": {}, "operations": {}, "answers": {}}
# What answers gave, by the name under which a request sends it back.
seen = {"owner": [], "id": [], "cursor": [], "token": [], "run": []}
plans = []


def address():
    """Each request from an address of its own: limits of strangers are counted by address."""
    return f"10.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"


class Person:
    """A person, who signs in again when the session has ended."""

    def __init__(self, username, elevates=False):
        self.username = username
        self.elevates = elevates
        self.cookie = None

    def headers(self):
        if self.cookie is None:
            self._sign_in()
        return {"Cookie": self.cookie}

    def _sign_in(self):
        answer = self._post("/v1/session", {"username": self.username, "password": PASSWORD})
        self.cookie = cookie_of(answer)
        if self.elevates:
            self.cookie = cookie_of(self._post("/v1/session/elevation", {"password": PASSWORD}))

    def _post(self, path, body):
        answer = self.send("POST", path, body)
        if answer.status_code != 200:
            raise RuntimeError(f"{self.username} cannot sign in: {answer.status_code} {answer.text}")
        return answer

    def send(self, method, path, body=None):
        headers = {"Origin": BASE, "X-Forwarded-For": address()}
        if self.cookie is not None:
            headers["Cookie"] = self.cookie
        return requests.request(method, BASE + path, json=body, headers=headers, timeout=30)


def cookie_of(answer):
    return answer.headers["Set-Cookie"].split(";")[0]


class LabPerson:
    """A person who keeps a run of the lab going: when it has ended, the next one begins."""

    def __init__(self, username):
        self.person = Person(username)
        self.run = None
        self.not_before = 0

    def look(self):
        """A run ends by itself once its time is over, or without viewers."""
        if self.run is not None and not self._runs():
            self.run = None
        if self.run is None and time.monotonic() >= self.not_before:
            self._start()

    def _runs(self):
        answer = self._send("GET", f"/v1/lab/runs/{self.run}?limit=1")
        return answer.status_code == 200 and answer.json()["state"] == "running"

    def _start(self):
        asked = {} if rng.random() < 0.5 else {"scenario": rng.choice(SCENARIOS)}
        answer = self._send("POST", "/v1/lab/runs", {**asked, "candidates": rng.randint(2, 8)})
        # A place among the runs stays taken for ten seconds at least.
        self.not_before = time.monotonic() + 2
        if answer.status_code == 201:
            self.run = answer.json()["run"]
        else:
            self.run = self._begun_before()

    def _begun_before(self):
        """The runs of the role before go on for two minutes."""
        runs = self._send("GET", "/v1/lab/runs").json()["runs"]
        mine = [run for run in runs if run["startedBy"] == self.person.username and run["state"] == "running"]
        return mine[0]["run"] if mine else None

    def _send(self, method, path, body=None):
        self.person.headers()
        return self.person.send(method, path, body)


SCENARIOS = ["crash", "pause-unfenced", "answer-lost", "herd", "forced-release", "forgotten-value", "bakery"]
LAB = [LabPerson(username) for username in SEEDED["labPeople"]]
LAB_LOOKS_EVERY_SECONDS = 1
lab_looked = 0


def live_runs():
    """Other senders may not read them."""
    global lab_looked
    if ROLE not in PEOPLE:
        return []
    if time.monotonic() - lab_looked > LAB_LOOKS_EVERY_SECONDS:
        lab_looked = time.monotonic()
        for each in LAB:
            each.look()
    return [each.run for each in LAB if each.run is not None]


if ROLE in PEOPLE:
    MAIN = Person(f"{PEOPLE[ROLE]}-main", ROLE == "elevated")
    SPARE = [Person(f"{PEOPLE[ROLE]}-spare-{i}", ROLE == "elevated") for i in range(SEEDED["spares"])]


def credentials(person):
    if ROLE == "anonymous":
        return {}
    if ROLE in PEOPLE:
        return person.headers()
    return {"Authorization": "Bearer " + SEEDED["tokens"][ROLE]}


def broken_parts(case):
    """The malformed parts of a request: path, query, header, cookie, body."""
    if case.meta is None:
        return set()
    return {place.value for place, part in case.meta.components.items() if part.mode.is_negative}


def operation_id(case):
    return case.operation.definition.raw.get("operationId", "")


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    with lock:
        operation = operation_id(case)
        valid = case.meta is not None and case.meta.generation.mode.is_positive
        person = None
        if ROLE in PEOPLE:
            person = rng.choice(SPARE) if operation in ENDS_SESSION else MAIN
        broken = broken_parts(case)
        # Ours would mend them.
        if not {"cookie", "header"} & broken:
            for name, value in credentials(person).items():
                case.headers[name] = value
        case.headers["Origin"] = BASE
        case.headers["X-Forwarded-For"] = address()
        if valid:
            name_what_exists(case)
            # The same key under another request is one answer (422); most are to be carried out.
            if "Idempotency-Key" in case.headers and rng.random() < 0.8:
                case.headers["Idempotency-Key"] = f"key-{rng.randrange(10**12)}"
        if "/lab/runs/{run}" in case.path and "path" not in broken:
            name_run(case, operation)
        spare_the_callers(case, operation)
        # A request that waits for a minute tests no more than one that waits for an instant.
        wait = (case.query or {}).get("wait")
        if isinstance(wait, str) and re.fullmatch(r"[0-9]{1,9}(ms|s|m)", wait):
            case.query["wait"] = "20ms" if valid else wait if wait.endswith("ms") and len(wait) < 5 else "99999m"


def spare_the_callers(case, operation):
    """Schemathesis takes ids from answers: it would revoke the tokens and disable the people of the whole run."""
    path = case.path_parameters
    if not isinstance(path, dict):
        return
    if operation == "deleteToken" and path.get("id") in SEEDED["tokenIds"]:
        path["id"] = SEEDED["known"]["id"][0]
    if operation in ("changeUser", "setPassword"):
        username = unquote(str(path.get("username", "")))
        if re.match(r"(admin|viewer|operator)(-|$)", username):
            path["username"] = rng.choice(SEEDED["known"]["username"])


def name_run(case, operation):
    """Of malformed requests too: a run that does not exist is a refusal as good as any."""
    if not isinstance(case.path_parameters, dict) or rng.random() > 0.9:
        return
    live = live_runs()
    # One that is ended is gone for ten seconds.
    ended = [run for run in seen["run"] if run not in live]
    prefers_ended = rng.random() < (0.95 if operation == "endLabRun" else 0.2)
    choices = (ended if prefers_ended else live) or live or ended
    if choices:
        case.path_parameters["run"] = rng.choice(choices)


def name_what_exists(case):
    path = case.path_parameters if isinstance(case.path_parameters, dict) else {}
    body = case.body if isinstance(case.body, dict) else {}
    query = case.query if isinstance(case.query, dict) else {}
    for container in (path, query, body):
        for field, value in container.items():
            choices = SEEDED["known"].get(field, []) + seen.get(field, [])
            if isinstance(value, str) and choices and rng.random() < KNOWN_SHARE:
                choice = rng.choice(choices)
                container[field] = quote(choice, safe="") if container is path else choice
    if "plan" in body and plans and rng.random() < KNOWN_SHARE:
        # Of the last plans, most were not used yet, and have not expired.
        body["plan"], lease = plans[-1 - rng.randrange(min(3, len(plans)))]
        path["name"] = quote(lease["name"], safe="")
        query["table"] = lease["table"]
        if rng.random() < 0.8:
            body["confirmName"] = lease["name"]
        return
    # A table that is not configured has always the same answer.
    if "table" in query and rng.random() < 0.9:
        query["table"] = rng.choice(SEEDED["tables"])


@schemathesis.hook
def after_call(ctx, case, response):
    with lock:
        operation = operation_id(case)
        status = str(response.status_code)
        counts["requests"] += 1
        counts["statuses"][status] = counts["statuses"].get(status, 0) + 1
        counts["operations"][operation] = counts["operations"].get(operation, 0) + 1
        body = json_of(response)
        code = body.get("code", "") if isinstance(body, dict) and int(status) >= 400 else ""
        answer = f"{operation} {status} {code}".strip()
        counts["answers"][answer] = counts["answers"].get(answer, 0) + 1
        if isinstance(body, dict):
            learn(body)
        if ROLE in PEOPLE and operation in ENDS_SESSION and int(status) < 400:
            sent = response.request.headers.get("Cookie")
            for person in SPARE:
                if person.cookie == sent:
                    person.cookie = None


def learn(body):
    if "plan" in body and "lease" in body:
        plans.append((body["plan"], body["lease"]))
    for field in ("owner", "id", "token", "run"):
        value = body.get(field)
        if isinstance(value, str) and value:
            seen[field] = (seen[field] + [value])[-50:]
    if isinstance(body.get("nextCursor"), str):
        seen["cursor"] = (seen["cursor"] + [body["nextCursor"]])[-20:]


def json_of(response):
    try:
        return json.loads(response.content)
    except ValueError:
        return None


@atexit.register
def write_counts():
    with open(COUNTS_FILE, "w", encoding="utf-8") as file:
        json.dump(counts, file)
