Matrix *matrix_new(int rows, int columns) {
  Matrix *matrix = ALLOCATE(Matrix, 1);
  matrix->rows = rows;
  matrix->columns = columns;
  matrix->cells = ALLOCATE(double, rows * columns);
  return matrix;
}
