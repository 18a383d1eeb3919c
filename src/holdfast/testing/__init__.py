"""The conformance suites, shipped: whoever writes an engine can prove it here."""
