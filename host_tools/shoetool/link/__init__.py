"""Byte transports between shoetool and a device: a serial port, a recording."""
