"""Benches for a shoe on its silicon: an emulated RP2040, and a real Pico with a second Pico for its light.

Kept apart from the tests, so that measurements and other suites can use the same benches.
"""
