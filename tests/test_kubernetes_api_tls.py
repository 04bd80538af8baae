"""`manage.py serve` with a certificate: then kubectl sends its tokens too."""
import datetime
import ipaddress
import ssl
import urllib.request

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from .kubectl import Learner
from .processes import free_port, manage, wait_until


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """(certificate, key): PEM files of a certificate for 127.0.0.1 that has signed itself."""
    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "lifecycle")]), datetime.datetime.now(datetime.UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1).not_valid_before(now).not_valid_after(
        now + datetime.timedelta(days=1)).add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False).sign(
        key, hashes.SHA256())
    (folder / "crt.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return folder / "crt.pem", folder / "key.pem"


@pytest.fixture(scope="module")
def learner(certificate, tmp_path_factory):
    """A guest who trusts the certificate of a running server."""
    folder, port = tmp_path_factory.mktemp("serve"), free_port()
    crt, key = map(str, certificate)
    environment = {"DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}", "STATIC_ROOT": str(folder / "static"), "DJANGO_SETTINGS_MODULE": "lifecycle.settings",
                   "TLS_CERTIFICATE": crt, "TLS_KEY": key, "TLS_AUTHORITY": crt}
    server, context = manage("serve", "--port", str(port), environment=environment, log=folder / "log"), ssl.create_default_context(cafile=crt)
    address = f"https://127.0.0.1:{port}"

    def answers():
        try:
            with urllib.request.urlopen(f"{address}/readyz", context=context, timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    wait_until(answers, "the server")
    yield Learner(address, context)
    server.stop()


def test_kubectl_trusts_the_kubeconfig_and_sends_tokens(learner, tmp_path):
    kubectl = learner.cluster(tmp_path)
    assert kubectl.address.startswith("https://") and len(kubectl("get nodes -o name").splitlines()) == 3
    token = kubectl("create token default").strip()
    assert 'User "system:serviceaccount:default:default" cannot list resource "pods"' in kubectl.fails(f"get pods --token={token}")
    kubectl("run web --image=nginx:1.27")
    kubectl("wait pod/web --for=condition=Ready --timeout=50s")
    assert kubectl("get pods --token=anything --no-headers").split()[:3] == ["web", "1/1", "Running"]


def test_a_certificate_without_a_key_is_refused_in_words(certificate, tmp_path):
    server = manage("serve", "--certificate", str(certificate[0]), environment={"DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}"}, log=tmp_path / "log")
    assert server.process.wait(60) == 1 and "https needs both a certificate and its key" in (tmp_path / "log").read_text()
