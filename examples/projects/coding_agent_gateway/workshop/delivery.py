"""What the delivery of an order costs."""

from orders import Order

FREE_FROM = 57
MOST_KILOGRAMS = 30


def parcels_of(order: Order) -> int:
    """How many parcels an order is sent in."""
    return max(1, -(-order.kilograms // MOST_KILOGRAMS))


def cost_of(order: Order) -> int:
    """The cost in euros."""
    if order.euros >= FREE_FROM:
        return 0
    return 6 + 4 * (parcels_of(order) - 1)
