"""The stem of an English word, irregular forms brought together first ("went", "gone" → "go"). Pure but for
a cache.
"""

from __future__ import annotations

import threading
from functools import lru_cache

from holdfast.recall.lexicon import load

# A stemmer may not be used by two threads at once: each has its own.
_stemmers = threading.local()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Of a word in lower case; other scripts come back as they are."""
    stemmer = getattr(_stemmers, "english", None)
    if stemmer is None:
        import Stemmer

        stemmer = _stemmers.english = Stemmer.Stemmer("english", 0)
    return str(stemmer.stemWord(load().irregular.get(word, word)))
