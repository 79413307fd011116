#!/usr/bin/env python3
"""Renders a movie script over REST and fetches the film: render.py MOVIE.json FILM.mp4

Needs Python 3.8 or newer and nothing else. FRAMEWRIGHT_URL and FRAMEWRIGHT_API_KEY say where and for whom.
"""
import hashlib
import json
import os
import shutil
import sys
import time
import urllib.error
import urllib.request

URL = os.environ.get("FRAMEWRIGHT_URL", "http://127.0.0.1:8080")
KEY = os.environ["FRAMEWRIGHT_API_KEY"]
ATTEMPTS = 6


def call(method, path, body=None, headers=None):
    """The answer's JSON. Lost connections, 429 and 5xx are tried again; other refusals end the program."""
    sent = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data=sent, method=method, headers={"x-api-key": KEY, "content-type": "application/json", **(headers or {})})
    for attempt in range(ATTEMPTS):
        wait = 2.0**attempt / 2
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code != 429 and error.code < 500:
                refusal = json.load(error)["error"]
                sys.exit(f"{refusal['code']} {refusal.get('path', '')}: {refusal['message']}")
            wait = float(error.headers.get("retry-after", wait))
        except OSError:
            pass
        time.sleep(wait)
    sys.exit(f"{method} {path}: no answer after {ATTEMPTS} attempts")


def main(script_path, film_path):
    with open(script_path, encoding="utf-8") as file:
        script = json.load(file)
    # The same script within 24 hours is the same job, however often this program is started.
    once = hashlib.sha256(json.dumps(script, sort_keys=True).encode()).hexdigest()
    job = call("POST", "/api/render", script, {"idempotency-key": once})
    job = call("GET", f"/api/jobs/{job['job_id']}")
    while job["status"] in ("queued", "processing"):
        print(f"{job['progress']:4.0%} {job.get('stage', job['status'])}", file=sys.stderr)
        time.sleep(2)
        job = call("GET", f"/api/jobs/{job['job_id']}")
    if job["status"] == "failed":
        sys.exit(f"{job['error']['code']}: {job['error']['message']}")
    for warning in job["warnings"]:
        print(f"warning: {warning}", file=sys.stderr)
    with urllib.request.urlopen(job["output_uri"]) as film, open(film_path, "wb") as file:
        shutil.copyfileobj(film, file)
    print(f"{film_path}: {job['duration_seconds']} s for {job['credits_used']} credits")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
