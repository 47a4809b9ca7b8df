"""Frames and messages of firmware/PROTOCOL.md on the host. This package does no input or output."""
