"""The nouns: frozen, slotted dataclasses and closed lists. Nothing here does anything."""
