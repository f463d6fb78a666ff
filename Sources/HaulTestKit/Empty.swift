// Filled by the next change.
