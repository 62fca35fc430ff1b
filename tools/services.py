"""`make services`: run a private PostgreSQL and Redis in `var/services/`, on free ports, until Ctrl-C.

Prints the environment variables for them. With `-- COMMAND…` it runs the command with these variables and stops when it ends; CI uses
this. PostgreSQL does not run as root, so root runs it as the user `postgres` or `nobody`.
"""

import argparse
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30.0


def find(program: str) -> str:
    """Return the path of a program, or exit with a message.

    Debian keeps the programs of each PostgreSQL version in a folder: the newest version is used.
    """
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True
    )
    program_path = shutil.which(program) or shutil.which(program, path=":".join(map(str, folders)))
    if program_path is None:
        sys.exit(f"{program} is not installed. On Debian: apt install postgresql redis-server")
    return program_path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def postgres_user() -> pwd.struct_passwd | None:
    """Return the user that PostgreSQL runs as: None for the present user, another one if that is root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    sys.exit("PostgreSQL cannot run as root, and neither a user postgres nor nobody exists.")


def wait_for(name: str, process: "subprocess.Popen[bytes]", log: Path, is_ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"{name} did not start:\n{log.read_text()}")
        time.sleep(0.05)


@contextmanager
def stop_at_end(process: "subprocess.Popen[bytes]", number: signal.Signals) -> Iterator[None]:
    try:
        yield
    finally:
        process.send_signal(number)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def postgres(
    folder: Path, port: int | None = None, *, durable: bool = False, extra_options: Sequence[str] = ()
) -> Iterator[str]:
    """Run a PostgreSQL server that accepts local connections only; yield its address.

    A ``durable`` server keeps commits if it is killed. ``extra_options``: settings (``name=value``) that
    override the defaults.
    """
    user = postgres_user()
    data, log, port = folder / "postgres", folder / "postgres.log", port or free_port()
    log.touch()
    if user is not None:
        data.mkdir(exist_ok=True)
        for path in (data, log):
            os.chown(path, user.pw_uid, user.pw_gid)
    as_user: dict[str, Any] = (
        {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    )
    env = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    if not (data / "PG_VERSION").exists():
        subprocess.run(
            [find("initdb"), "--pgdata", str(data), "--username=crawford", "--auth=trust", "--encoding=UTF8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd="/", env=env, **as_user,
        )  # fmt: skip
    # Data of tests and trials need not survive a power cut.
    options = ["fsync=off", f"synchronous_commit={'on' if durable else 'off'}", "full_page_writes=off"]
    options.append("max_connections=100")
    # JIT compilation is of no use to these statements, and the server has no replicas.
    options += ["jit=off", "wal_level=minimal", "max_wal_senders=0"]
    options += ["listen_addresses=127.0.0.1", "unix_socket_directories=", *extra_options]
    command = [find("postgres"), "-D", str(data), "-p", str(port)]
    command += [word for option in options for word in ("-c", option)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", env=env, **as_user,
            start_new_session=True,
        )  # fmt: skip
    # SIGINT asks for a fast shutdown: it does not wait for clients.
    with stop_at_end(process, signal.SIGINT):
        ready_command = [
            find("pg_isready"),
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-U",
            "crawford",
            "-d",
            "postgres",
        ]
        wait_for(
            "PostgreSQL", process, log, lambda: subprocess.run(ready_command, check=False).returncode == 0
        )
        psql_command = [
            find("psql"),
            "-q",
            "-h",
            "127.0.0.1",
            "-p",
            str(port),
            "-U",
            "crawford",
            "-d",
            "postgres",
            "-c",
        ]
        subprocess.run([*psql_command, "CREATE DATABASE crawford"], check=False, stderr=subprocess.DEVNULL)
        yield f"postgres://crawford@127.0.0.1:{port}/crawford"


@contextmanager
def redis(folder: Path, port: int | None = None) -> Iterator[str]:
    log, port = folder / "redis.log", port or free_port()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [find("redis-server"), "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd=folder, start_new_session=True,
        )  # fmt: skip
    with stop_at_end(process, signal.SIGTERM):
        wait_for("Redis", process, log, lambda: _answers(port))
        yield f"redis://127.0.0.1:{port}/0"


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
    except OSError:
        return False


@contextmanager
def data_folder(folder_name: str | None) -> Iterator[Path]:
    """Yield a data folder that PostgreSQL's user can access; a temporary one if ``folder_name`` is None."""
    if folder_name is not None:
        folder = Path(folder_name).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="crawford-services-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def stop(_number: int, _frame: object) -> None:
    sys.exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--folder", help="data folder (default: var/services, or a temporary one with a command)"
    )
    parser.add_argument("command", nargs="*")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    folder = options.folder or (None if options.command else str(ROOT / "var" / "services"))
    with ExitStack() as stack:
        data = stack.enter_context(data_folder(folder))
        lines = {
            "DATABASE_URL_POSTGRES": stack.enter_context(postgres(data)),
            "CELERY_BROKER_URL_REDIS": stack.enter_context(redis(data)),
        }
        if options.command:
            return subprocess.run(options.command, env={**os.environ, **lines}, check=False).returncode
        print("PostgreSQL and Redis run until Ctrl-C. In another terminal:\n")
        for name, value in lines.items():
            print(f"export {name}={value}")
        print(f"\nTo use them with `make run`: DATABASE_URL={lines['DATABASE_URL_POSTGRES']}"
              f" CELERY_BROKER_URL={lines['CELERY_BROKER_URL_REDIS']} make run", flush=True)  # fmt: skip
        signal.pause()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(0)
