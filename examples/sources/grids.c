#define SIDE 8

void matrix_multiply(const int *left, const int *right, int *product,
                     int size) {
  for (int row = 0; row < size; row++) {
    for (int column = 0; column < size; column++) {
      int sum = 0;
      for (int k = 0; k < size; k++) {
        sum += left[row * size + k] * right[k * size + column];
      }
      product[row * size + column] = sum;
    }
  }
}

void matrix_transpose(double *matrix, int size) {
  for (int row = 0; row < size; row++) {
    for (int column = row + 1; column < size; column++) {
      double kept = matrix[row * size + column];
      matrix[row * size + column] = matrix[column * size + row];
      matrix[column * size + row] = kept;
    }
  }
}

int matrix_trace(const int *matrix, int size) {
  int trace = 0;
  for (int i = 0; i < size; i++) {
    trace += matrix[i * (size + 1)];
  }
  return trace;
}

int live_neighbours(const unsigned char cells[SIDE][SIDE], int row,
                    int column) {
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int y = row + dy;
      int x = column + dx;
      if ((dy != 0 || dx != 0) && y >= 0 && y < SIDE && x >= 0 && x < SIDE) {
        alive += cells[y][x];
      }
    }
  }
  return alive;
}

int flood_fill(unsigned char *cells, int width, int height, int x, int y,
               unsigned char colour) {
  if (x < 0 || x >= width || y < 0 || y >= height ||
      cells[y * width + x] != 0) {
    return 0;
  }
  cells[y * width + x] = colour;
  int filled = 1;
  filled += flood_fill(cells, width, height, x - 1, y, colour);
  filled += flood_fill(cells, width, height, x + 1, y, colour);
  filled += flood_fill(cells, width, height, x, y - 1, colour);
  filled += flood_fill(cells, width, height, x, y + 1, colour);
  return filled;
}

long count_paths(int width, int height) {
  long paths[16];
  if (width < 1 || width > 16) {
    return -1;
  }
  for (int x = 0; x < width; x++) {
    paths[x] = 1;
  }
  for (int y = 1; y < height; y++) {
    for (int x = 1; x < width; x++) {
      paths[x] += paths[x - 1];
    }
  }
  return paths[width - 1];
}

int row_winner(const char board[9]) {
  for (int row = 0; row < 3; row++) {
    char first = board[3 * row];
    if (first != ' ' && first == board[3 * row + 1] &&
        first == board[3 * row + 2]) {
      return first;
    }
  }
  return 0;
}

void blur_row(const unsigned char *pixels, unsigned char *blurred, int width) {
  for (int x = 0; x < width; x++) {
    int left = pixels[x > 0 ? x - 1 : 0];
    int right = pixels[x < width - 1 ? x + 1 : width - 1];
    blurred[x] = (unsigned char)((left + 2 * pixels[x] + right) / 4);
  }
}
