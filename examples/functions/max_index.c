int max_index(const int *scores, int count) {
  int best = 0;
  for (int i = 1; i < count; i++) {
    if (scores[i] > scores[best]) {
      best = i;
    }
  }
  return best;
}
