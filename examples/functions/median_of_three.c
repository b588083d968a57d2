int median_of_three(int first, int second, int third) {
  if (first > second) {
    int swapped = first;
    first = second;
    second = swapped;
  }
  if (third <= first) {
    return first;
  }
  return third < second ? third : second;
}
