"""Run the Dockerfile's steps and the services of the compose file without Docker.

The steps run with an empty environment in folders of their own: what the file calls /src,
/opt/specloupe, /data and /tmp. The services run as a user who can write to his own /data and /tmp
alone, started in the order that they wait for each other, until their health checks pass. What
only Docker does is not run: the base image, layers, the network between containers, capabilities,
and the root that is mounted read-only.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.ports import free_port  # noqa: E402 - the root has just been put on the path

DOCKER = ROOT / "docker"
USER = 10001
PATIENCE_S = 180
TOKEN = "s3cret"
SPARED = {"UV_COMPILE_BYTECODE": "0", "UV_LINK_MODE": "hardlink"}  # minutes, and no other outcome
ABOUT_USERS = ("groupadd", "useradd", "install")  # of the image, not of this machine


def steps(dockerfile: str) -> Iterator[tuple[str, str]]:
    """Its instructions with their arguments, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", "\n".join(without_comments(dockerfile)))
    for line in text.splitlines():
        if line.strip():
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def without_comments(text: str) -> Iterator[str]:
    return (line for line in text.splitlines() if not line.startswith("#"))


def build(scratch: Path) -> dict[str, str]:
    """Run every step; gives the environment of the image."""
    base = scratch / "base"
    subprocess.run([sys.executable, "-m", "venv", base], check=True)
    bare = {"PATH": f"{base / 'bin'}:/usr/bin:/bin", "HOME": str(scratch)}
    environment, folder = dict(bare), scratch
    for word, rest in steps((DOCKER / "Dockerfile").read_text("utf-8")):
        rest = placed(rest, scratch)
        if word == "FROM":
            environment = dict(bare)
        elif word == "ENV":
            environment |= dict(set_by(rest, environment))
        elif word == "WORKDIR":
            folder = Path(rest)
            folder.mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and not rest.startswith("--from"):
            copy(rest.split()[:-1], folder)
        elif word == "RUN" and not rest.startswith(ABOUT_USERS):
            print(f"RUN {rest}", flush=True)
            own = {**environment, **caches(), **SPARED}
            subprocess.run(["sh", "-ec", rest], cwd=folder, env=own, check=True)
    return environment


def set_by(rest: str, environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for pair in rest.split():
        name, _, value = pair.partition("=")
        yield name, value.replace("$PATH", environment["PATH"])


def placed(text: str, scratch: Path) -> str:
    """What the image calls /src, /opt/specloupe, /data and /tmp, inside a folder."""
    return re.sub(r"(?<![\w.}])/(src|opt/specloupe|data|tmp)\b", rf"{scratch}/\1", text)


def caches() -> dict[str, str]:
    """Where packages come from on this machine, which an image would ask the network for."""
    named = {k: v for k, v in os.environ.items() if k.startswith(("UV_", "PIP_", "SSL_"))}
    named.pop("UV_PROJECT_ENVIRONMENT", None)
    cache = subprocess.run(["uv", "cache", "dir"], capture_output=True, text=True, check=True)
    return {**named, "UV_CACHE_DIR": cache.stdout.strip()}


def copy(names: Sequence[str], folder: Path) -> None:
    """From the project what its list lets through."""
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text("utf-8")
    allowed = [line[1:] for line in without_comments(ignored) if line.startswith("!")]
    for name in allowed if list(names) == ["."] else names:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            without = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, target, dirs_exist_ok=True, ignore=without)
        else:
            shutil.copy(source, target)


def ports(services: Mapping[str, Any]) -> dict[str, str]:
    """A free port of this machine for each that a service listens on."""
    wanted = re.findall(
        r'"(8\d{3})"', str([s.get("command") for s in services.values()]).replace("'", '"')
    )
    wanted += re.findall(r'"(8\d{3})"', str(services["chroma"]["entrypoint"]).replace("'", '"'))
    return {port: str(free_port()) for port in wanted}


class Service:
    """One service of the compose file, as a process of a user without rights."""

    def __init__(
        self,
        name: str,
        said: Mapping[str, Any],
        image: Mapping[str, str],
        scratch: Path,
        renamed: Mapping[str, str],
    ) -> None:
        own = scratch / name
        self._scratch, self._renamed, self._home = own, renamed, scratch
        for folder in ("data", "tmp"):
            (own / folder).mkdir(parents=True)
            if os.getuid() == 0:
                os.chown(own / folder, USER, USER)
        given = {k: self.here(str(v)) for k, v in said.get("environment", {}).items()}
        given = {k: TOKEN if "choose a token" in v else v for k, v in given.items()}
        inherited = {k: self.own(v) for k, v in image.items()}
        self._environment = {**inherited, **given}
        entry = said.get("entrypoint", ["specloupe"])
        self._command = [self.here(word) for word in (*entry, *said.get("command", ()))]
        self._check = [self.here(word) for word in said["healthcheck"]["test"][1:]]
        self._log = own / "log"

    def own(self, text: str) -> str:
        """/data and /tmp of the image, for this service alone."""
        for folder in ("data", "tmp"):
            text = text.replace(f"{self._home}/{folder}", f"{self._scratch}/{folder}")
        return text

    def here(self, text: str) -> str:
        text = text.replace("0.0.0.0", "127.0.0.1").replace("chroma:", "127.0.0.1:")
        for port, free in self._renamed.items():
            text = text.replace(port, free)
        return self.own(placed(text, self._home))

    def __enter__(self) -> Service:
        with self._log.open("wb") as log:
            self._process = self.started(self._command, stdout=log, stderr=subprocess.STDOUT)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self._process.poll() is None:
            if self.started(self._check, stderr=subprocess.DEVNULL).wait() == 0:
                return self
            time.sleep(1)
        self.__exit__()
        raise SystemExit(f"{self._command} is not healthy:\n{self._log.read_text()[-4_000:]}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def started(self, command: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
        user = {"user": USER, "group": USER, "extra_groups": []} if os.getuid() == 0 else {}
        program = shutil.which(command[0], path=self._environment["PATH"]) or command[0]
        return subprocess.Popen(
            [program, *command[1:]],
            env=self._environment,
            cwd=self._scratch / "data",
            **user,
            **more,
        )


def in_order(services: Mapping[str, Any]) -> list[str]:
    """Each after those that it waits for."""
    return sorted(services, key=lambda name: depth(name, services))


def depth(name: str, services: Mapping[str, Any]) -> int:
    return 1 + max(
        (depth(each, services) for each in services[name].get("depends_on", ())), default=0
    )


def main() -> None:
    services = yaml.safe_load((DOCKER / "compose.yaml").read_text("utf-8"))["services"]
    image_check = re.search(r"CMD (\[.*\])", (DOCKER / "Dockerfile").read_text("utf-8"))
    assert image_check
    services["app"]["healthcheck"] = {"test": ["CMD", *yaml.safe_load(image_check[1])]}
    with tempfile.TemporaryDirectory() as made, ExitStack() as running:
        scratch = Path(made)
        scratch.chmod(0o755)
        image = build(scratch)
        renamed = ports(services)
        for name in in_order(services):
            service = Service(name, services[name], image, scratch, renamed)
            running.enter_context(service)
            print(f"{name} is healthy", flush=True)
        query = f"http://127.0.0.1:{renamed['8600']}/retrieval/context?format=markdown"
        answer = subprocess.run(
            [
                "curl",
                "--fail",
                "--silent",
                "--show-error",
                query,
                "-d",
                '{"query": "create a user"}',
                "-H",
                "Content-Type: application/json",
                "-H",
                f"Authorization: Bearer {TOKEN}",
            ],
            capture_output=True,
            text=True,
        )
        assert "POST /users" in answer.stdout, answer
        print("REST answers from the store on the Chroma server")


if __name__ == "__main__":
    main()
