"""The rules of the shop about delivery."""

import unittest

from delivery import cost_of, parcels_of
from orders import Line, Order


def order(number: int, count: int = 1) -> Order:
    return Order((Line(number, count),))


class TestDelivery(unittest.TestCase):
    def test_a_small_order_pays_for_one_parcel(self) -> None:
        assert cost_of(order(101)) == 6

    def test_a_heavy_order_pays_for_each_parcel(self) -> None:
        assert parcels_of(order(102, 3)) == 2
        assert cost_of(order(102, 3)) == 10

    def test_an_order_of_sixty_euros_pays(self) -> None:
        assert cost_of(order(103, 2)) == 6

    def test_an_order_of_ninety_euros_does_not(self) -> None:
        assert cost_of(order(103, 3)) == 0


if __name__ == "__main__":
    unittest.main()
