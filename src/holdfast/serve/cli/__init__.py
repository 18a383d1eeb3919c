"""The door for people at a terminal. `main` is the entry, `app` the list of commands."""
