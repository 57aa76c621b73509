"""Skins for the bones of creatures: tubes along chains of joints, and rounded pieces on them."""

from locomote.skin_pieces import SkinPiece, ball, body_of, spike, tube

__all__ = ["SkinPiece", "ball", "body_of", "spike", "tube"]
