"""A provider of batches on loopback that fails at random and counts what it sells: OpenAI's and Anthropic's endpoints.

A request is sold when its batch is made, whether or not the client hears of it. Every answer breaks off, is lost after
it was acted upon, or is an error, with the given probability.
"""
import email
import json
import random
import re
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

EXPIRED = 0.1  # share of requests that a batch does not run
LONGEST = 12   # seconds that a batch takes


class Batch:
    def __init__(self, ids, metadata, rng):
        self.ids, self.metadata, self.created = ids, metadata, time.time()
        self.ready = self.created + rng.uniform(0, LONGEST)
        self.expired = {id for id in ids if rng.random() < EXPIRED}

    def ended(self):
        return time.time() > self.ready


class Market:
    def __init__(self, provider, faults, seed):
        self.provider, self.faults, self.rng = provider, faults, random.Random(seed)
        self.lock = threading.Lock()
        self.files, self.batches, self.sold = {}, {}, Counter()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(self))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def port(self):
        return self.server.server_address[1]

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def chance(self, probability):
        with self.lock:
            return self.rng.random() < probability

    def upload(self, lines):
        with self.lock:
            name = f"file_{len(self.files) + 1}"
            self.files[name] = lines
            return {"id": name}

    def create(self, ids, metadata=None):
        with self.lock:
            name = f"batch_{len(self.batches) + 1}"
            batch = self.batches[name] = Batch(ids, metadata, self.rng)
            self.sold.update(id for id in ids if id not in batch.expired)
        return self.view(name)

    def view(self, name):
        batch = self.batches[name]
        if self.provider == "anthropic":
            created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(batch.created))
            return {"id": name, "processing_status": "ended" if batch.ended() else "in_progress",
                    "created_at": created, "request_counts": {"processing": len(batch.ids)}}
        return {"id": name, "status": "completed" if batch.ended() else "in_progress", "metadata": batch.metadata,
                "output_file_id": f"out-{name}" if batch.ended() else None, "created_at": int(batch.created)}

    def listed(self):
        return {"data": [self.view(name) for name in reversed(list(self.batches))], "has_more": False}

    def lines(self, name):
        batch = self.batches[name]
        return "".join(json.dumps(self.line(id, id in batch.expired)) + "\n" for id in batch.ids)

    def line(self, id, expired):
        text = f"answer to {id}"
        if self.provider == "anthropic":
            message = {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
                       "usage": {"input_tokens": 10, "output_tokens": 20}}
            return {"custom_id": id,
                    "result": {"type": "expired"} if expired else {"type": "succeeded", "message": message}}
        if expired:
            return {"custom_id": id, "response": None, "error": {"code": "batch_expired"}}
        body = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 20}}
        return {"custom_id": id, "response": {"status_code": 200, "body": body}, "error": None}


def file_lines(content_type, body):
    """The lines of the file in a multipart form."""
    form = email.message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    file = next(part for part in form.get_payload() if "filename" in part["Content-Disposition"])
    return [json.loads(line) for line in file.get_payload().splitlines() if line.strip()]


def handler_of(market):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def say(self, status, body, sent=1.0):
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[:int(len(body) * sent)])
            if sent < 1:
                self.hang_up()

        def say_json(self, status, value):
            self.say(status, json.dumps(value).encode())

        def hang_up(self):
            self.close_connection = True
            self.connection.close()

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            fault = market.chance(market.faults)
            if fault and market.chance(0.6):  # nothing is done
                return self.say_json(503, {}) if market.chance(0.5) else self.hang_up()
            value = self.act(body)
            if not fault:
                return self.say_json(200, value)
            return self.say_json(502, {}) if market.chance(0.5) else self.hang_up()

        def act(self, body):
            if self.path.endswith("/files"):
                return market.upload(file_lines(self.headers["Content-Type"], body))
            value = json.loads(body)
            if market.provider == "anthropic":
                return market.create([request["custom_id"] for request in value["requests"]])
            lines = market.files[value["input_file_id"]]
            return market.create([line["custom_id"] for line in lines], value["metadata"])

        def do_GET(self):
            if market.chance(market.faults):
                return self.say_json(500, {}) if market.chance(0.5) else self.hang_up()
            path = self.path.split("?")[0]
            results = re.search(r"/files/out-(\w+)/content$", path) or re.search(r"/batches/(\w+)/results$", path)
            if results:
                return self.say(200, market.lines(results[1]).encode(), 0.5 if market.chance(market.faults) else 1.0)
            one = re.search(r"/batches/(\w+)$", path)
            self.say_json(200, market.view(one[1]) if one else market.listed())

    return Handler
