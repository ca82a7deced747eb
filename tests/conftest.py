import pytest

pytest.register_assert_rewrite("amb_core.testing")
