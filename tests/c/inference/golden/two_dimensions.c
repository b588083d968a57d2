int neighbours(int row, int column) {
  int alive = 0;
  for (int i = -1; i <= 1; i++)
    for (int j = -1; j <= 1; j++)
      if ((i || j) && board[row + i][column + j] == CELL_ALIVE) alive++;
  weights[row][column] = alive / 8.0;
  return alive;
}
