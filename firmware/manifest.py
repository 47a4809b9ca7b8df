"""What is frozen into a MicroPython firmware image; package.json lists the same modules for mip."""

package("shoe", base_path=".")  # noqa: F821 # pyright: ignore[reportUndefinedVariable]
