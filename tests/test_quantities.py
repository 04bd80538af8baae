"""Quantities are read exactly and written again as the API server does."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifecycle.simulation import quantities


@pytest.mark.parametrize("text, canonical, milli, value", [
    ("100m", "100m", 100, 1), ("1000m", "1", 1000, 1), ("0.5", "500m", 500, 1), (".5", "500m", 500, 1), ("1.5Gi", "1536Mi", 1610612736000, 1610612736),
    ("1024Mi", "1Gi", 1073741824000, 1073741824), ("1000Ki", "1000Ki", 1024000000, 1024000), ("0.5Ki", "512", 512000, 512),
    ("1.1Ki", "1126400m", 1126400, 1127),
    ("1e3", "1e3", 1000000, 1000), ("100e1", "1e3", 1000000, 1000), ("1E", "1E", 10**21, 10**18), ("1000k", "1M", 10**9, 10**6), ("0", "0", 0, 0),
    ("0Ki", "0", 0, 0),
    ("-1", "-1", -1000, -1), ("+5", "5", 5000, 5), ("0.1n", "1n", 1, 1), ("10Ei", "9223372036854775807", (2**63 - 1) * 1000, 2**63 - 1),
    (0.1, "100m", 100, 1), (64, "64", 64000, 64),
])
def test_quantities(text, canonical, milli, value):
    assert (quantities.canonical(text), quantities.milli(text), quantities.value(text)) == (canonical, milli, value)


@pytest.mark.parametrize("text, message", [
    ("abc", quantities.WRONG_FORMAT), ("", quantities.WRONG_FORMAT), ("1.2.3", quantities.WRONG_FORMAT), ("1 0", quantities.WRONG_FORMAT),
    ("1Ex", quantities.WRONG_FORMAT),
    ("1mm", "unable to parse quantity's suffix"), ("1e", "unable to parse quantity's suffix"), ("Ki", "unable to parse numeric part of quantity"),
    ("1e99999", "unable to parse quantity's suffix"),
])
def test_what_is_no_quantity_is_refused_in_the_servers_words(text, message):
    with pytest.raises(quantities.QuantityError) as caught:
        quantities.canonical(text)
    assert str(caught.value) == message


@given(st.integers(-10**15, 10**15), st.sampled_from([quantities.DECIMAL_SI, quantities.BINARY_SI, quantities.DECIMAL_EXPONENT]))
def test_a_written_quantity_reads_as_what_it_was(amount, notation):
    assert quantities.value(quantities.format_quantity(amount, notation)) == amount
    assert quantities.milli(quantities.format_quantity(amount, notation)) == amount * 1000


def test_sums_keep_the_notation_of_the_first():
    assert quantities.add("1", "500m") == "1500m"
    assert quantities.add("0", "1Gi") == "1Gi"
    assert quantities.subtract("1Gi", "512Mi") == "512Mi"
