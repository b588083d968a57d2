#include <string.h>

typedef struct {
  char name[24];
  int score;
} player_t;

player_t *find_player(player_t *players, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(players[i].name, name) == 0) {
      return &players[i];
    }
  }
  return NULL;
}
