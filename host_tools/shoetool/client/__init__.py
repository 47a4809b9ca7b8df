"""Talk to one shoe: requests that are carried out once, live records without gaps, fetches that can resume."""

from .client import Client
from .discovery import Found, discover
from .history import Page, Progress
from .requests import NoAnswer, NotAShoe, OtherProtocol, Refused, Timeouts
from .session import Session

__all__ = [
    "Client",
    "Found",
    "NoAnswer",
    "NotAShoe",
    "OtherProtocol",
    "Page",
    "Progress",
    "Refused",
    "Session",
    "Timeouts",
    "discover",
]
