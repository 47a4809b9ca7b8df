"""Modules of variations that few tables deal, loaded when one is dealt: the others have the memory for themselves."""


def hybrid():
    """The module of a hybrid gaming table, 633c.5."""
    from shoe.dealing import hybrid

    return hybrid


def switch_hands():
    """The module of switch hands, 633c.4."""
    from shoe.dealing import switch_hands

    return switch_hands
