#define NULL ((void *)0)
struct node;
struct node { struct node *left; struct node *right; };
