"""Reinforcement learning with the rewards of `sk2d.rewards`, and its mathematics."""
