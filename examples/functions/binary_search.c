int binary_search(const int *sorted, int count, int wanted) {
  int low = 0;
  int high = count - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == wanted) {
      return middle;
    }
    if (sorted[middle] < wanted) {
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return -1;
}
