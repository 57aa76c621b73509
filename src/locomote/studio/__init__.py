"""The studio: people, steps, creatures and clips in a page of the browser, to be told, watched and recorded."""

from __future__ import annotations

from locomote.studio._app import Studio

__all__ = ["Studio"]
