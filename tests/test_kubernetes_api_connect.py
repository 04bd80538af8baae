"""Connect: who makes, gets and takes back the address of a cluster."""
import pytest
import yaml
from django.urls import reverse

from lifecycle.models import Cluster

from .cast import a_browser, an_account, an_instructor

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser():
    """A guest with one new cluster."""
    guest = a_browser(headers={"accept-language": "en"})
    guest.post(reverse("home"), {"name": "Ours", "nodes": "1"})
    guest.pk = Cluster.objects.get().pk
    return guest


def connect(browser, pk, **fields):
    return browser.post(reverse("connect", args=[pk]), fields)


def secret_of(pk):
    return Cluster.objects.get(pk=pk).api_secret


def test_a_cluster_has_no_address_until_somebody_makes_one(browser):
    assert secret_of(browser.pk) == ""
    assert "Make an address" in browser.get(reverse("connect", args=[browser.pk])).content.decode()
    assert browser.get(reverse("kubeconfig", args=[browser.pk])).status_code == 404
    page = connect(browser, browser.pk).content.decode()
    secret = secret_of(browser.pk)
    assert len(secret) >= 20 and f"kubectl -s http://testserver/clusters/{browser.pk}/t/{secret} get pods" in page
    connect(browser, browser.pk)
    assert secret_of(browser.pk) == secret


def test_the_kubeconfig_names_the_address(browser):
    connect(browser, browser.pk)
    answer = browser.get(reverse("kubeconfig", args=[browser.pk]))
    assert answer["Content-Disposition"] == f'attachment; filename="lifecycle-{browser.pk}.yaml"' and "no-store" in answer["Cache-Control"]
    config = yaml.safe_load(answer.content)
    assert config["clusters"][0]["cluster"] == {"server": f"http://testserver/clusters/{browser.pk}/t/{secret_of(browser.pk)}"}
    context = config["contexts"][0]
    assert config["current-context"] == context["name"] and context["context"]["user"] == config["users"][0]["name"]


def test_over_https_the_kubeconfig_says_whom_to_trust(browser, settings, tmp_path):
    authority = tmp_path / "authority.pem"
    authority.write_text("-----BEGIN CERTIFICATE-----")
    settings.LIFECYCLE_TLS_AUTHORITY = str(authority)
    connect(browser, browser.pk)
    plain, safe = (yaml.safe_load(browser.get(reverse("kubeconfig", args=[browser.pk]), secure=secure).content) for secure in (False, True))
    assert "certificate-authority-data" not in plain["clusters"][0]["cluster"]
    cluster = safe["clusters"][0]["cluster"]
    assert cluster["server"].startswith("https://") and cluster["certificate-authority-data"] == "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"


def test_a_revoked_address_is_gone_and_the_next_one_is_another(browser):
    connect(browser, browser.pk)
    first = secret_of(browser.pk)
    assert "The address has been revoked." in connect(browser, browser.pk, revoke="1").content.decode()
    assert secret_of(browser.pk) == ""
    connect(browser, browser.pk)
    assert secret_of(browser.pk) not in ("", first)


def test_only_who_may_change_a_cluster_gets_its_address(browser):
    connect(browser, browser.pk)
    Cluster.objects.filter(pk=browser.pk).update(view_secret="look")
    viewer, stranger, instructor = a_browser(), a_browser(an_account()), a_browser(an_instructor())
    viewer.get(reverse("share", args=["look"]))
    for name in ("connect", "kubeconfig"):
        where = reverse(name, args=[browser.pk])
        assert [each.get(where).status_code for each in (viewer, stranger, instructor, browser)] == [403, 404, 200, 200]
    before = secret_of(browser.pk)
    assert [connect(each, browser.pk, revoke="1").status_code for each in (viewer, stranger)] == [403, 404] and secret_of(browser.pk) == before
    assert 'id="open-connect"' not in viewer.get(reverse("cluster", args=[browser.pk])).content.decode()
    assert 'id="open-connect"' in browser.get(reverse("cluster", args=[browser.pk])).content.decode()


@pytest.mark.parametrize("pace, words", [("real:1", "real time, as kubectl"), ("story:0.3", "one message every 0.3 s"), ("paused", "It stands still")])
def test_it_says_what_the_pace_means_for_kubectl(browser, pace, words):
    browser.post(reverse("pace", args=[browser.pk]), {"choice": pace})
    assert words in connect(browser, browser.pk).content.decode()
