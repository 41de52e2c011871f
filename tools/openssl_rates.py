"""Time RSA and Diffie-Hellman of OpenSSL by the default provider and by monpro, in turn, for docs/openssl.md.

`python tools/openssl_rates.py MODULE` takes the provider's module. It prints medians of signatures, secrets
and handshakes a second of processor time: by `openssl speed`, by threads that share a key, by exchanges with
a new key each, and by an nginx with one worker. Names of races and lengths of keys behind the module choose.
"""

import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ADAPTER = Path(__file__).resolve().parent.parent / "adapters" / "openssl"
BITS = (2048, 3072, 4096)
ROUNDS = 7
SECONDS = 1
PROVIDERS = ("default", "monpro")
TICKS = os.sysconf("SC_CLK_TCK")
NGINX = """
daemon off; user root; worker_processes 1; pid {folder}/{port}.pid; error_log {folder}/log;
events {{ worker_connections 100; }}
http {{
    access_log off; ssl_session_cache off; ssl_session_tickets off;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    server {{
        listen 127.0.0.1:{port} ssl; ssl_protocols TLSv1.3;
        ssl_certificate {folder}/{bits}.crt; ssl_certificate_key {folder}/{bits}.pem; {group}
    }}
}}
"""


class Lab:
    """A folder with keys, certificates and the configuration of each provider."""

    def __init__(self, folder: Path, module: Path) -> None:
        """Make the keys and the certificates."""
        self.folder = folder
        text = (ADAPTER / "openssl.cnf.in").read_text().replace("@MODULE@", str(module.resolve()))
        (folder / "monpro").write_text(text)
        (folder / "default").write_text("")
        for bits in BITS:
            key = f"-newkey rsa:{bits} -nodes -keyout {bits}.pem -out {bits}.crt -subj /CN=localhost -days 2"
            self.run("default", "openssl", "req", "-x509", *key.split())
            group = f"-algorithm DH -pkeyopt group:ffdhe{bits} -out ffdhe{bits}.pem"
            self.run("default", "openssl", "genpkey", "-genparam", *group.split())

    def environment(self, provider: str) -> dict[str, str]:
        """Return the environment of a program that takes this provider."""
        return os.environ | {"OPENSSL_CONF": str(self.folder / provider)}

    def run(self, provider: str, *command: str) -> str:
        """Return what a program prints with this provider."""
        environment = self.environment(provider)
        return subprocess.run(
            command, cwd=self.folder, env=environment, check=True, capture_output=True, text=True
        ).stdout

    def speed(self, provider: str, bits: int) -> float:
        """Return signatures a second of processor time, by `openssl speed`."""
        lines = self.run(provider, "openssl", "speed", "-seconds", str(SECONDS), f"rsa{bits}").splitlines()
        return float(lines[-1].split()[-2])

    def threads(self, provider: str, bits: int) -> float:
        """Return signatures a second of processor time, by 16 threads."""
        return float(self.run(provider, "./evp", "rate", f"{bits}.pem", "16", str(SECONDS)).split()[1])

    def secrets(self, provider: str, bits: int) -> float:
        """Return secrets of two keys that stay, a second of processor time, by `openssl speed`."""
        lines = self.run(provider, "openssl", "speed", "-seconds", str(SECONDS), f"ffdh{bits}").splitlines()
        return float(lines[-1].split()[-1])

    def exchanges(self, provider: str, bits: int) -> float:
        """Return exchanges with a new key each, a second of processor time."""
        return float(self.run(provider, "./evp", "agree", f"ffdhe{bits}.pem", str(SECONDS)))

    def ffdhe(self, provider: str, bits: int) -> float:
        """Return full handshakes of TLS 1.3 with a group of RFC 7919, as `nginx` does."""
        return self.nginx(provider, bits, f"ssl_ecdh_curve ffdhe{bits};")

    def nginx(self, provider: str, bits: int, group: str = "") -> float:
        """Return full handshakes of TLS 1.3 a second of the worker's processor time."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        configuration = self.folder / f"{port}.conf"
        configuration.write_text(NGINX.format(folder=self.folder, port=port, bits=bits, group=group))
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
        command = (program, "-c", str(configuration), "-e", str(self.folder / "log"))
        server = subprocess.Popen(command, env=self.environment(provider))
        try:
            wait_for(port)
            before = worker_seconds(server.pid)
            client = f"openssl s_time -connect 127.0.0.1:{port} -new -time {SECONDS} -tls1_3".split()
            words = self.run("default", *client).split()
            seconds = worker_seconds(server.pid) - before
            return int(words[words.index("connections") - 1]) / seconds
        finally:
            server.terminate()
            server.wait(30)


def wait_for(port: int) -> None:
    """Wait until a server listens."""
    for _ in range(200):
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError(f"nothing listens on port {port}")


def worker_seconds(master: int) -> float:
    """Return the processor time of the one child of a process."""
    child = Path(f"/proc/{master}/task/{master}/children").read_text().split()[0]
    fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def race(title: str, lengths: tuple[int, ...], rate: Callable[[str, int], float]) -> None:
    """Print the medians of both providers, which take turns, and of the quotients within rounds."""
    for bits in lengths:
        rounds = [[rate(provider, bits) for provider in PROVIDERS] for _ in range(ROUNDS)]
        default, monpro = (statistics.median(rates) for rates in zip(*rounds, strict=True))
        quotient = statistics.median(own / other for other, own in rounds)
        sys.stdout.write(f"{title:24}{bits:6}{default:10.0f}{monpro:10.0f}{quotient:8.2f}\n")


def main() -> None:
    """Run all races."""
    module = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        lab = Lab(Path(name), module)
        compile_ = ("cc", "-O2", str(ADAPTER / "tests" / "evp.c"), "-o", "evp", "-lcrypto", "-lpthread")
        lab.run("default", *compile_)
        races = {"speed": lab.speed, "threads": lab.threads, "nginx": lab.nginx}
        races |= {"secrets": lab.secrets, "exchanges": lab.exchanges, "ffdhe": lab.ffdhe}
        lengths = tuple(int(word) for word in sys.argv[2:] if word.isdigit())
        for title in [word for word in sys.argv[2:] if word in races] or races:
            race(title, lengths or BITS, races[title])


if __name__ == "__main__":
    main()
