void print_ranking(Player *players, size_t count) {
  qsort(players, count, sizeof(Player), compare_players);
  for (size_t i = 0; i < count; i++) printf("%zu. %s %ld\n", i + 1, players[i].name, players[i].score);
}
