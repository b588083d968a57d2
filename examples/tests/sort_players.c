#include <assert.h>
#include <string.h>

int main(void) {
  player_t players[] = {{"a", 1}, {"b", 9}, {"c", 5}};
  sort_players(players, 3);
  assert(players[0].score == 9 && players[1].score == 5 &&
         players[2].score == 1);
  assert(strcmp(players[0].name, "b") == 0);
  return 0;
}
