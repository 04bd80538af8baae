"""The figures of the budget: how fast and how large the simulation is."""
