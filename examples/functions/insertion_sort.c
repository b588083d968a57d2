void insertion_sort(int *items, int count) {
  for (int i = 1; i < count; i++) {
    int current = items[i];
    int slot = i;
    while (slot > 0 && items[slot - 1] > current) {
      items[slot] = items[slot - 1];
      slot--;
    }
    items[slot] = current;
  }
}
