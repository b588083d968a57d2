#include <assert.h>
#include <stdlib.h>

int main(void) {
  player_t players[] = {{"ann", 3}, {"bob", 5}};
  assert(find_player(players, 2, "bob") == &players[1]);
  assert(find_player(players, 2, "eve") == NULL);
  return 0;
}
