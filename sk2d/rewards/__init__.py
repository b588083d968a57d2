"""What an answer is worth: computed by one code, whoever asks."""
