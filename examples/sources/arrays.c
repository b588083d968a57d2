#include <stdbool.h>
#include <stddef.h>

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

int max_index(const int *scores, int count) {
  int best = 0;
  for (int i = 1; i < count; i++) {
    if (scores[i] > scores[best]) {
      best = i;
    }
  }
  return best;
}

size_t remove_duplicates(int *sorted, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || sorted[kept - 1] != sorted[i]) {
      sorted[kept++] = sorted[i];
    }
  }
  return kept;
}

bool is_sorted(const int *items, int count) {
  for (int i = 1; i < count; i++) {
    if (items[i - 1] > items[i]) {
      return false;
    }
  }
  return true;
}

int partition(int *items, int low, int high) {
  int pivot = items[high];
  int border = low;
  for (int i = low; i < high; i++) {
    if (items[i] < pivot) {
      int moved = items[i];
      items[i] = items[border];
      items[border] = moved;
      border++;
    }
  }
  items[high] = items[border];
  items[border] = pivot;
  return border;
}

void quick_sort(int *items, int low, int high) {
  while (low < high) {
    int middle = partition(items, low, high);
    quick_sort(items, low, middle - 1);
    low = middle + 1;
  }
}

int merge_sorted(const int *left, int left_count, const int *right,
                 int right_count, int *merged) {
  int i = 0;
  int j = 0;
  int written = 0;
  while (i < left_count && j < right_count) {
    merged[written++] = left[i] <= right[j] ? left[i++] : right[j++];
  }
  while (i < left_count) {
    merged[written++] = left[i++];
  }
  while (j < right_count) {
    merged[written++] = right[j++];
  }
  return written;
}

void reverse_range(int *items, int first, int last) {
  while (first < last) {
    int kept = items[first];
    items[first++] = items[last];
    items[last--] = kept;
  }
}

void rotate_array(int *items, int count, int distance) {
  if (count == 0) {
    return;
  }
  distance %= count;
  reverse_range(items, 0, distance - 1);
  reverse_range(items, distance, count - 1);
  reverse_range(items, 0, count - 1);
}

void prefix_sums(const int *items, int count, long *sums) {
  long running = 0;
  for (int i = 0; i < count; i++) {
    running += items[i];
    sums[i] = running;
  }
}

long count_inversions(const int *items, int count) {
  long inversions = 0;
  for (int i = 0; i < count; i++) {
    for (int j = i + 1; j < count; j++) {
      if (items[i] > items[j]) {
        inversions++;
      }
    }
  }
  return inversions;
}

int majority(const int *votes, int count) {
  int candidate = -1;
  int lead = 0;
  for (int i = 0; i < count; i++) {
    if (lead == 0) {
      candidate = votes[i];
    }
    lead += votes[i] == candidate ? 1 : -1;
  }
  return candidate;
}

bool find_pair(const int *sorted, int count, int wanted, int *first,
               int *second) {
  int low = 0;
  int high = count - 1;
  while (low < high) {
    int sum = sorted[low] + sorted[high];
    if (sum == wanted) {
      *first = low;
      *second = high;
      return true;
    }
    if (sum < wanted) {
      low++;
    } else {
      high--;
    }
  }
  return false;
}

int move_zeros(int *items, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (items[i] != 0) {
      items[kept++] = items[i];
    }
  }
  for (int i = kept; i < count; i++) {
    items[i] = 0;
  }
  return kept;
}

int longest_run(const int *items, int count) {
  int longest = 0;
  int length = 0;
  for (int i = 0; i < count; i++) {
    length = i > 0 && items[i] == items[i - 1] ? length + 1 : 1;
    if (length > longest) {
      longest = length;
    }
  }
  return longest;
}

void shell_sort(int *items, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2) {
    for (int i = gap; i < count; i++) {
      int item = items[i];
      int place = i;
      while (place >= gap && items[place - gap] > item) {
        items[place] = items[place - gap];
        place -= gap;
      }
      items[place] = item;
    }
  }
}

int best_sum(const int *items, int count) {
  int best = items[0];
  int current = items[0];
  for (int i = 1; i < count; i++) {
    current = current > 0 ? current + items[i] : items[i];
    if (current > best) {
      best = current;
    }
  }
  return best;
}

size_t count_between(const short *samples, size_t count, short low,
                     short high) {
  size_t inside = 0;
  for (size_t i = 0; i < count; i++) {
    if (samples[i] >= low && samples[i] <= high) {
      inside++;
    }
  }
  return inside;
}
