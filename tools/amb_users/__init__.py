"""A durable bank for each user and thread.

user_banks.py    `Banks`: opened when first asked for, closed when idle, deleted with their user
lent_bank.py     a bank that is lent to a holder, and may be put aside meanwhile
bank_folders.py  the folder of banks in files
scoped_adapters.py  a bank, and what works with it, for each user and thread; adapters by the caller of a hook
scoped_adapters.py  a bank, and what works with it, for each user and thread; adapters by the caller of a hook
"""

from amb_users.user_banks import Banks, BanksDeleted

__all__ = ["Banks", "BanksDeleted"]
