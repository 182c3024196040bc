"""Gradients of layers in double precision, against finite differences."""

import numpy as np

from senna_py.kernels.runtime.switch import fixed_kernels
from senna_py.layers.gradients import Gradients


def whole_gradients(gradients, parameters):
    """An array for each parameter, by name: zero where no gradient was given."""
    out = {name: np.zeros_like(array) for name, array in parameters.items()}
    for name, gradient in gradients.by_name.items():
        out[name] += (
            gradient[0].T @ gradient[1] if isinstance(gradient, tuple) else gradient
        )
    for name, rows, gradient, _ in gradients.by_row:
        out[name][rows] += gradient
    return out


def slope_of(cost, array, width=1e-5):
    """Gradient of cost() for an array that it depends on, by central differences."""
    return slopes_at(range(array.size), cost, array, width).reshape(array.shape)


def slopes_at(places, cost, array, width=1e-5):
    """The same for some numbers of the array, by their places in a row of all."""
    out, flat = [], array.reshape(-1)
    for i in places:
        kept = flat[i]
        flat[i] = kept + width
        above = cost()
        flat[i] = kept - width
        out.append((above - cost()) / (2 * width))
        flat[i] = kept
    return np.array(out)


def slope_along(cost, array, direction, step):
    """Slope of cost() along a direction of an array that it depends on, both
    float32.
    """
    before, costs = array.copy(), []
    for signed in (step, -step):
        array[...] = before + np.float32(signed) * direction
        costs.append(cost())
    array[...] = before
    return (costs[0] - costs[1]) / (2 * step)


def check_directions(gradients, arrays, cost, rng, close=0.02):
    """Compare the Gradients of cost() with slopes along a random direction of each
    array.

    arrays: float32, by name; what is impossible in them, far below 0, stays as it is.
    """
    for name, gradient in whole_gradients(gradients, arrays).items():
        direction = rng.standard_normal(arrays[name].shape).astype(np.float32)
        direction[arrays[name] < -100] = 0
        direction /= np.linalg.norm(direction)
        # Short steps: HardTanh and maxima have kinks, which the shorter one mostly
        # misses.
        slopes = [
            slope_along(cost, arrays[name], direction, step)
            for step in (1e-3, 3e-4, 1e-4)
        ]
        expected = (gradient * direction).sum()
        error = min(abs(slope - expected) for slope in slopes)
        assert error < 0.02 * abs(expected) + close, (name, expected, slopes)


@fixed_kernels(plain=True)  # double precision is nowhere compiled
def check_layer(layer, inputs, *given, close=1e-6):
    """Compare all gradients of a layer: of its parameters, and of inputs, a list of
    arrays.
    """
    out, trace = layer.forward(*inputs, *given)
    d_out = np.random.default_rng(9).normal(size=out.shape)

    def cost():
        return (layer.forward(*inputs, *given)[0] * d_out).sum()

    gradients = Gradients()
    found = layer.backward(d_out.copy(), trace, gradients)
    found = found if isinstance(found, tuple) else (found,)
    for x, d_x in zip(inputs, found, strict=True):
        np.testing.assert_allclose(d_x, slope_of(cost, x), rtol=close, atol=close)
    parameters = layer.parameters()
    for name, d_array in whole_gradients(gradients, parameters).items():
        expected = slope_of(cost, parameters[name])
        assert np.abs(expected).max() > 1e-3, name
        np.testing.assert_allclose(
            d_array, expected, rtol=close, atol=close, err_msg=name
        )
