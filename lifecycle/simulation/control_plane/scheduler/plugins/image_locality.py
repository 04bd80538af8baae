"""Nodes that have the images already (plugins/imagelocality)."""
from ..rejection import HIGHEST

NAME = "ImageLocality"
MEGABYTE = 1024 * 1024
LEAST, MOST = 23 * MEGABYTE, 1000 * MEGABYTE        # below the one images do not count; the other, per container, is as good as it gets


def score(shape, node, spread):
    """More for big images that are present; `spread(image)` is the share of the nodes that have it, which keeps one node from drawing all."""
    if not node.images:
        return 0
    present = sum(int(node.images[name] * spread(name)) for name in shape.images if name in node.images)
    most = MOST * len(shape.images)
    return HIGHEST * (min(max(present, LEAST), most) - LEAST) // (most - LEAST)


def tagged(image):
    """An image name as nodes report it, with its tag."""
    return image if ":" in image.rpartition("/")[2] else image + ":latest"
