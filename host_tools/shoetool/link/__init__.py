"""Byte transports between shoetool and a device: a serial port, a recording, a loopback for tests."""

from .loopback import LoopbackTransport
from .ports import open_transport, serial_ports
from .recording import RecordingTransport, Traffic, read_recording
from .replay import ReplayTransport, recording_of
from .serial_port import SerialTransport
from .transport import Disconnected, EndOfRecording, PortBusy, PortMissing, PromptPort, Transport

__all__ = [
    "Disconnected",
    "EndOfRecording",
    "LoopbackTransport",
    "PortBusy",
    "PortMissing",
    "PromptPort",
    "RecordingTransport",
    "ReplayTransport",
    "SerialTransport",
    "Traffic",
    "Transport",
    "open_transport",
    "read_recording",
    "recording_of",
    "serial_ports",
]
