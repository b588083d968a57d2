#include <stdbool.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

typedef struct entry {
  int id;
  char *label;
  struct entry *next;
} entry_t;

struct node *list_find(struct node *head, int value) {
  while (head != NULL && head->value != value) {
    head = head->next;
  }
  return head;
}

void list_free(entry_t *head) {
  while (head) {
    entry_t *next = head->next;
    free(head->label);
    free(head);
    head = next;
  }
}

size_t list_length(const struct node *head) {
  size_t length = 0;
  while (head != NULL) {
    length++;
    head = head->next;
  }
  return length;
}

struct node *list_push(struct node *head, int value) {
  struct node *added = malloc(sizeof(struct node));
  if (added == NULL) {
    return head;
  }
  added->value = value;
  added->next = head;
  return added;
}

int list_remove(entry_t **link, int id) {
  for (; *link != NULL; link = &(*link)->next) {
    if ((*link)->id == id) {
      entry_t *removed = *link;
      *link = removed->next;
      free(removed->label);
      free(removed);
      return 1;
    }
  }
  return 0;
}

struct node *list_reverse(struct node *head) {
  struct node *reversed = NULL;
  while (head != NULL) {
    struct node *rest = head->next;
    head->next = reversed;
    reversed = head;
    head = rest;
  }
  return reversed;
}

void list_append(struct node **head, struct node *added) {
  while (*head != NULL) {
    head = &(*head)->next;
  }
  added->next = NULL;
  *head = added;
}

struct node *list_nth(struct node *head, int index) {
  while (head != NULL && index > 0) {
    head = head->next;
    index--;
  }
  return head;
}

void list_insert_sorted(struct node **head, struct node *added) {
  while (*head != NULL && (*head)->value < added->value) {
    head = &(*head)->next;
  }
  added->next = *head;
  *head = added;
}

bool list_has_cycle(const struct node *head) {
  const struct node *slow = head;
  const struct node *fast = head;
  while (fast != NULL && fast->next != NULL) {
    slow = slow->next;
    fast = fast->next->next;
    if (slow == fast) {
      return true;
    }
  }
  return false;
}

struct node *list_merge(struct node *left, struct node *right) {
  struct node first = {0, NULL};
  struct node *last = &first;
  while (left != NULL && right != NULL) {
    struct node **smaller = left->value <= right->value ? &left : &right;
    last->next = *smaller;
    last = *smaller;
    *smaller = (*smaller)->next;
  }
  last->next = left != NULL ? left : right;
  return first.next;
}

int list_drop_below(struct node **head, int limit) {
  int dropped = 0;
  while (*head != NULL) {
    struct node *current = *head;
    if (current->value < limit) {
      *head = current->next;
      free(current);
      dropped++;
    } else {
      head = &current->next;
    }
  }
  return dropped;
}

long list_sum(const struct node *head) {
  long sum = 0;
  for (; head != NULL; head = head->next) {
    sum += head->value;
  }
  return sum;
}
