#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct account {
  const char *owner;
  long balance;
};

typedef struct {
  int left;
  int top;
  int width;
  int height;
} box_t;

typedef struct {
  char name[24];
  int score;
} player_t;

struct product {
  unsigned int code;
  unsigned short stock;
  unsigned short minimum;
  float price;
};

int withdraw(struct account *account, long amount) {
  if (amount <= 0 || amount > account->balance) {
    printf("%s cannot withdraw %ld\n", account->owner, amount);
    return -1;
  }
  account->balance -= amount;
  return 0;
}

bool boxes_overlap(const box_t *a, const box_t *b) {
  return a->left < b->left + b->width && b->left < a->left + a->width &&
         a->top < b->top + b->height && b->top < a->top + a->height;
}

player_t *find_player(player_t *players, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (strcmp(players[i].name, name) == 0) {
      return &players[i];
    }
  }
  return NULL;
}

bool transfer(struct account *from, struct account *to, long amount) {
  if (from == to || withdraw(from, amount) != 0) {
    return false;
  }
  to->balance += amount;
  return true;
}

long richest(const struct account *accounts, int count) {
  long most = -1;
  int found = -1;
  for (int i = 0; i < count; i++) {
    if (accounts[i].balance > most) {
      most = accounts[i].balance;
      found = i;
    }
  }
  return found;
}

bool box_contains(const box_t *box, int x, int y) {
  return x >= box->left && x < box->left + box->width && y >= box->top &&
         y < box->top + box->height;
}

box_t box_around(box_t a, box_t b) {
  box_t around;
  int right =
      a.left + a.width > b.left + b.width ? a.left + a.width : b.left + b.width;
  int bottom =
      a.top + a.height > b.top + b.height ? a.top + a.height : b.top + b.height;
  around.left = a.left < b.left ? a.left : b.left;
  around.top = a.top < b.top ? a.top : b.top;
  around.width = right - around.left;
  around.height = bottom - around.top;
  return around;
}

void box_move(box_t *box, int dx, int dy) {
  box->left += dx;
  box->top += dy;
}

void add_points(player_t *player, int points) {
  player->score += points;
  if (player->score < 0) {
    player->score = 0;
  }
}

void sort_players(player_t *players, int count) {
  for (int i = 0; i < count - 1; i++) {
    for (int j = 0; j < count - 1 - i; j++) {
      if (players[j].score < players[j + 1].score) {
        player_t kept = players[j];
        players[j] = players[j + 1];
        players[j + 1] = kept;
      }
    }
  }
}

int count_to_order(const struct product *products, int count) {
  int short_of = 0;
  for (int i = 0; i < count; i++) {
    if (products[i].stock < products[i].minimum) {
      short_of++;
    }
  }
  return short_of;
}

float stock_value(const struct product *products, int count) {
  float value = 0.0f;
  while (count-- > 0) {
    value += products->price * (float)products->stock;
    products++;
  }
  return value;
}

bool restock(struct product *product, unsigned short delivered) {
  unsigned int total = (unsigned int)product->stock + delivered;
  if (total > 0xffff) {
    return false;
  }
  product->stock = (unsigned short)total;
  return true;
}

void print_products(const struct product *products, int count) {
  for (int i = 0; i < count; i++) {
    const struct product *product = &products[i];
    printf("%6u %5u %8.2f", product->code, (unsigned int)product->stock,
           product->price);
    puts(product->stock < product->minimum ? " order" : "");
  }
}
