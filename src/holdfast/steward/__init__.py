"""What time does to a memory: rules that are pure, and (later) the steward that applies them."""
