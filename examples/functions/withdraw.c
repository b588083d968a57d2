#include <stdio.h>

struct account {
  const char *owner;
  long balance;
};

int withdraw(struct account *account, long amount) {
  if (amount <= 0 || amount > account->balance) {
    printf("%s cannot withdraw %ld\n", account->owner, amount);
    return -1;
  }
  account->balance -= amount;
  return 0;
}
