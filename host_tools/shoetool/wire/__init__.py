"""Frames and messages of firmware/PROTOCOL.md on the host. This package does no input or output."""

from .answers import Identity, SelfTest, ShoeEntry, Status, Ticks, TracePass
from .decoder import FrameDecoder, Item
from .frames import BadFrame, Frame, FrameStatus, StrayText, encode_frame
from .messages import MessageError, error_text, pack_request, unpack

__all__ = [
    "BadFrame",
    "Frame",
    "FrameDecoder",
    "FrameStatus",
    "Identity",
    "Item",
    "MessageError",
    "SelfTest",
    "ShoeEntry",
    "Status",
    "StrayText",
    "Ticks",
    "TracePass",
    "encode_frame",
    "error_text",
    "pack_request",
    "unpack",
]
