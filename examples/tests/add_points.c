#include <assert.h>

int main(void) {
  player_t player = {"ann", 3};
  add_points(&player, 4);
  assert(player.score == 7);
  add_points(&player, -9);
  assert(player.score == 0);
  return 0;
}
