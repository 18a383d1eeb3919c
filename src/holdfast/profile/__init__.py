"""Numbers as data: what a profile is (`schema`), and how a TOML file becomes one (`load`)."""
