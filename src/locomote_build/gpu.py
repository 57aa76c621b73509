"""Compile the kernels for GPUs into the package: ``python -m locomote_build.gpu``. Needs numba-cuda, but no GPU."""

from __future__ import annotations

from locomote.human import HumanModel
from locomote.human._cuda import loading
from locomote.human._packing import pack
from locomote.human.jumps import JumpModel


def main() -> None:
    """Write the kernels for models of the size of the shipped one to where `loading` looks first."""
    model = HumanModel.default()
    sizes = loading.sizes_of(pack(model, JumpModel.default().for_model(model)))
    loading.write_kernels(loading.SHIPPED, loading.key_for(sizes), loading.kernels_for(sizes))


if __name__ == "__main__":
    main()
