"""The paths of REST, by subject. Each handler maps one request to one verb."""
