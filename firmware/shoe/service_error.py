"""How a request is refused, wherever the reason is found."""


class ServiceError(Exception):
    """A request that is refused: `code` of enum.error and `detail` (u32) go to the host."""

    def __init__(self, code, detail=0):
        super().__init__(code, detail)
        self.code = code
        self.detail = detail
