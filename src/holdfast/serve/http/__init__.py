"""The door over a network: REST, its keys and limits, events, metrics. It maps a protocol to the verbs."""
