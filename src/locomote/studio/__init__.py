"""The studio: people, steps, creatures, clips and poses in a page of the browser, to be told and watched."""

from __future__ import annotations

from locomote.studio._app import Studio

__all__ = ["Studio"]
