"""The watchdog is fed only when every task has checked in since it was fed last."""


class Watchdog:
    """Counts the check-ins of `names`, a tuple of task names; a task is named by its index."""

    def __init__(self, names):
        self.names = names
        self._all = (1 << len(names)) - 1
        self._seen = 0

    def check_in(self, task):
        """Task `task` went once round its loop."""
        self._seen |= 1 << task

    def complete(self):
        """True once after all tasks have checked in; then the next round begins."""
        if self._seen != self._all:
            return False
        self._seen = 0
        return True

    def missing(self):
        """Names of the tasks that have not checked in yet."""
        return tuple(name for i, name in enumerate(self.names) if not self._seen >> i & 1)
