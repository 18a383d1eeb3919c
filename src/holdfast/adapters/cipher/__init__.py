"""Sealing by AES-256-GCM, and where its master key is kept (E14)."""

from holdfast.adapters.cipher.aesgcm import AesGcmCipher
from holdfast.adapters.cipher.master import FileMaster, GivenMaster, MemoryMaster

__all__ = ["AesGcmCipher", "FileMaster", "GivenMaster", "MemoryMaster"]
