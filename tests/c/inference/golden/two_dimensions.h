extern int **board;
extern int CELL_ALIVE;
extern double **weights;
