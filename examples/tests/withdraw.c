#include <assert.h>

int main(void) {
  struct account account = {"Ann", 100};
  assert(withdraw(&account, 30) == 0 && account.balance == 70);
  assert(withdraw(&account, 71) == -1 && withdraw(&account, 0) == -1 &&
         account.balance == 70);
  return 0;
}
