"""Hears what is announced (announcing.py) about the clusters that somebody in this process follows."""
import asyncio
import logging

from channels.layers import get_channel_layer

PATIENCE = 2                   # seconds until another try to hear

logger = logging.getLogger(__name__)


class Listening:
    """One ear of one event loop; `told(pk)` is called whenever there may be news of a cluster. What is missed is made up for by who looks now and then."""

    def __init__(self, told):
        self.layer, self.channel, self.told, self.followed = get_channel_layer("viewers"), None, told, set()

    async def name(self):
        if self.channel is None:
            self.channel = await self.layer.new_channel()
        return self.channel

    async def follow(self, pk):
        """From now on, hear of a cluster."""
        self.followed.add(pk)
        try:
            await self.layer.group_add(f"cluster.{pk}", await self.name())
        except Exception:
            logger.exception("announcements will not be heard", extra={"cluster": pk})

    async def unfollow(self, pk):
        self.followed.discard(pk)
        await self.layer.group_discard(f"cluster.{pk}", await self.name())
        if pk in self.followed:            # somebody came meanwhile
            await self.follow(pk)

    async def listen(self):
        """Hear, for ever."""
        while True:
            try:
                self.told((await self.layer.receive(await self.name())).get("cluster"))
            except Exception:
                logger.exception("announcements are not heard")
                await asyncio.sleep(PATIENCE)
                for pk in list(self.followed):
                    await self.follow(pk)
