int cheapest(const Offer offers[], size_t count) {
  size_t best = 0;
  for (size_t i = 1; i < count; i++)
    if (offers[i].price < offers[best].price - 0.005f) best = i;
  return count ? offers[best].id : -1;
}
