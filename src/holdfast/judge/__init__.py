"""The judges: what decides what words mean. `rules` needs no model; `model` asks an endpoint."""
