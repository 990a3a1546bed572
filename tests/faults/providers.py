"""How the four providers are asked and how they answer. Shapes follow their public APIs."""

import json
from urllib.parse import urlsplit

from provider import MODEL, Prompt, Provider, dump, pieces, sse


class OpenAi(Provider):
    content_filter, length, natural = "content_filter", "length", "stop"
    path = ""

    def base_url(self, port):
        return f"http://127.0.0.1:{port}/v1"

    def target_ok(self, target):
        return urlsplit(target).path == self.path

    def key_of(self, request):
        return request.header("Authorization").removeprefix("Bearer ")

    def usage(self, answer):
        return {
            "prompt_tokens": answer.input_tokens,
            "completion_tokens": answer.output_tokens,
            "total_tokens": answer.input_tokens + answer.output_tokens,
        }

    def choice(self, text, finish, stream, index=0):
        raise NotImplementedError

    def frame(self, choices, usage=None):
        document = {
            "id": "c1",
            "object": self.kind,
            "created": 1700000000,
            "model": MODEL,
            "choices": choices,
        }
        if usage is not None:
            document["usage"] = usage
        return document

    def whole(self, answer):
        return self.frame(
            [self.choice(answer.text, answer.finish or self.natural, stream=False)], self.usage(answer)
        )

    def chunks(self, answer):
        """A stream's documents."""
        out = [self.frame([self.choice(piece, None, stream=True)]) for piece in pieces(answer.text)]
        out.append(self.frame([self.choice("", answer.finish or self.natural, stream=True)]))
        out.append(self.frame([], self.usage(answer)))
        return out

    def events(self, answer):
        return [sse(dump(chunk)) for chunk in self.chunks(answer)] + [sse(b"[DONE]")]

    def error(self, status, message, code=None, kind=None):
        return {
            "error": {
                "message": message,
                "type": kind or ("invalid_request_error" if status < 500 else "server_error"),
                "param": None,
                "code": code,
            }
        }

    def set_usage(self, document, usage):
        return document | {"usage": usage}


class OpenAiChat(OpenAi):
    name, path, kind = "openai_chat", "/v1/chat/completions", "chat.completion.chunk"

    def read(self, request):
        body = json.loads(request.body)
        text = "\n\n".join(f"{m['role']}: {m['content']}" for m in body["messages"])
        return Prompt(
            text,
            body.get("seed"),
            body.get("max_tokens") or body.get("max_completion_tokens"),
            bool(body.get("stream")),
            body.get("model", ""),
        )

    def choice(self, text, finish, stream, index=0):
        content = {"role": "assistant", "content": text}
        return {"index": index, "delta" if stream else "message": content, "finish_reason": finish}


class OpenAiCompletions(OpenAi):
    name, path, kind = "openai_completions", "/v1/completions", "text_completion"

    def read(self, request):
        body = json.loads(request.body)
        return Prompt(
            body["prompt"],
            body.get("seed"),
            body.get("max_tokens"),
            bool(body.get("stream")),
            body.get("model", ""),
        )

    def choice(self, text, finish, stream, index=0):
        return {"index": index, "text": text, "logprobs": None, "finish_reason": finish}


class Anthropic(Provider):
    name = "anthropic"
    content_filter, length, natural = "refusal", "max_tokens", "end_turn"

    def base_url(self, port):
        return f"http://127.0.0.1:{port}"

    def target_ok(self, target):
        return urlsplit(target).path == "/v1/messages"

    def key_of(self, request):
        return request.header("x-api-key")

    def marks_problem(self, request):
        """The system message and the task are marked, each at the end of its block."""
        body = json.loads(request.body)
        task = body["messages"][0]["content"]
        for what, blocks in (("the system message", body["system"]), ("the task", task)):
            if isinstance(blocks, str) or "cache_control" not in blocks[0]:
                return f"{what} is not marked to be cached"
        if "## Task" not in task[0]["text"]:
            return "the marked part of the prompt holds no task"
        return ""

    @staticmethod
    def text_of(content):
        """Of a string, or of a list of blocks."""
        return content if isinstance(content, str) else "".join(block.get("text", "") for block in content)

    def read(self, request):
        body = json.loads(request.body)
        parts = ["system: " + self.text_of(body["system"])] if body.get("system") else []
        parts += [f"{m['role']}: {self.text_of(m['content'])}" for m in body["messages"]]
        return Prompt(
            "\n\n".join(parts), None, body.get("max_tokens"), bool(body.get("stream")), body.get("model", "")
        )

    def usage(self, answer):
        return {"input_tokens": answer.input_tokens, "output_tokens": answer.output_tokens}

    def whole(self, answer):
        return {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": [{"type": "text", "text": answer.text}],
            "stop_reason": answer.finish or self.natural,
            "stop_sequence": None,
            "usage": self.usage(answer),
        }

    def chunks(self, answer):
        usage = self.usage(answer)
        out = [
            {
                "type": "message_start",
                "message": {
                    "id": "m1",
                    "type": "message",
                    "role": "assistant",
                    "model": MODEL,
                    "content": [],
                    "stop_reason": None,
                    "usage": {"input_tokens": usage["input_tokens"], "output_tokens": 1},
                },
            },
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        ]
        out += [
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
            for piece in pieces(answer.text)
        ]
        out += [
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": answer.finish or self.natural, "stop_sequence": None},
                "usage": {"output_tokens": usage["output_tokens"]},
            },
            {"type": "message_stop"},
        ]
        return out

    def events(self, answer):
        return [sse(dump(chunk), chunk["type"]) for chunk in self.chunks(answer)]

    def error(self, status, message, code=None, kind=None):
        kinds = {
            400: "invalid_request_error",
            401: "authentication_error",
            402: "billing_error",
            403: "permission_error",
            404: "not_found_error",
            413: "request_too_large",
            429: "rate_limit_error",
            504: "timeout_error",
            529: "overloaded_error",
        }
        return {
            "type": "error",
            "error": {
                "type": kind or kinds.get(status, "api_error" if status >= 500 else "invalid_request_error"),
                "message": message,
            },
        }

    def set_usage(self, document, usage):
        return document | {"usage": usage}


class Gemini(Provider):
    name = "gemini"
    content_filter, length, natural = "SAFETY", "MAX_TOKENS", "STOP"

    def base_url(self, port):
        return f"http://127.0.0.1:{port}/v1beta"

    def target_ok(self, target):
        return urlsplit(target).path in (
            f"/v1beta/models/{MODEL}:generateContent",
            f"/v1beta/models/{MODEL}:streamGenerateContent",
        )

    def key_of(self, request):
        return request.header("x-goog-api-key")

    def read(self, request):
        body = json.loads(request.body)
        parts = []
        if body.get("systemInstruction"):
            parts.append("system: " + "".join(p["text"] for p in body["systemInstruction"]["parts"]))
        for content in body["contents"]:
            parts.append(content.get("role", "user") + ": " + "".join(p["text"] for p in content["parts"]))
        config = body.get("generationConfig", {})
        return Prompt(
            "\n\n".join(parts),
            config.get("seed"),
            config.get("maxOutputTokens"),
            "streamGenerateContent" in request.target,
            urlsplit(request.target).path.split("/models/")[-1].split(":")[0],
        )

    def usage(self, answer):
        return {
            "promptTokenCount": answer.input_tokens,
            "candidatesTokenCount": answer.output_tokens,
            "totalTokenCount": answer.input_tokens + answer.output_tokens,
        }

    def chunk(self, text, finish=None, usage=None):
        candidate = {"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}
        if finish:
            candidate["finishReason"] = finish
        document = {"candidates": [candidate], "modelVersion": MODEL}
        if usage is not None:
            document["usageMetadata"] = usage
        return document

    def whole(self, answer):
        return self.chunk(answer.text, answer.finish or self.natural, self.usage(answer))

    def chunks(self, answer):
        parts = pieces(answer.text)
        out = [self.chunk(piece) for piece in parts[:-1]]
        return out + [self.chunk(parts[-1], answer.finish or self.natural, self.usage(answer))]

    def events(self, answer):
        return [sse(dump(chunk), end=b"\r\n") for chunk in self.chunks(answer)]

    def error(self, status, message, code=None, kind=None):
        words = {
            400: "INVALID_ARGUMENT",
            401: "UNAUTHENTICATED",
            403: "PERMISSION_DENIED",
            404: "NOT_FOUND",
            429: "RESOURCE_EXHAUSTED",
            500: "INTERNAL",
            503: "UNAVAILABLE",
            504: "DEADLINE_EXCEEDED",
        }
        return {"error": {"code": status, "message": message, "status": kind or words.get(status, "UNKNOWN")}}

    def set_usage(self, document, usage):
        return document | {"usageMetadata": usage}


PROVIDERS = {one.name: one for one in (OpenAiChat(), OpenAiCompletions(), Anthropic(), Gemini())}
