"""Channel layers without a service: in one process, and across to a child."""
import asyncio

import pytest
from channels.layers import channel_layers, get_channel_layer

from lifecycle.layers import Bridge, BridgedLayer, LocalLayer

pytestmark = pytest.mark.asyncio


@pytest.fixture(autouse=True)
def layers():
    """New layers for the loop of each test."""
    old = {alias: channel_layers.set(alias, LocalLayer()) for alias in ("default", "viewers")}
    yield
    for alias, layer in old.items():
        if layer is None:                  # nobody had asked for it yet
            del channel_layers.backends[alias]
        else:
            channel_layers.set(alias, layer)


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "bridge")


async def received(layer, channel):
    return await asyncio.wait_for(layer.receive(channel), 5)


async def test_a_group_hears_what_is_said_and_who_left_does_not():
    layer = LocalLayer()
    one, two = [await layer.new_channel() for _ in range(2)]
    for channel in (one, two):
        await layer.group_add("cluster.1", channel)
    await layer.group_discard("cluster.1", two)
    await layer.group_send("cluster.1", {"type": "news"})
    assert await received(layer, one) == {"type": "news"}
    assert two not in layer.channels


async def test_nothing_is_lost_however_much_waits():
    layer = LocalLayer()
    channel = await layer.new_channel()
    await layer.group_add("cluster.1", channel)
    for number in range(1000):
        await layer.group_send("cluster.1", {"type": "news", "number": number})
    assert [(await received(layer, channel))["number"] for _ in range(1000)] == list(range(1000))


async def test_a_full_channel_that_nobody_reads_leaves_its_groups():
    layer = LocalLayer(capacity=2)
    channel = await layer.new_channel()
    await layer.group_add("cluster.1", channel)
    for _ in range(3):
        await layer.group_send("cluster.1", {"type": "news"})
    assert channel not in layer.groups["cluster.1"]


async def test_a_child_hears_its_channel_and_speaks_to_groups(path):
    parent = await Bridge().listen(path)
    child, viewers = BridgedLayer(path, "default"), get_channel_layer("viewers")
    # It should get what was said before it came, too
    await get_channel_layer().send("engine", {"type": "cluster.wake", "cluster": 1})
    assert await received(child, "engine") == {"type": "cluster.wake", "cluster": 1}
    await get_channel_layer().send("engine", {"type": "cluster.wake", "cluster": 2})
    assert await received(child, "engine") == {"type": "cluster.wake", "cluster": 2}
    # It should reach the groups of the parent
    channel = await viewers.new_channel()
    await viewers.group_add("cluster.1", channel)
    speaker = BridgedLayer(path, "viewers")
    await speaker.group_send("cluster.1", {"type": "steps.added", "upto": 7})
    assert await received(viewers, channel) == {"type": "steps.added", "upto": 7}
    await close(parent, child, speaker)


async def test_a_child_learns_that_its_parent_is_gone(path):
    async def hang_up(reader, writer):
        writer.close()

    parent = await asyncio.start_unix_server(hang_up, path)
    child = BridgedLayer(path, "default")
    with pytest.raises(ConnectionError):
        await received(child, "engine")
    await close(parent, child)


async def close(parent, *children):
    for child in children:
        _, writer = child.connection
        writer.close()
        await asyncio.sleep(0.01)
    parent.close()
    await parent.wait_closed()
