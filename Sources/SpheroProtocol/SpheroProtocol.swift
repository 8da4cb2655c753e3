// Placeholder until the first file of this target lands.
