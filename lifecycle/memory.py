"""Python's collector of cyclic garbage, for processes that hold large simulations."""
import gc


def tune():
    """Collect seldom, and leave alone what there is already: code and tables that stay until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
