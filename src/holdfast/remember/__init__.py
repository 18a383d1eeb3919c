"""The way in: admit (who may write what), reconcile (what is known already), store (carries the plan out)."""
